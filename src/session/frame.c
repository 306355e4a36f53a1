// SPDX-License-Identifier: MIT
#include "session/frame.h"

OdlFrame *
odl_frame_new (OdlImage *input, OdlPlan *plan, OdlEngineChoice engine)
{
  OdlFrame *frame = g_new0 (OdlFrame, 1);
  g_atomic_ref_count_init (&frame->ref_count);
  frame->input = odl_image_ref (input);
  frame->plan = odl_plan_ref (plan);
  frame->engine = engine.klass;
  frame->variant = engine.variant;
  return frame;
}

OdlFrame *
odl_frame_ref (OdlFrame *frame)
{
  g_atomic_ref_count_inc (&frame->ref_count);
  return frame;
}

void
odl_frame_unref (OdlFrame *frame)
{
  if (!g_atomic_ref_count_dec (&frame->ref_count))
    return;
  odl_image_unref (frame->input);
  g_clear_pointer (&frame->original, odl_image_unref);
  g_clear_pointer (&frame->result, odl_image_unref);
  odl_plan_unref (frame->plan);
  g_free (frame);
}

OdlImage *
odl_frame_scale_image (const OdlImage *image, GError **error)
{
  const OdlImageInfo *from = odl_image_info (image);
  OdlImageInfo info = *from;
  int channels = info.channels;
  int width = info.extent.x;
  info.extent.z = info.extent.t = 1;
  info.type = ODL_SAMPLE_F32;
  info.stored_min = 0;
  info.stored_max = 1;
  info.value_map.intercept += info.value_map.slope * from->stored_min;
  info.value_map.slope *= from->stored_max - from->stored_min;
  void *samples;
  OdlImage *scaled = odl_image_alloc (&info, &samples, error);
  if (!scaled)
    return NULL;
  g_autofree float *row = g_new (float, width);
  for (int y = 0; y < info.extent.y; y++)
    for (int channel = 0; channel < channels; channel++) {
      odl_image_scaled_row (image, channel, y, 0, 0, row);
      float *to = (float *) samples + (size_t) y * width * channels + channel;
      for (int x = 0; x < width; x++)
        to[(size_t) x * channels] = row[x];
    }
  return scaled;
}
