// SPDX-License-Identifier: MIT
// Beam data: places and back, the phantom's specifications, frames that are the same for
// any number of threads. What it shows is measured in tests/golden/beams.py.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "image/beam_picture.h"
#include "source/phantom/beams.h"
#include "source/source.h"

static const OdlBeams arrays[] = {
  { ODL_BEAMS_CURVILINEAR, 60, -0.5, 0.008, 0, 1, 0.04 },
  { ODL_BEAMS_CURVILINEAR, 0, -0.8, 0.0125, 0, 0, 0.1 }, // all beams begin in one point
  { ODL_BEAMS_CURVILINEAR, 9, -2.9, 0.05, 0, 2, 0.1 }, // nearly all around
  { ODL_BEAMS_LINEAR, 0, -19, 0.3, 0, 1, 0.04 },
  { ODL_BEAMS_LINEAR, 0, -19, 0.3, -0.3, 1, 0.04 },
};

enum { COLUMNS = 117, ROWS = 90 };

static void
places_are_found_again (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (arrays); i++) {
    const OdlBeams *beams = &arrays[i];
    const OdlBeamsBox box = odl_beams_box (beams, COLUMNS, ROWS);
    double least[2] = { INFINITY, INFINITY }, most[2] = { -INFINITY, -INFINITY };
    g_assert_true (odl_beams_are_sound (beams, COLUMNS, ROWS));
    for (double row = 0; row <= ROWS - 1; row += 0.5)
      for (double column = 0; column <= COLUMNS - 1; column += 0.25) {
        const OdlBeamsPoint at = odl_beams_place (beams, column, row);
        const OdlBeamsPoint found = odl_beams_find (beams, at.x, at.y);
        least[0] = fmin (least[0], at.x);
        least[1] = fmin (least[1], at.y);
        most[0] = fmax (most[0], at.x);
        most[1] = fmax (most[1], at.y);
        if (beams->radius_mm + beams->start_mm + row == 0)
          continue; // the point itself has no direction
        g_assert_cmpfloat (fabs (found.x - column), <, 1e-9);
        g_assert_cmpfloat (fabs (found.y - row), <, 1e-9);
      }
    // Of arcs the farthest place lies between two of these.
    g_assert_cmpfloat (fabs (box.left - least[0]), <, 2e-3);
    g_assert_cmpfloat (fabs (box.top - least[1]), <, 2e-3);
    g_assert_cmpfloat (fabs (box.right - most[0]), <, 2e-3);
    g_assert_cmpfloat (fabs (box.bottom - most[1]), <, 2e-3);
    g_assert_cmpfloat (box.left, <=, least[0]);
    g_assert_cmpfloat (box.bottom, >=, most[1]);
  }
}

static void
nonsense_is_not_sound (void)
{
  const OdlBeams good = arrays[0];
  OdlBeams bad[12];

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    bad[i] = good;
  bad[0].array = ODL_BEAMS_NONE;
  bad[1].array = 3;
  bad[2].radius_mm = -1;
  bad[3].radius_mm = NAN;
  bad[4].first = -4;
  bad[5].step = 0;
  bad[6].step = INFINITY;
  bad[7].steering = 0.1; // of a curvilinear array
  bad[8].start_mm = -1;
  bad[9].sample_mm = 0;
  bad[10].sample_mm = 1e9;
  bad[11].first = 3; // the last one lies behind itself
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (odl_beams_are_sound (&bad[i], COLUMNS, ROWS));
  g_assert_false (odl_beams_are_sound (&good, 1, ROWS));
  g_assert_false (odl_beams_are_sound (&good, COLUMNS, 1));
}

static void
keys_come_back (void)
{
  OdlBeams beams = arrays[1];

  for (size_t i = 0; i < G_N_ELEMENTS (arrays); i++)
    for (int content = 0; content < ODL_N_BEAM_CONTENTS; content++) {
      OdlBeams wanted = arrays[i], got = arrays[0];
      wanted.content = content;
      wanted.first += 1.0 / 3;
      g_autofree char *key = odl_beams_to_key (&wanted);
      g_test_message ("%s", key);
      g_assert_true (odl_beams_from_key (key, &got));
      g_assert_cmpmem (&got, sizeof got, &wanted, sizeof wanted);
    }
  static const char *const bad[] = { "",
                                     " ",
                                     "sector",
                                     "linear x",
                                     "linear first",
                                     "linear first=",
                                     "linear first=1x",
                                     "linear first=inf",
                                     "linear data=",
                                     "linear data=x",
                                     "linear data=rf=",
                                     "Linear" };
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_test_message ("“%s”", bad[i]);
    g_assert_false (odl_beams_from_key (bad[i], &beams));
    g_assert_cmpmem (&beams, sizeof beams, &arrays[1], sizeof beams);
  }
  g_assert_true (odl_beams_from_key ("linear  step=2\tdata=iq", &beams));
  g_assert_cmpfloat (beams.step, ==, 2);
  g_assert_cmpint (beams.content, ==, ODL_BEAMS_COMPLEX);
}

// By the inverse of where samples lie.
static void
pictures_end_with_the_beams (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (arrays); i++) {
    const OdlBeamPicture picture
        = odl_beam_picture_of (&arrays[i], COLUMNS, ROWS, 301, 0);
    OdlOverlay *outside = odl_beam_picture_outside (&picture);
    int beyond = 0;
    for (int y = 0; y < picture.height; y++)
      for (int x = 0; x < picture.width; x++) {
        const OdlBeamsPoint at
            = odl_beams_find (&picture.beams, picture.left + picture.pixel_mm * x,
                              picture.top + picture.pixel_mm * y);
        const double column = fmax (-at.x, at.x - (COLUMNS - 1));
        const double row = fmax (-at.y, at.y - (ROWS - 1)), off = fmax (column, row);
        beyond += off > 0.011;
        if (fabs (off - ODL_BEAM_PICTURE_EDGE) > 1e-6)
          g_assert_cmpint (odl_overlay_has (outside, x, y), ==,
                           off > ODL_BEAM_PICTURE_EDGE);
      }
    g_assert_true ((beyond > 0)
                   == (arrays[i].array != ODL_BEAMS_LINEAR || arrays[i].steering != 0));
    odl_overlay_unref (outside);
  }
}

static void
reads_every_specification (void)
{
  static const struct {
    const char *text;
    OdlBeamPhantomParams wanted;
  } cases[] = {
    { "phantom:beams", { 128, 2048, ODL_BEAMS_CURVILINEAR, 0, 1, 25, 0.3, false } },
    { "phantom:beams:2x8192", { 2, 8192, ODL_BEAMS_CURVILINEAR, 0, 1, 25, 0.3, false } },
    { "phantom:beams:512x64,array=linear,steering=-20,seed=4294967295,rate=1000,"
      "attenuation=2,clean",
      { 512, 64, ODL_BEAMS_LINEAR, -20, 4294967295u, 1000, 2, true } },
    { "phantom:beams,iq",
      { 128, 2048, ODL_BEAMS_CURVILINEAR, 0, 1, 25, 0.3, false, true } },
    { "phantom:beams,array=linear,steering=-10/0/10",
      { 128, 2048, ODL_BEAMS_LINEAR, -10, 1, 25, 0.3, false, false, 2, { 0, 10 } } },
    { "phantom:beams,steering=0,array=curvilinear,attenuation=0",
      { 128, 2048, ODL_BEAMS_CURVILINEAR, 0, 1, 25, 0, false } },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const OdlBeamPhantomParams *wanted = &cases[i].wanted;
    OdlBeamPhantomParams params;
    g_autoptr (GError) error = NULL;
    g_assert_true (odl_beam_phantom_parse (cases[i].text, &params, &error));
    g_assert_no_error (error);
    g_assert_cmpint (params.beams, ==, wanted->beams);
    g_assert_cmpint (params.samples, ==, wanted->samples);
    g_assert_cmpint (params.array, ==, wanted->array);
    g_assert_cmpfloat (params.steering_degrees, ==, wanted->steering_degrees);
    g_assert_cmpuint (params.seed, ==, wanted->seed);
    g_assert_cmpfloat (params.frame_rate, ==, wanted->frame_rate);
    g_assert_cmpfloat (params.attenuation, ==, wanted->attenuation);
    g_assert_cmpint (params.clean, ==, wanted->clean);
    g_assert_cmpint (params.iq, ==, wanted->iq);
    g_assert_cmpint (params.n_more, ==, wanted->n_more);
    for (int turn = 0; turn <= params.n_more; turn++) {
      const OdlBeamPhantomParams steered
          = odl_beam_phantom_steered (&params, turn + 5 * (1 + params.n_more));
      const OdlBeams beams = odl_beam_phantom_beams (&steered);
      const int columns = params.beams * (params.iq ? 2 : 1);
      g_assert_cmpfloat (steered.steering_degrees, ==,
                         turn == 0 ? wanted->steering_degrees
                                   : wanted->more_degrees[turn - 1]);
      g_assert_true (odl_beams_are_sound (&beams, columns, params.samples));
      g_assert_cmpint (odl_beams_count (&beams, columns), ==, params.beams);
    }
  }
}

static void
refuses_invalid_specifications (void)
{
  static const char *const texts[] = {
    "phantom",
    "phantom:beam",
    "phantom:beams:",
    "phantom:beams:1x100",
    "phantom:beams:513x100",
    "phantom:beams:128x63",
    "phantom:beams:128x8193",
    "phantom:beams:128",
    "phantom:beams,",
    "phantom:beams,array=phased",
    "phantom:beams,array=linear,steering=21",
    "phantom:beams,steering=5",
    "phantom:beams,steering=0/0",
    "phantom:beams,array=linear,steering=",
    "phantom:beams,array=linear,steering=5/",
    "phantom:beams,array=linear,steering=5/nan",
    "phantom:beams,array=linear,steering=1/2/3/4/5/6/7/8",
    "phantom:beams,IQ",
    "phantom:beams,rate=0",
    "phantom:beams,rate=nan",
    "phantom:beams,attenuation=-1",
    "phantom:beams,attenuation=2.1",
    "phantom:beams,seed=-1",
    "phantom:beams,dirty",
    "phantom:beams,128x256",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    OdlBeamPhantomParams params = { .beams = 7 };
    g_autoptr (GError) error = NULL;
    g_test_message ("“%s”", texts[i]);
    g_assert_false (odl_beam_phantom_parse (texts[i], &params, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
    g_assert_nonnull (strstr (error->message, texts[i]));
    g_assert_cmpint (params.beams, ==, 7);
  }
}

static OdlImage *
read_frame (const char *text, int64_t index)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (text, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (source->klass->name, ==, "beams");
  OdlImage *image = odl_source_read_frame (source, index, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (odl_image_info (image)->type, ==, ODL_SAMPLE_S16);
  g_assert_cmpint (odl_image_info (image)->beams.array, !=, ODL_BEAMS_NONE);
  return image;
}

static bool
are_equal (const OdlImage *a, const OdlImage *b)
{
  const OdlImageInfo *one = odl_image_info (a), *other = odl_image_info (b);
  const size_t n = (size_t) one->extent.x * (size_t) one->extent.y;

  return memcmp (one->planes[0].data, other->planes[0].data, n * sizeof (int16_t)) == 0;
}

static void
is_the_same_for_any_number_of_threads (void)
{
  static const char text[] = "phantom:beams:40x500,seed=5";
  const int threads = odl_parallel_threads ();
  g_autoptr (OdlImage) a = read_frame (text, 7);
  odl_parallel_set_threads (threads == 1 ? 3 : 1);
  g_autoptr (OdlImage) b = read_frame (text, 7);
  odl_parallel_set_threads (threads);
  g_autoptr (OdlImage) other_seed = read_frame ("phantom:beams:40x500,seed=6", 7);
  g_autoptr (OdlImage) other_frame = read_frame (text, 8);

  g_assert_true (are_equal (a, b));
  g_assert_false (are_equal (a, other_seed));
  g_assert_false (are_equal (a, other_frame));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beams/places-are-found-again", places_are_found_again);
  g_test_add_func ("/beams/nonsense-is-not-sound", nonsense_is_not_sound);
  g_test_add_func ("/beams/keys-come-back", keys_come_back);
  g_test_add_func ("/beams/pictures-end-with-the-beams", pictures_end_with_the_beams);
  g_test_add_func ("/beams/reads-every-specification", reads_every_specification);
  g_test_add_func ("/beams/refuses-invalid-specifications",
                   refuses_invalid_specifications);
  g_test_add_func ("/beams/is-the-same-for-any-number-of-threads",
                   is_the_same_for_any_number_of_threads);
  return g_test_run ();
}
