// SPDX-License-Identifier: MIT
// Names of numbered files: what is a pattern, and that all else of a name stays as it is.
#include "output/sequence.h"

static void
what_is_a_pattern (void)
{
  static const struct {
    const char *path;
    const char *third; // name of number 3; NULL: no pattern
  } names[] = {
    { "frame-%d.png", "frame-3.png" },
    { "frame-%05d.png", "frame-00003.png" },
    { "/a/%9d/%02d", "/a/%9d/03" },
    { "/takes %d/100%s %n%%d.png", "/takes %d/100%s %n%3.png" },
    { "%01d", "3" },
    { "%d/frame.png", NULL },
    { "frame.png", NULL },
    { "frame-%d-%03d.png", NULL },
    { "frame-%.png", NULL },
    { "frame-%5d.png", NULL },
    { "frame-%00d.png", NULL },
    { "frame-%012d.png", NULL },
    { "frame-%0", NULL },
    { "%", NULL },
    { "", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_test_message ("%s", names[i].path);
    g_assert_cmpint (odl_sequence_is_pattern (names[i].path), ==, names[i].third != NULL);
    if (names[i].third == NULL)
      continue;
    g_autofree char *third = odl_sequence_name (names[i].path, 3);
    g_assert_cmpstr (third, ==, names[i].third);
  }
}

static void
numbers_grow_past_their_places (void)
{
  g_autofree char *name = odl_sequence_name ("%03d.png", 12345);
  g_autofree char *largest = odl_sequence_name ("%d", G_MAXINT64);

  g_assert_cmpstr (name, ==, "12345.png");
  g_assert_cmpstr (largest, ==, "9223372036854775807");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sequence/what-is-a-pattern", what_is_a_pattern);
  g_test_add_func ("/sequence/numbers-grow-past-their-places",
                   numbers_grow_past_their_places);
  return g_test_run ();
}
