// SPDX-License-Identifier: MIT
// Contours: the mask that they give, and where active ones come to rest.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "image/contour/snakes.h"

// A picture of steep edges, and of what contours start from, by functions of a place.
typedef struct {
  double (*edge) (double x, double y);
  bool (*inside) (double x, double y);
  int width, height;
} Scene;

static void
read_row (const void *data, int y, float *edges, uint8_t *inside)
{
  const Scene *scene = data;
  for (int x = 0; x < scene->width; x++) {
    edges[x] = scene->edge != NULL ? (float) scene->edge (x + 0.5, y + 0.5) : 0;
    inside[x] = scene->inside == NULL || scene->inside (x + 0.5, y + 0.5);
  }
}

static float
read_edge (const void *data, int x, int y)
{
  const Scene *scene = data;
  return scene->edge != NULL ? (float) scene->edge (x + 0.5, y + 0.5) : 0;
}

static float *
find_with (const Scene *scene, double smallest, double tension)
{
  const OdlSnakes snakes = { .width = scene->width,
                             .height = scene->height,
                             .row = read_row,
                             .edge = read_edge,
                             .data = scene,
                             .tension = tension,
                             .rigidity = 0.05,
                             .diffusion = 0.2,
                             .smallest = smallest };
  float *numbers = g_new (float, odl_contour_numbers (scene->height));
  odl_snakes_find (&snakes, numbers);
  return numbers;
}

static float *
find (const Scene *scene, double smallest)
{
  return find_with (scene, smallest, 0.02);
}

// Twice what two areas share over their sum.
static double
dice (const float *numbers, const Scene *scene, bool (*truth) (double x, double y))
{
  g_autofree uint8_t *row = g_new (uint8_t, scene->width);
  double both = 0, sum = 0;
  for (int y = 0; y < scene->height; y++) {
    odl_contour_mask_row (numbers, scene->width, y, row);
    for (int x = 0; x < scene->width; x++) {
      const bool own = truth (x + 0.5, y + 0.5);
      g_assert_cmpint (row[x], <=, 1);
      both += own && row[x];
      sum += own + row[x];
    }
  }
  return 2 * both / sum;
}

static bool
in_disc (double x, double y, double cx, double cy, double radius)
{
  return hypot (x - cx, y - cy) < radius;
}

static double
ring (double x, double y, double cx, double cy, double radius)
{
  const double d = hypot (x - cx, y - cy) - radius;
  return exp (-d * d / 4);
}

static bool
disc (double x, double y)
{
  return in_disc (x, y, 150, 130, 80);
}

static double
disc_edge (double x, double y)
{
  return 7 * ring (x, y, 150, 130, 80);
}

static bool
larger_disc (double x, double y)
{
  return in_disc (x, y, 153, 128, 86);
}

static bool
smaller_disc (double x, double y)
{
  return in_disc (x, y, 147, 131, 74);
}

static void
contours_go_to_edges_from_either_side (void)
{
  const Scene scenes[]
      = { { disc_edge, larger_disc, 300, 260 }, { disc_edge, smaller_disc, 300, 260 } };
  for (size_t i = 0; i < G_N_ELEMENTS (scenes); i++) {
    g_autofree float *numbers = find (&scenes[i], 0.001);
    g_assert_cmpint (odl_contour_count (numbers), ==, 1);
    const double wanted = G_PI * 80 * 80;
    g_assert_cmpfloat (fabs (odl_contour_area (numbers, 0) / wanted - 1), <, 0.01);
    g_assert_cmpfloat (dice (numbers, &scenes[i], disc), >, 0.99);
    g_assert_cmpfloat (
        fabs ((double) numbers[ODL_CONTOUR_SHARE] * 300 * 260 / wanted - 1), <, 0.01);
    for (int k = 0; k < odl_contour_end (numbers, 0); k++) {
      const float *p = numbers + ODL_CONTOUR_POINTS + 2 * k;
      g_assert_cmpfloat (fabs (hypot ((double) p[0] - 150, (double) p[1] - 130) - 80), <,
                         1);
    }
  }
}

static bool
parts (double x, double y)
{
  return (in_disc (x, y, 300, 300, 200) && !in_disc (x, y, 320, 280, 90))
         || in_disc (x, y, 700, 200, 110) || in_disc (x, y, 650, 600, 60);
}

static double
parts_edge (double x, double y)
{
  return ring (x, y, 300, 300, 200) + ring (x, y, 320, 280, 90)
         + ring (x, y, 700, 200, 110) + ring (x, y, 650, 600, 60);
}

// At a reduced size: 900 samples are 450 cells, and pixels are what comes out.
static void
several_move_at_once_and_holes_are_contours (void)
{
  const Scene scene = { parts_edge, parts, 900, 800 };
  g_autofree float *numbers = find (&scene, 0.001);

  g_assert_cmpint (odl_contour_count (numbers), ==, 4);
  g_assert_cmpint ((int) numbers[ODL_CONTOUR_STARTED], ==, 4);
  g_assert_cmpfloat (dice (numbers, &scene, parts), >, 0.985);
  g_assert_cmpfloat (odl_contour_area (numbers, 0), >, G_PI * 195 * 195);
  g_assert_cmpfloat (odl_contour_area (numbers, 1), >, G_PI * 105 * 105);
  g_assert_cmpfloat (odl_contour_area (numbers, 2), <, -G_PI * 85 * 85);
  g_assert_cmpfloat (odl_contour_area (numbers, 3), >, G_PI * 55 * 55);
  // The smallest two are too small now.
  g_autofree float *fewer = find (&scene, 0.04);
  g_assert_cmpint (odl_contour_count (fewer), ==, 2);
}

static void
without_edges_contours_shrink_to_nothing (void)
{
  static bool (*const starts[]) (double x, double y) = { NULL, disc };
  for (size_t i = 0; i < G_N_ELEMENTS (starts); i++) {
    const Scene scene = { NULL, starts[i], 60, 50 };
    g_autofree float *numbers = find (&scene, 0.2);
    const int started = (int) numbers[ODL_CONTOUR_STARTED];
    g_assert_cmpint (started, ==, i == 0 ? 1 : 0);
    for (int k = 0; k < odl_contour_count (numbers); k++)
      g_assert_cmpfloat (fabs (odl_contour_area (numbers, k)), <, 60 * 50);
  }
}

static bool
nothing (double x, double y)
{
  return false;
}

static bool
speck (double x, double y)
{
  return in_disc (x, y, 20, 20, 5);
}

static void
nothing_inside_gives_none (void)
{
  const Scene empty = { disc_edge, nothing, 300, 260 };
  g_autofree float *numbers = find (&empty, 0.001);
  g_assert_cmpint (odl_contour_count (numbers), ==, 0);
  g_assert_cmpint ((int) numbers[ODL_CONTOUR_STARTED], ==, 0);
  g_assert_cmpfloat ((double) numbers[ODL_CONTOUR_SHARE], ==, 0);
  // A speck without edges vanishes while it moves, where the line is tense.
  const Scene small = { NULL, speck, 40, 40 };
  g_autofree float *gone = find_with (&small, 0.04, 1);
  g_assert_cmpint ((int) gone[ODL_CONTOUR_STARTED], ==, 1);
  g_assert_cmpint (odl_contour_count (gone), ==, 0);
}

static double
broken_edge (double x, double y)
{
  return (int) x % 3 == 0 ? NAN : (int) y % 5 == 0 ? INFINITY : -1;
}

static void
takes_pictures_of_any_kind (void)
{
  static const int sizes[][2]
      = { { 1, 1 }, { 1, 90 }, { 90, 1 }, { 2, 2 }, { 3, 1000 }, { 4000, 2 } };
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const Scene whole = { broken_edge, NULL, sizes[i][0], sizes[i][1] };
    const int n = odl_contour_numbers (whole.height);
    g_autofree float *numbers = find (&whole, 0);
    for (int k = 0; k < n; k++)
      g_assert_true (isfinite (numbers[k]));
    g_assert_cmpint (odl_contour_count (numbers), <=, 1);
  }
}

// What ends at the border of the picture does so without an edge.
static bool
left_part (double x, double y)
{
  return x < 100;
}

static double
left_edge (double x, double y)
{
  return exp (-(x - 100) * (x - 100) / 4);
}

// A bar that leads out of the field to the left, where the field's edge has a shadow.
static float
bar_edge (const void *data, int x, int y)
{
  (void) data;
  return x < 91 && y >= 29 && y <= 50 && (x > 88 || y < 31 || y > 48) ? 1 : 0;
}

static void
bar_row (const void *data, int y, float *edges, uint8_t *inside)
{
  for (int x = 0; x < 120; x++) {
    edges[x] = bar_edge (data, x, y);
    inside[x] = x < 20                                    ? ODL_SNAKES_OUTSIDE
                : x < 28 || (x < 90 && y >= 30 && y < 50) ? ODL_SNAKES_INSIDE
                                                          : 0;
  }
}

static void
a_shadow_goes_and_what_leads_out_of_the_field_stays (void)
{
  const OdlSnakes snakes = { .width = 120,
                             .height = 90,
                             .row = bar_row,
                             .edge = bar_edge,
                             .tension = 0.02,
                             .rigidity = 0.05,
                             .diffusion = 0.2,
                             .smallest = 0.001 };
  g_autofree float *numbers = g_new (float, odl_contour_numbers (90));
  uint8_t row[120];

  odl_snakes_find (&snakes, numbers);
  g_assert_cmpint (odl_contour_count (numbers), ==, 1);
  odl_contour_mask_row (numbers, 120, 40, row);
  g_assert_true (row[40] == 1 && row[80] == 1 && row[100] == 0);
  for (int y = 0; y < 90; y += 10) {
    odl_contour_mask_row (numbers, 120, y, row);
    g_assert_true (row[5] == 0 && row[22] == 0);
  }
}

static void
pinned_points_stay_on_the_border (void)
{
  const Scene scene = { left_edge, left_part, 300, 200 };
  OdlSnakes snakes = { .width = 300,
                       .height = 200,
                       .row = read_row,
                       .edge = read_edge,
                       .data = &scene,
                       .tension = 0.02,
                       .rigidity = 0.05,
                       .diffusion = 0.2,
                       .smallest = 0.001,
                       .pinned = true };
  g_autofree float *numbers = g_new (float, odl_contour_numbers (200));

  odl_snakes_find (&snakes, numbers);
  g_assert_cmpint (odl_contour_count (numbers), ==, 1);
  const double pinned = dice (numbers, &scene, left_part);
  g_assert_cmpfloat (pinned, >, 0.9985);
  snakes.pinned = false;
  odl_snakes_find (&snakes, numbers);
  g_assert_cmpfloat (dice (numbers, &scene, left_part), <, pinned - 0.0005);
}

static bool
chequers (double x, double y)
{
  return ((int) x / 10 + (int) y / 10) % 2 == 0;
}

static void
there_are_never_too_many (void)
{
  const Scene scene = { NULL, chequers, 400, 300 };
  g_autofree float *numbers = find (&scene, 0);
  g_assert_cmpint ((int) numbers[ODL_CONTOUR_STARTED], ==, ODL_CONTOUR_MOST);
  const int count = odl_contour_count (numbers);
  if (count > 0)
    g_assert_cmpint (odl_contour_end (numbers, count - 1), <=, ODL_CONTOUR_MOST_POINTS);
}

static void
is_the_same_for_any_number_of_threads (void)
{
  const Scene scene = { parts_edge, parts, 900, 800 };
  const int threads = odl_parallel_threads ();
  const size_t bytes = (size_t) odl_contour_numbers (800) * sizeof (float);
  g_autofree float *one = find (&scene, 0.001);
  odl_parallel_set_threads (threads == 1 ? 3 : 1);
  g_autofree float *other = find (&scene, 0.001);
  odl_parallel_set_threads (threads);
  g_assert_cmpmem (one, bytes, other, bytes);
}

// Whether a place is inside of an odd number of lines, by the angles that their points
// go round it.
static bool
winds (const float *numbers, double x, double y)
{
  bool odd = false;
  for (int i = 0; i < odl_contour_count (numbers); i++) {
    const int first = odl_contour_first (numbers, i), end = odl_contour_end (numbers, i);
    double angle = 0;
    for (int k = first; k < end; k++) {
      const float *p = numbers + ODL_CONTOUR_POINTS + 2 * k;
      const float *q = numbers + ODL_CONTOUR_POINTS + 2 * (k + 1 < end ? k + 1 : first);
      const double turn = atan2 ((double) q[1] - y, (double) q[0] - x)
                          - atan2 ((double) p[1] - y, (double) p[0] - x);
      angle += remainder (turn, 2 * G_PI);
    }
    odd ^= lrint (angle / (2 * G_PI)) % 2 != 0;
  }
  return odd;
}

static void
the_mask_is_what_lines_go_round (void)
{
  static const float corners[]
      = { 3.2f,  2.1f,  40.7f, 5.9f,  44.1f, 30.3f, 20.4f, 38.8f, 7.7f,
          25.2f, 15.3f, 10.4f, 15.9f, 28.6f, 30.1f, 22.2f, 24.8f, 9.3f };
  enum { WIDTH = 50, HEIGHT = 45 };
  g_autofree float *numbers = g_new0 (float, odl_contour_numbers (HEIGHT));
  uint8_t row[WIDTH];
  int inside = 0;

  numbers[ODL_CONTOUR_COUNT] = 2;
  numbers[ODL_CONTOUR_ENDS] = 5;
  numbers[ODL_CONTOUR_ENDS + 1] = 9;
  memcpy (numbers + ODL_CONTOUR_POINTS, corners, sizeof corners);
  odl_contour_complete (numbers, WIDTH, HEIGHT);
  for (int y = 0; y < HEIGHT; y++) {
    odl_contour_mask_row (numbers, WIDTH, y, row);
    for (int x = 0; x < WIDTH; x++) {
      g_assert_cmpint (row[x], ==, winds (numbers, x + 0.5, y + 0.5));
      inside += row[x];
    }
  }
  g_assert_cmpfloat ((double) numbers[ODL_CONTOUR_SHARE], ==,
                     (double) (float) ((double) inside / (WIDTH * HEIGHT)));
  g_assert_cmpint (inside, >, 500);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/the-mask-is-what-lines-go-round",
                   the_mask_is_what_lines_go_round);
  g_test_add_func ("/contour/contours-go-to-edges-from-either-side",
                   contours_go_to_edges_from_either_side);
  g_test_add_func ("/contour/several-move-at-once-and-holes-are-contours",
                   several_move_at_once_and_holes_are_contours);
  g_test_add_func ("/contour/without-edges-contours-shrink-to-nothing",
                   without_edges_contours_shrink_to_nothing);
  g_test_add_func ("/contour/nothing-inside-gives-none", nothing_inside_gives_none);
  g_test_add_func ("/contour/takes-pictures-of-any-kind", takes_pictures_of_any_kind);
  g_test_add_func ("/contour/pinned-points-stay-on-the-border",
                   pinned_points_stay_on_the_border);
  g_test_add_func ("/contour/a-shadow-goes-and-what-leads-out-of-the-field-stays",
                   a_shadow_goes_and_what_leads_out_of_the_field_stays);
  g_test_add_func ("/contour/there-are-never-too-many", there_are_never_too_many);
  g_test_add_func ("/contour/is-the-same-for-any-number-of-threads",
                   is_the_same_for_any_number_of_threads);
  return g_test_run ();
}
