// SPDX-License-Identifier: MIT
// Frame sequences for tests of temporal steps, and properties of every engine.
#pragma once

#include <math.h>
#include <string.h>

#include "engine/engine.h"

#include "plans.h"

#define SEQUENCE_FRAMES 23

// Single-precision errors, amplified 50 times by a gate over 2 % of the range.
#define SEQUENCE_BOUND 3e-5

static const char *const sequence_recipes[] = {
  "recursive-average:weight=0.2",
  "sliding-mean:frames=3",
  "sliding-mean:frames=5",
  "sliding-mean:frames=7",
  "sliding-median:frames=3",
  "sliding-median:frames=5",
  "sliding-median:frames=7",
  "persistence:level=5,threshold=0.02",
  "persistence:level=7,threshold=0.03,neighbourhood=5",
  "gaussian:sigma=0.7 sliding-median:frames=3 sharpen recursive-average:weight=0.5",
  "soft-threshold:levels=2,threshold=0.02 persistence:level=3,threshold=0.02",
  "persistence:level=3,threshold=0.02 shrinkage:levels=2 sliding-mean:frames=5",
};

// Noise around a drifting level: gates are closed, half open and open.
static inline OdlImage *
sequence_frame (int width, int height, int channels, int index)
{
  const OdlImageInfo info
      = { .extent = { width, height }, .channels = channels, .type = ODL_SAMPLE_F32 };
  const double level = 0.4 + 0.05 * sin (0.8 * index);
  guint32 seed = 12345u + 7919u * (guint32) index;
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);

  for (size_t i = 0; i < (size_t) width * height * channels; i++) {
    seed = seed * 1664525u + 1013904223u;
    ((float *) samples)[i] = (float) (level + 0.05 * (double) (seed >> 8) / 16777215.0);
  }
  return image;
}

// A cut, a single frame, skipped frames: what a player may do.
static inline OdlMoment
sequence_moment (int index)
{
  if (index == 12)
    return (OdlMoment){ 0 };
  return (OdlMoment){ index < 10   ? 7
                      : index < 12 ? 8
                                   : 9,
                      (uint64_t) (index < 16 ? index + 1 : index + 5) };
}

static inline OdlImage *
sequence_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *image, OdlMoment moment)
{
  g_autoptr (GError) error = NULL;

  engine->moment = moment;
  OdlImage *result = odl_engine_process (engine, plan, image, &error);
  g_assert_no_error (error);
  return result;
}

static inline double
sequence_difference (const OdlImage *a, const OdlImage *b)
{
  const OdlImageInfo *info = odl_image_info (a);
  const size_t n = (size_t) info->extent.x * info->extent.y * info->channels;
  const float *x = info->planes[0].data, *y = odl_image_info (b)->planes[0].data;
  double largest = 0;

  for (size_t i = 0; i < n; i++) {
    const double difference = fabs ((double) x[i] - y[i]);
    largest = difference <= largest ? largest
              : isnan (difference)  ? INFINITY
                                    : difference;
  }
  return largest;
}

// Every frame of a sequence with cuts equals the reference.
static inline void
sequence_check (OdlEngine *engine,
                OdlEngine *reference,
                const char *text,
                int width,
                int height,
                int channels)
{
  for (int i = 0; i < SEQUENCE_FRAMES; i++) {
    g_autoptr (OdlImage) image = sequence_frame (width, height, channels, i);
    g_autoptr (OdlPlan) plan = odl_test_plan (text, image);
    g_autoptr (OdlImage) got = sequence_run (engine, plan, image, sequence_moment (i));
    g_autoptr (OdlImage) want
        = sequence_run (reference, plan, image, sequence_moment (i));
    const double difference = sequence_difference (got, want);
    if (difference > SEQUENCE_BOUND)
      g_error ("%s (%s): “%s”, %d × %d × %d, frame %d: off by %g", engine->klass->name,
               engine->variant, text, width, height, channels, i, difference);
  }
}

// Moving sliders on a still frame affects neither it nor subsequent frames.
static inline void
sequence_check_again (OdlEngine *engine, const char *text, const char *moved)
{
  OdlImage *want[8];
  int differing = 0; // a median may ignore the modified frame

  for (int i = 0; i < 8; i++) {
    g_autoptr (OdlImage) image = sequence_frame (37, 29, 1, i);
    g_autoptr (OdlPlan) plan = odl_test_plan (text, image);
    want[i] = sequence_run (engine, plan, image, (OdlMoment){ 1, 1 + (uint64_t) i });
  }
  const OdlEngineCounters counters = engine->counters;
  for (int i = 0; i < 8; i++) {
    g_autoptr (OdlImage) image = sequence_frame (37, 29, 1, i);
    g_autoptr (OdlPlan) plan = odl_test_plan (text, image);
    g_autoptr (OdlPlan) other = odl_test_plan (moved, image);
    const OdlMoment moment = { 2, 1 + (uint64_t) i };
    g_assert_true (odl_plan_same_structure (plan, other));
    for (int turn = 0; turn < 2; turn++) {
      g_autoptr (OdlImage) got = sequence_run (engine, plan, image, moment);
      g_assert_cmpfloat (sequence_difference (got, want[i]), ==, 0);
      g_autoptr (OdlImage) changed = sequence_run (engine, other, image, moment);
      differing += sequence_difference (changed, want[i]) > 0;
    }
    g_autoptr (OdlImage) back = sequence_run (engine, plan, image, moment);
    g_assert_cmpfloat (sequence_difference (back, want[i]), ==, 0);
  }
  g_assert_cmpint (differing, >=, 6);
  g_assert_cmpuint (engine->counters.allocations, ==, counters.allocations);
  g_assert_cmpuint (engine->counters.textures, ==, counters.textures);
  g_assert_cmpuint (engine->counters.programs, ==, counters.programs);
  for (int i = 0; i < 8; i++)
    odl_image_unref (want[i]);
}

static inline void
sequence_check_sliders (OdlEngine *engine)
{
  sequence_check_again (engine, "recursive-average:weight=0.2",
                        "recursive-average:weight=0.7");
  sequence_check_again (engine, "persistence:level=4,threshold=0.02",
                        "persistence:level=2,threshold=0.05,neighbourhood=5");
  sequence_check_again (engine, "gaussian:sigma=0.5 sliding-median:frames=5",
                        "gaussian:sigma=1.5 sliding-median:frames=5");
  sequence_check_again (engine, "sliding-mean:frames=7 sharpen:amount=1",
                        "sliding-mean:frames=7 sharpen:amount=0.5");
  sequence_check_again (engine,
                        "recursive-average:weight=0.3 soft-threshold:threshold=0.01",
                        "recursive-average:weight=0.6 soft-threshold:threshold=0.02");
}
