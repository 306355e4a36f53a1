// SPDX-License-Identifier: MIT
#include "source/video/pipeline.h"

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
