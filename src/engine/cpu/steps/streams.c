// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/streams.h"

#include "image/bm3d/time.h"

struct _OdlCpuStreams {
  int n_steps;
  int *n_planes; // of each step, 0 for most
  OdlBm3dStream ***of;
};

static int
planes_of (const OdlPlan *plan, int index)
{
  const OdlSlot *slot = &plan->slots[plan->steps[index].writes];

  return plan->steps[index].kind == ODL_STEP_BM3D_TIME ? slot->channels * slot->depth : 0;
}

static double
bytes_of (const OdlPlan *plan, int index)
{
  const OdlStep *step = &plan->steps[index];
  const OdlSlot *slot = &plan->slots[step->writes];
  const int floats
      = step->kernel_width > 0 ? ODL_BM3D_STREAM_FLOATS_WHITENED : ODL_BM3D_STREAM_FLOATS;

  return (double) planes_of (plan, index) * slot->width * slot->height * floats
         * step->side * (double) sizeof (float);
}

OdlCpuStreams *
odl_cpu_streams_new (const OdlPlan *plan, double most_bytes)
{
  double bytes = 0;

  for (int i = 0; i < plan->n_steps; i++)
    bytes += bytes_of (plan, i);
  if (bytes == 0 || bytes > most_bytes)
    return NULL;
  OdlCpuStreams *streams = g_new0 (OdlCpuStreams, 1);
  streams->n_steps = plan->n_steps;
  streams->n_planes = g_new (int, plan->n_steps);
  streams->of = g_new (OdlBm3dStream **, plan->n_steps);
  for (int i = 0; i < plan->n_steps; i++) {
    streams->n_planes[i] = planes_of (plan, i);
    streams->of[i] = g_new0 (OdlBm3dStream *, streams->n_planes[i]);
  }
  return streams;
}

void
odl_cpu_streams_free (OdlCpuStreams *streams)
{
  if (streams == NULL)
    return;
  for (int i = 0; i < streams->n_steps; i++) {
    for (int plane = 0; plane < streams->n_planes[i]; plane++)
      odl_bm3d_stream_free (streams->of[i][plane]);
    g_free (streams->of[i]);
  }
  g_free (streams->of);
  g_free (streams->n_planes);
  g_free (streams);
}

OdlBm3dStream **
odl_cpu_streams_of (OdlCpuStreams *streams, int index)
{
  return streams != NULL ? streams->of[index] : NULL;
}
