// SPDX-License-Identifier: MIT
#include "frames.h"

void
odl_gl_test_frames_init (OdlGlTestFrames *f,
                         const char *recipe,
                         int n,
                         int width,
                         int height,
                         int channels,
                         OdlSampleType type)
{
  *f = (OdlGlTestFrames){ .engine = odl_gl_test_shared_engine (), .n = n };
  for (guint32 i = 0; i < (guint32) n; i++)
    f->frames[i] = odl_gl_test_noise (width, height, channels, type, 100 + i);
  f->plan = odl_gl_test_plan (recipe, f->frames[0]);
  for (int i = 0; i < n; i++)
    f->alone[i] = odl_gl_test_frames_alone (f, f->plan, i);
  g_assert_cmpfloat (odl_gl_test_difference (f->alone[0], f->alone[1], 0, 0).max, >, 0.1);
}

void
odl_gl_test_frames_clear (OdlGlTestFrames *f)
{
  odl_engine_prefetch (f->engine, NULL);
  for (int i = 0; i < f->n; i++) {
    odl_image_unref (f->frames[i]);
    odl_image_unref (f->alone[i]);
  }
  odl_plan_unref (f->plan);
}

void
odl_gl_test_frames_run (const OdlGlTestFrames *f, OdlPlan *plan, int frame)
{
  g_autoptr (GError) error = NULL;

  odl_engine_prepare (f->engine, plan, &error);
  g_assert_no_error (error);
  odl_engine_run (f->engine, plan, f->frames[frame], &error);
  g_assert_no_error (error);
}

OdlImage *
odl_gl_test_frames_read (const OdlGlTestFrames *f, OdlPlan *plan, int slot)
{
  g_autoptr (GError) error = NULL;
  OdlImage *image = f->engine->klass->read_back (f->engine, plan, slot, &error);

  g_assert_no_error (error);
  return image;
}

OdlImage *
odl_gl_test_frames_alone (const OdlGlTestFrames *f, OdlPlan *plan, int frame)
{
  odl_engine_prefetch (f->engine, NULL);
  odl_gl_test_frames_run (f, plan, frame);
  return odl_gl_test_frames_read (f, plan, plan->result);
}

void
odl_gl_test_frames_check (const OdlGlTestFrames *f,
                          OdlPlan *plan,
                          const OdlImage *expected)
{
  g_autoptr (OdlImage) got = odl_gl_test_frames_read (f, plan, plan->result);
  g_assert_cmpfloat (odl_gl_test_difference (got, expected, 0, 0).max, ==, 0);
}
