// SPDX-License-Identifier: MIT
#include "source/video/pipeline.h"

#include <math.h>
#include <stdlib.h>

// A measured rate that is so near to a whole number is that.
#define WHOLE_RATE 1e-4

void
odl_video_pipeline_close (OdlVideoPipeline *pipeline)
{
  if (pipeline == NULL)
    return;
  g_free (pipeline->stream.codec);
  g_free (pipeline->stream.container);
  pipeline->klass->close (pipeline);
}

bool
odl_video_pipeline_next (OdlVideoPipeline *pipeline,
                         OdlVideoFrame *frame,
                         GCancellable *cancellable,
                         GError **error)
{
  return pipeline->klass->next (pipeline, frame, cancellable, error);
}

bool
odl_video_pipeline_seek (OdlVideoPipeline *pipeline,
                         int64_t time_ns,
                         GCancellable *cancellable)
{
  return pipeline->klass->seek (pipeline, time_ns, cancellable);
}

bool
odl_video_pipeline_restart (OdlVideoPipeline *pipeline, GCancellable *cancellable)
{
  return pipeline->klass->restart (pipeline, cancellable);
}

int64_t
odl_video_pipeline_duration_ns (OdlVideoPipeline *pipeline)
{
  return pipeline->klass->duration_ns (pipeline);
}

bool
odl_video_pipeline_times (OdlVideoPipeline *pipeline,
                          GCancellable *cancellable,
                          OdlVideoTimes *times)
{
  *times = (OdlVideoTimes){ 0 };
  return pipeline->klass->times != NULL
         && pipeline->klass->times (pipeline, cancellable, times);
}

void
odl_video_times_clear (OdlVideoTimes *times)
{
  g_clear_pointer (&times->frames, g_array_unref);
}

static bool
is_even (const int64_t *times, int n, double rate)
{
  for (int i = 0; i < n; i++)
    if (llabs (times[i] - (int64_t) (i * (double) GST_SECOND / rate))
        > ODL_VIDEO_ROUNDING_NS)
      return false;
  return true;
}

OdlVideoPace
odl_video_times_pace (const int64_t *times, int n, double stated_rate)
{
  if (n < 2 || (stated_rate > 0 && is_even (times, n, stated_rate)))
    return (OdlVideoPace){ .rate = stated_rate, .even = true };
  const double mean = (n - 1) * (double) GST_SECOND / (double) times[n - 1];
  const double whole = round (mean);
  const double rate = fabs (mean - whole) < WHOLE_RATE * mean ? whole : mean;

  return (OdlVideoPace){ .rate = rate, .even = is_even (times, n, rate) };
}
