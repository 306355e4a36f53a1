// SPDX-License-Identifier: MIT
// Which frames belong together.
#include "engine/takes.h"

#include <math.h>

#include "../../helpers/images.h"

typedef double (*Scene) (double x, double y, int frame);

// Grey pictures of a scene with noise of deviation `noise` (times the scene's brightness,
// as speckle is).
static OdlImage *
make_frame (Scene scene, int width, int height, int frame, double noise)
{
  guint32 seed = 4321u + 977u * (guint32) frame;
  void *samples;
  OdlImage *image = odl_test_image (width, height, 1, ODL_SAMPLE_U8, &samples);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      double sum = -6; // of twelve: nearly normal, deviation 1
      for (int i = 0; i < 12; i++) {
        seed = seed * 1664525u + 1013904223u;
        sum += (double) (seed >> 8) / 16777216.0;
      }
      const double value
          = scene ((x + 0.5) / width, (y + 0.5) / height, frame) * (1 + noise * sum);
      ((guint8 *) samples)[y * width + x] = (guint8) CLAMP (255 * value + 0.5, 0, 255);
    }
  return image;
}

// A sector with a wall that beats.
static double
heart (double x, double y, int frame)
{
  const double radius = 0.25 + 0.03 * sin (0.25 * frame);
  const double distance = hypot (x - 0.5, y - 0.55);

  if (fabs (x - 0.5) > 0.6 * y)
    return 0;
  return fabs (distance - radius) < 0.04 ? 0.7 : distance < radius ? 0.05 : 0.3;
}

static double
liver (double x, double y, int frame)
{
  if (fabs (x - 0.5) > 0.6 * y)
    return 0;
  return hypot (x - 0.65, y - 0.7) < 0.12 ? 0.05 : 0.15 + 0.25 * y;
}

static double
dark (double x, double y, int frame)
{
  return 0.02;
}

// Gets brighter by 2 % a frame.
static double
brightening (double x, double y, int frame)
{
  return heart (x, y, 0) * pow (1.02, frame);
}

// A stripe of vessels that moves by a fortieth of the width a frame.
static double
panning (double x, double y, int frame)
{
  return 0.4 + 0.3 * sin (12 * (x + 0.025 * frame)) * sin (9 * y);
}

static double
both (double x, double y, int frame)
{
  return frame < 30 ? heart (x, y, frame) : liver (x, y, frame);
}

// Number of takes that `frames` frames make.
static int
count_takes (Scene scene, int frames, double noise)
{
  OdlTakes takes = { 0 };
  uint64_t serial = 0;

  for (int i = 0; i < frames; i++) {
    g_autoptr (OdlImage) image = make_frame (scene, 160, 120, i, noise);
    const OdlMoment moment = odl_takes_next (&takes, image, i > 0, true);
    g_assert_cmpuint (moment.serial, >, serial);
    serial = moment.serial;
  }
  return (int) takes.moment.take;
}

static void
test_noise_is_no_cut (void)
{
  g_assert_cmpint (count_takes (heart, 80, 0), ==, 1);
  g_assert_cmpint (count_takes (heart, 80, 0.5), ==, 1);
  g_assert_cmpint (count_takes (liver, 80, 1), ==, 1);
  g_assert_cmpint (count_takes (dark, 80, 1), ==, 1);
  g_assert_cmpint (count_takes (brightening, 40, 0.3), ==, 1);
  g_assert_cmpint (count_takes (panning, 60, 0.3), ==, 1);
}

static void
test_another_scene_is_a_cut (void)
{
  g_assert_cmpint (count_takes (both, 29, 0.5), ==, 1);
  g_assert_cmpint (count_takes (both, 60, 0.5), ==, 2);
  g_assert_cmpint (count_takes (both, 60, 0), ==, 2);
}

static void
test_cuts_need_to_be_asked_for (void)
{
  OdlTakes takes = { 0 };

  for (int i = 25; i < 35; i++) {
    g_autoptr (OdlImage) image = make_frame (both, 160, 120, i, 0.3);
    odl_takes_next (&takes, image, i > 25, false);
  }
  g_assert_cmpuint (takes.moment.take, ==, 1);
}

static OdlMoment
next (OdlTakes *takes, int width, OdlSampleType type, const char *mark, bool continues)
{
  const OdlImageInfo info
      = { .extent = { width, 8 }, .channels = 1, .type = type, .mark = mark };
  void *samples;
  g_autoptr (OdlImage) image = odl_image_alloc (&info, &samples, NULL);

  return odl_takes_next (takes, image, continues, true);
}

static void
test_what_begins_a_take (void)
{
  OdlTakes takes = { 0 };

  // The first frame, whatever is claimed; 0 would be a picture by itself.
  g_assert_cmpuint (next (&takes, 8, ODL_SAMPLE_U8, NULL, true).take, ==, 1);
  g_assert_cmpuint (next (&takes, 8, ODL_SAMPLE_U8, NULL, true).take, ==, 1);
  g_assert_cmpuint (next (&takes, 8, ODL_SAMPLE_U8, NULL, false).take, ==, 2);
  g_assert_cmpuint (next (&takes, 9, ODL_SAMPLE_U8, NULL, true).take, ==, 3);
  g_assert_cmpuint (next (&takes, 9, ODL_SAMPLE_U16, NULL, true).take, ==, 4);
  // A damaged frame stands alone.
  g_assert_cmpuint (next (&takes, 9, ODL_SAMPLE_U16, "damaged", true).take, ==, 5);
  g_assert_cmpuint (next (&takes, 9, ODL_SAMPLE_U16, NULL, true).take, ==, 6);
  g_assert_cmpuint (next (&takes, 9, ODL_SAMPLE_U16, NULL, true).take, ==, 6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/takes/noise-and-motion-are-no-cut", test_noise_is_no_cut);
  g_test_add_func ("/takes/another-scene-is-a-cut", test_another_scene_is_a_cut);
  g_test_add_func ("/takes/cuts-need-to-be-asked-for", test_cuts_need_to_be_asked_for);
  g_test_add_func ("/takes/what-begins-a-take", test_what_begins_a_take);
  return g_test_run ();
}
