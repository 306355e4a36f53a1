// SPDX-License-Identifier: MIT
// Words beside what they are about.
#include <glib.h>
#include <math.h>
#include <stdbool.h>

#include "widgets/viewport/placing.h"

static const OdlPlacingRoom room = { 400, 300, 8, 6 };

static OdlReach
reach_around (double x, double y, double side)
{
  OdlReach reach = ODL_REACH_NONE;
  odl_reach_extend (&reach, (OdlPoint){ x, y + side / 2 });
  odl_reach_extend (&reach, (OdlPoint){ x + side, y + side / 2 });
  odl_reach_extend (&reach, (OdlPoint){ x + side / 2, y });
  odl_reach_extend (&reach, (OdlPoint){ x + side / 2, y + side });
  return reach;
}

static bool
overlap (const OdlPlacingBox *a, const OdlPlacingBox *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height
         && b->y < a->y + a->height;
}

// Alone they are to the right of it; at an edge to the left; in a wide one below.
static void
test_sides (void)
{
  static const struct {
    double x, y, side, at_x, at_y;
  } cases[] = { { 50, 100, 40, 96, 110 },
                { 350, 100, 40, 264, 110 },
                { 20, 10, 250, 276, 125 } };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (OdlPlacingBox));
    const OdlReach reach = reach_around (cases[i].x, cases[i].y, cases[i].side);
    const OdlPoint at = odl_placing_of_words (&room, &reach, 80, 20, taken);
    g_assert_cmpfloat (at.x, ==, cases[i].at_x);
    g_assert_cmpfloat (at.y, ==, cases[i].at_y);
    g_assert_cmpint (taken->len, ==, 1);
  }
}

// Whatever lies beside each other: no words over others, none over a region.
static void
test_apart (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());
  for (int round = 0; round < 200; round++) {
    g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (OdlPlacingBox));
    OdlReach reaches[3];
    for (int i = 0; i < 3; i++) {
      const OdlPlacingBox box = { g_rand_double_range (random, 20, 340),
                                  g_rand_double_range (random, 20, 240), 40, 40 };
      reaches[i] = reach_around (box.x, box.y, 40);
      g_array_append_val (taken, box);
    }
    for (int i = 0; i < 3; i++)
      odl_placing_of_words (&room, &reaches[i], 90, 40, taken);
    for (int w = 3; w < 6; w++)
      for (int i = 0; i < w; i++)
        g_assert_false (overlap (&g_array_index (taken, OdlPlacingBox, w),
                                 &g_array_index (taken, OdlPlacingBox, i)));
  }
}

// Where there is no room at all they are in the canvas nevertheless, if they fit.
static void
test_full (void)
{
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (OdlPlacingBox));
  const OdlPlacingBox all = { 0, 0, 400, 300 };
  const OdlReach reach = reach_around (100, 100, 40);
  g_array_append_val (taken, all);
  const OdlPoint at = odl_placing_of_words (&room, &reach, 80, 20, taken);
  g_assert_cmpfloat (at.x, ==, 146);
  g_assert_cmpfloat (at.y, ==, 110);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placing/words-are-beside-where-there-is-room", test_sides);
  g_test_add_func ("/placing/words-are-over-no-others-and-no-region", test_apart);
  g_test_add_func ("/placing/without-room-they-are-in-the-canvas", test_full);
  return g_test_run ();
}
