// SPDX-License-Identifier: MIT
#include "session/player/frame.h"

#include <glib/gi18n-lib.h>

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
  g_clear_pointer (&frame->came, odl_image_unref);
  g_clear_pointer (&frame->volume, odl_image_unref);
  g_clear_pointer (&frame->slice, odl_image_unref);
  g_clear_pointer (&frame->other_slice, odl_image_unref);
  g_clear_pointer (&frame->body, odl_body_unref);
  g_clear_pointer (&frame->original_body, odl_body_unref);
  g_clear_pointer (&frame->original, odl_image_unref);
  g_clear_pointer (&frame->result, odl_image_unref);
  odl_plan_unref (frame->plan);
  g_clear_pointer (&frame->other, odl_plan_unref);
  g_free (frame->numbers);
  g_free (frame->sections);
  g_free (frame);
}

void
odl_frame_add_marks (const OdlFrame *frame, GStrvBuilder *marks)
{
  if (frame->past == ODL_PAST_COMING)
    g_strv_builder_add (marks, _ ("FILTERING EARLIER FRAMES…"));
  if (frame->past == ODL_PAST_MISSING)
    g_strv_builder_add (marks, _ ("NO HISTORY YET"));
  if (frame->awaits_volume)
    g_strv_builder_add (marks, _ ("FILTERING THE VOLUME…"));
  if (frame->behind > 0) {
    g_autofree char *text
        = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "DELAYED BY %d FRAME",
                                        "DELAYED BY %d FRAMES", (gulong) frame->behind),
                           frame->behind);
    g_strv_builder_add (marks, text);
  }
  if (frame->fast)
    g_strv_builder_add (marks, _ ("AS FAST AS POSSIBLE"));
}
