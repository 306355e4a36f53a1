// SPDX-License-Identifier: MIT
#include "base/text.h"

static void
only_a_full_stop_is_cut (void)
{
  static const char *const pairs[][2] = {
    { "This file contains no playable streams.",
      "This file contains no playable streams" },
    { "It ended.\n", "It ended" },
    { "and so on...", "and so on..." },
    { "and so on…", "and so on…" },
    { "no stop", "no stop" },
    { ".", "" },
    { "", "" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (pairs); i++) {
    g_autofree char *text = g_strdup (pairs[i][0]);
    g_assert_cmpstr (odl_text_cut_stop (text), ==, pairs[i][1]);
  }
}

static void
endings_are_cut (void)
{
  static const char *const pairs[][2] = {
    { "head.nii.gz", "head" }, { "HEAD.IMG.GZ", "HEAD" }, { "a.b.png", "a.b" },
    { "head.gz", "head" },     { ".gz", ".gz" },          { "none", "none" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (pairs); i++) {
    g_autofree char *name = g_strdup (pairs[i][0]);
    g_assert_cmpstr (odl_text_cut_ending (name), ==, pairs[i][1]);
  }
}

static void
names_within_files_are_found (void)
{
  static const struct {
    const char *location;
    size_t before;
  } rows[] = { { "a.h5:/g/name", 4 },     { "/d/a.h5:/n:/m", 7 }, { "a.h5", 0 },
               { "http://host/a.h5", 0 }, { ":/name", 0 },        { "a.h5:name", 0 } };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpuint (odl_text_before_inner (rows[i].location), ==, rows[i].before);
}

static void
minus_signs_are_typeset (void)
{
  static const struct {
    const char *text, *wanted;
  } rows[] = { { "-793 HU", "−793 HU" },
               { "3, -0.5 → -.25", "3, −0.5 → −.25" },
               { "-inf", "−inf" },
               { "1e-05", "1e-05" },
               { "2024-01-31", "2024-01-31" },
               { "T1-weighted - a", "T1-weighted - a" },
               { "", "" } };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *got = odl_text_with_minus (g_strdup (rows[i].text));
    g_assert_cmpstr (got, ==, rows[i].wanted);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/only-a-full-stop-is-cut", only_a_full_stop_is_cut);
  g_test_add_func ("/text/endings-are-cut", endings_are_cut);
  g_test_add_func ("/text/names-within-files-are-found", names_within_files_are_found);
  g_test_add_func ("/text/minus-signs-are-typeset", minus_signs_are_typeset);
  return g_test_run ();
}
