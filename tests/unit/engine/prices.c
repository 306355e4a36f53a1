// SPDX-License-Identifier: MIT
// What is kept of prices, whatever the file holds, and what they decide.
#include "engine/prices.h"

#include <math.h>

#include "config.h"
#include "base/cache_file.h"
#include "../../helpers/folder.h"

static char *all; // folders of the tests

static void
devices_are_the_same_for_both_apis (void)
{
  static const char *const cases[][2] = {
    { "llvmpipe (LLVM 15.0.6, 256 bits); 4.5 (Core Profile) Mesa 22.3.6",
      "llvmpipe (LLVM 15.0.6, 256 bits); Mesa 22.3.6" },
    { "llvmpipe (LLVM 15.0.6, 256 bits); OpenGL ES 3.2 Mesa 22.3.6",
      "llvmpipe (LLVM 15.0.6, 256 bits); Mesa 22.3.6" },
    { "NVIDIA H200; 4.6.0 NVIDIA 550.54.14", "NVIDIA H200; NVIDIA 550.54.14" },
    { "NVIDIA H200; OpenGL ES 3.2 NVIDIA 550.54.14", "NVIDIA H200; NVIDIA 550.54.14" },
    { "odd", "odd;" },
    { "odd; 4.6", "odd;" },
    { "", ";" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *device = odl_prices_device (cases[i][0]);
    g_assert_cmpstr (device, ==, cases[i][1]);
  }
}

static void
what_was_measured_comes_back (void)
{
  g_autofree char *folder = odl_test_folder_in (all);
  g_autofree char *path = g_build_filename (folder, "sub", "prices.ini", NULL);
  const OdlPrices one = { 0.25, 3, true }, two = { 1.5, 0.5, true };
  OdlPrices got;

  g_assert_false (odl_prices_load (path, "one", &got));
  g_assert_true (got.pictures == 1 && got.volumes == 1 && !got.is_measured);
  g_assert_true (odl_prices_save (path, "one", &one, NULL));
  g_assert_true (odl_prices_save (path, "two", &two, NULL));
  g_assert_true (odl_prices_load (path, "one", &got));
  g_assert_true (got.pictures == 0.25 && got.volumes == 3 && got.is_measured);
  g_assert_true (odl_prices_load (path, "two", &got));
  g_assert_true (got.pictures == 1.5 && got.volumes == 0.5);
  g_assert_false (odl_prices_load (path, "three", &got));
}

// What ends the program counts, what was stopped does not.
static void
attempts_are_counted (void)
{
  g_autofree char *folder = odl_test_folder_in (all);
  g_autofree char *path = g_build_filename (folder, "prices.ini", NULL);
  const OdlPrices one = { 0.25, 3, true };
  OdlPrices got;

  for (int i = 0; i < 5; i++) {
    g_assert_true (odl_prices_begin (path, "one", 2, NULL));
    g_assert_true (odl_prices_withdraw (path, "one", NULL));
  }
  g_assert_true (odl_prices_begin (path, "one", 2, NULL));
  g_assert_true (odl_prices_begin (path, "one", 2, NULL));
  g_autoptr (GError) error = NULL;
  g_assert_false (odl_prices_begin (path, "one", 2, &error));
  g_assert_no_error (error);
  g_assert_true (odl_prices_begin (path, "two", 2, NULL));
  g_assert_true (odl_prices_save (path, "one", &one, NULL));
  g_assert_true (odl_prices_load (path, "one", &got));
}

static void
bad_files_are_as_shipped (void)
{
  static const char *const values[]
      = { "0", "-1", "nan", "inf", "1e300", "8.5", "0.1", "", "text", "1;2", "0x" };
  g_autofree char *folder = odl_test_folder_in (all);
  g_autofree char *path = g_build_filename (folder, "prices.ini", NULL);
  g_autofree char *key = g_strdup_printf ("card; %s", ODL_VERSION);
  g_autofree char *group = odl_cache_file_group (key);
  OdlPrices got;

  for (size_t i = 0; i < G_N_ELEMENTS (values); i++)
    for (int second = 0; second < 2; second++) {
      g_autofree char *text
          = g_strdup_printf ("[%s]\nkey=%s\npictures=%s\nvolumes=%s\n", group, key,
                             second ? "2" : values[i], second ? values[i] : "2");
      g_assert_true (g_file_set_contents (path, text, -1, NULL));
      g_assert_false (odl_prices_load (path, "card", &got));
      g_assert_true (got.pictures == 1 && got.volumes == 1 && !got.is_measured);
    }
  // A good one is believed, but not that of another card or version.
  g_autofree char *good
      = g_strdup_printf ("[%s]\nkey=%s\npictures=2\nvolumes=2\n", group, key);
  g_assert_true (g_file_set_contents (path, good, -1, NULL));
  g_assert_true (odl_prices_load (path, "card", &got));
  g_autofree char *foreign
      = g_strdup_printf ("[%s]\nkey=card; 0\npictures=2\nvolumes=2\n", group);
  g_assert_true (g_file_set_contents (path, foreign, -1, NULL));
  g_assert_false (odl_prices_load (path, "card", &got));
  g_assert_true (g_file_set_contents (path, "\x00\xff[", 3, NULL));
  g_assert_false (odl_prices_load (path, "card", &got));
  // A folder cannot be read as a file, nor written.
  g_assert_false (odl_prices_load (folder, "card", &got));
  g_autoptr (GError) error = NULL;
  g_assert_false (odl_prices_save (folder, "card", &got, &error));
  g_assert_nonnull (error);
}

static void
dearer_transforms_are_taken_later (void)
{
  const OdlPrices prices = { 0.5, 2, true };

  g_assert_true (odl_prices_favour_fourier (&prices, 0.6, false));
  g_assert_false (odl_prices_favour_fourier (&prices, 0.4, false));
  g_assert_true (odl_prices_favour_fourier (&prices, 2.1, true));
  g_assert_false (odl_prices_favour_fourier (&prices, 1.9, true));
  // Not counted.
  g_assert_false (odl_prices_favour_fourier (&prices, 0, false));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  all = g_dir_make_tmp ("odl-prices-XXXXXX", NULL);
  g_test_add_func ("/prices/devices", devices_are_the_same_for_both_apis);
  g_test_add_func ("/prices/kept", what_was_measured_comes_back);
  g_test_add_func ("/prices/attempts", attempts_are_counted);
  g_test_add_func ("/prices/bad-files", bad_files_are_as_shipped);
  g_test_add_func ("/prices/decision", dearer_transforms_are_taken_later);
  return odl_test_run_in (all);
}
