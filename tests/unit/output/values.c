// SPDX-License-Identifier: MIT
// The numbers of rows as a file gets them: several at once are those of each by itself,
// wherever rows and samples lie in memory.
#include <string.h>

#include "output/values.h"

enum { WIDTH = 5, HEIGHT = 7, TOP = 100 };

// An image of 16-bit samples that are their place in `room`, rows and samples so far
// apart.
static OdlImage *
image_of (gint16 *room, int channels, gssize sample, gssize row)
{
  OdlImageInfo info = { .extent = { WIDTH, HEIGHT, 1, 1 },
                        .channels = channels,
                        .type = ODL_SAMPLE_S16,
                        .stored_max = 1000,
                        .value_map = { .slope = 1 } };

  for (int c = 0; c < channels; c++)
    info.planes[c]
        = (OdlPlane){ room + c, (gsize) sample * sizeof *room, (gsize) row * sizeof *room,
                      (gsize) row * HEIGHT * sizeof *room, 0 };
  OdlImage *image = odl_image_wrap (&info, NULL, NULL, NULL);
  g_assert_nonnull (image);
  return image;
}

static void
rows_at_once_are_those_of_each (void)
{
  static const struct {
    int channels;
    gssize sample, row;
  } layouts[] = { { 1, 1, WIDTH },     { 1, 1, WIDTH + 3 },     { 1, 2, 2 * WIDTH },
                  { 3, 3, 3 * WIDTH }, { 3, 3, 3 * WIDTH + 1 }, { 3, 4, 4 * WIDTH } };
  const OdlNumberRoom everything = { ODL_HOLDS_WHOLE | ODL_HOLDS_FLOATS, true };
  gint16 room[4 * (WIDTH + 3) * HEIGHT];

  for (gsize i = 0; i < G_N_ELEMENTS (room); i++)
    room[i] = (gint16) i;
  for (gsize i = 0; i < G_N_ELEMENTS (layouts); i++) {
    const int channels = layouts[i].channels;
    OdlImage *image = image_of (room, channels, layouts[i].sample, layouts[i].row);
    OdlRows rows = odl_rows_of_image (image);
    rows.top = rows.first = TOP;
    rows.end = rows.height = TOP + HEIGHT;
    const OdlValues values = { .source = image, .rows = &rows, .untouched = true };
    const OdlNumberForm form = odl_values_form (&values, &everything, ODL_SURE_OF_THIS);
    double line[WIDTH];
    gint16 all[3 * WIDTH * HEIGHT];
    g_assert_cmpint (form.type, ==, ODL_NUMBER_S16);
    for (int n = 1; n <= HEIGHT - 2; n++) {
      g_test_message ("layout %zu, %d rows", i, n);
      memset (all, 0xff, sizeof all);
      g_assert_true (odl_values_numbers (&values, &form, TOP + 2, n, line, all));
      for (int at = 0; at < n * WIDTH * channels; at++) {
        const int x = at / channels % WIDTH, y = 2 + at / channels / WIDTH;
        g_assert_cmpint (all[at], ==,
                         y * layouts[i].row + x * layouts[i].sample + at % channels);
      }
      g_assert_cmpint (all[n * WIDTH * channels], ==, -1);
    }
    odl_image_unref (image);
  }
}

static void
filtered_rows_at_once_are_those_of_each (void)
{
  gint16 room[3 * WIDTH * HEIGHT];

  for (gsize i = 0; i < G_N_ELEMENTS (room); i++)
    room[i] = (gint16) i;
  OdlImage *image = image_of (room, 3, 3, 3 * WIDTH);
  OdlRows rows = odl_rows_of_image (image);
  const OdlValues values = { .source = image, .rows = &rows };
  const OdlNumberForm form = { ODL_NUMBER_F32, .slope = 1 };
  double line[WIDTH];
  float all[3 * WIDTH * HEIGHT], one[3 * WIDTH];

  g_assert_true (odl_values_numbers (&values, &form, 0, HEIGHT, line, all));
  for (int y = 0; y < HEIGHT; y++) {
    odl_values_row (&values, y, (float *) (void *) line, one);
    g_assert_cmpmem (all + y * 3 * WIDTH, sizeof one, one, sizeof one);
  }
  odl_image_unref (image);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/values/rows-at-once-are-those-of-each",
                   rows_at_once_are_those_of_each);
  g_test_add_func ("/values/filtered-rows-at-once-are-those-of-each",
                   filtered_rows_at_once_are_those_of_each);
  return g_test_run ();
}
