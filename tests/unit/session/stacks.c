// SPDX-License-Identifier: MIT
// A stack in the session: one of its pictures is there before the folder was read.
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "../../helpers/bar.h"
#include "../../helpers/folder.h"
#include "../source/dicom_writer.h"
#include "settle.h"

#define SIDE 8

// What is promised, with 1,000 files.
#define FIRST_US (G_USEC_PER_SEC / 2)

// What was in place each time that something was opened.
typedef struct {
  OdlSession *session;
  int n_opened, n_failed;
  char *locations[3];
  bool stacks[3];
  char *still_opening[3]; // NULL: nothing
  const char *recipe; // set when the first one is there
  int64_t first_us;
} Heard;

static void
opened_cb (OdlSession *session, Heard *heard)
{
  const OdlSourceInfo *info = odl_session_info (session);
  const int i = heard->n_opened++;
  g_assert_cmpint (i, <, 3);
  heard->locations[i] = g_strdup (info->location);
  heard->stacks[i] = info->is_stack;
  heard->still_opening[i] = g_strdup (odl_session_opening (session));
  if (i == 0)
    heard->first_us = g_get_monotonic_time ();
  if (i == 0 && heard->recipe) {
    OdlRecipe recipe;
    odl_recipe_init (&recipe);
    g_assert_true (odl_recipe_parse (&recipe, heard->recipe, NULL));
    odl_session_set_recipe (session, &recipe, NULL);
  }
}

static void
failed_cb (OdlSession *session, const char *location, const GError *error, Heard *heard)
{
  heard->n_failed++;
}

static void
listen (Heard *heard)
{
  heard->session = odl_session_new ();
  g_signal_connect (heard->session, "opened", G_CALLBACK (opened_cb), heard);
  g_signal_connect (heard->session, "open-failed", G_CALLBACK (failed_cb), heard);
  odl_session_set_canvas (heard->session, ODL_GL_NONE, 0, true);
}

static void
finish (Heard *heard)
{
  g_assert_finalize_object (heard->session);
  for (int i = 0; i < heard->n_opened; i++) {
    g_free (heard->locations[i]);
    g_free (heard->still_opening[i]);
  }
  *heard = (Heard){ 0 };
}

static void
open_whole (Heard *heard, const char *location)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  odl_session_open (heard->session, location, NULL);
  while (odl_session_opening (heard->session) && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  g_assert_null (odl_session_opening (heard->session));
}

// Slice `number` of a series; its samples are the number. Transfer full path.
static char *
write_placed (const char *folder, int number, const char *series, const char *place)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *name = g_strdup_printf ("slice%d.dcm", number);
  g_autofree char *instance = g_strdup_printf ("1.2.%d", number);
  g_autofree char *text = g_strdup_printf ("%d", number);
  odl_dicom_put_text (file, 0x00080018, "UI", instance);
  odl_dicom_put_text (file, 0x0020000d, "UI", "1.1");
  if (series)
    odl_dicom_put_text (file, 0x0020000e, "UI", series);
  odl_dicom_put_text (file, 0x00200013, "IS", text);
  if (place) {
    odl_dicom_put_text (file, 0x00200032, "DS", place);
    odl_dicom_put_text (file, 0x00200037, "DS", "1\\0\\0\\0\\1\\0");
  }
  odl_dicom_put_text (file, 0x00200062, "CS", "L");
  odl_dicom_put_bytes_of (file, SIDE, SIDE);
  odl_dicom_put_head (file, 0x7fe00010, "OB", SIDE * SIDE);
  guint8 samples[SIDE * SIDE];
  memset (samples, number, sizeof samples);
  g_byte_array_append (file, samples, sizeof samples);
  char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, (char *) file->data, file->len, NULL));
  return path;
}

static char *
write_slice (const char *folder, int number, const char *series)
{
  return write_placed (folder, number, series, NULL);
}

static char *
make_folder (void)
{
  char *folder = g_dir_make_tmp ("ondelette-stacks-XXXXXX", NULL);
  g_assert_nonnull (folder);
  return folder;
}

static void
test_picture_first (void)
{
  Heard heard = { .recipe = "gaussian" };
  g_autofree char *folder = make_folder ();
  for (int i = 1; i <= 3; i++)
    g_free (write_slice (folder, i, "1.5"));
  g_autofree char *third = g_build_filename (folder, "slice3.dcm", NULL);
  g_autofree char *location = g_strconcat ("series:", third, NULL);
  listen (&heard);
  open_whole (&heard, location);
  g_assert_cmpint (heard.n_opened, ==, 2);
  g_assert_cmpstr (heard.locations[0], ==, third);
  g_assert_false (heard.stacks[0]);
  g_assert_cmpstr (heard.still_opening[0], ==, location);
  g_assert_cmpstr (heard.locations[1], ==, location);
  g_assert_true (heard.stacks[1]);
  g_assert_null (heard.still_opening[1]);
  // The same slice is there, with the filters that were chosen in between.
  settle (heard.session);
  g_assert_cmpint (odl_session_frame (heard.session)->index, ==, 2);
  g_assert_cmpint (odl_session_recipe (heard.session)->n_items, ==, 1);

  // What is open already needs not be opened before its stack.
  finish (&heard);
  listen (&heard);
  open_whole (&heard, third);
  open_whole (&heard, location);
  g_assert_cmpint (heard.n_opened, ==, 2);
  g_assert_true (heard.stacks[1]);
  finish (&heard);
  odl_test_remove_tree (folder);
}

static void
test_folder (void)
{
  Heard heard = { 0 };
  g_autofree char *folder = make_folder ();
  g_autofree char *second = write_slice (folder, 2, "1.5");
  g_free (write_slice (folder, 10, "1.5"));
  g_autofree char *location = g_strconcat ("series:", folder, NULL);
  // The table of a disc, which is no picture, would come first.
  g_autofree char *table = g_build_filename (folder, "DICOMDIR", NULL);
  g_autofree char *bytes = NULL;
  gsize size;
  g_assert_true (g_file_get_contents (second, &bytes, &size, NULL));
  g_assert_true (g_file_set_contents (table, bytes, 200, NULL));
  listen (&heard);
  open_whole (&heard, location);
  g_assert_cmpint (heard.n_opened, ==, 2);
  g_assert_cmpstr (heard.locations[0], ==, second);
  g_assert_cmpint (odl_session_info (heard.session)->n_frames, ==, 2);
  finish (&heard);

  // Something else that is opened meanwhile is not replaced by the stack.
  listen (&heard);
  odl_session_open (heard.session, location, NULL);
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (heard.n_opened == 0 && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  open_whole (&heard, "phantom:64x64");
  g_assert_cmpstr (odl_session_info (heard.session)->location, ==, "phantom:64x64");
  g_assert_cmpint (heard.n_opened, ==, 2);
  finish (&heard);
  odl_test_remove_tree (folder);
}

// It is read slice by slice until somebody asks for the planes, at the slice in place.
static void
test_volume (void)
{
  Heard heard = { 0 };
  g_autofree char *folder = make_folder ();
  for (int i = 1; i <= 4; i++) {
    g_autofree char *place = g_strdup_printf ("0\\0\\%d", 3 * i);
    g_free (write_placed (folder, i, "1.5", place));
  }
  g_autofree char *second = g_build_filename (folder, "slice2.dcm", NULL);
  g_autofree char *location = g_strconcat ("series:", second, NULL);
  listen (&heard);
  odl_session_set_planes (heard.session, true);
  open_whole (&heard, location);
  settle (heard.session);
  g_assert_true (odl_session_is_volume (heard.session));
  g_assert_false (odl_session_shows_planes (heard.session));
  g_assert_cmpint (odl_session_frame (heard.session)->index, ==, 1);
  odl_session_set_planes (heard.session, true);
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (!odl_session_frame (heard.session)->planes && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  const OdlFrame *frame = odl_session_frame (heard.session);
  g_assert_true (frame->planes);
  g_assert_cmpint (frame->voxel.at[2], ==, 1);
  const OdlImageInfo *volume = odl_image_info (frame->volume);
  g_assert_cmpint (volume->extent.z, ==, 4);
  g_assert_cmpfloat (fabs (volume->spacing_mm[2] - 3), <, 1e-9);
  for (int z = 0; z < 4; z++) {
    float row[SIDE];
    odl_image_scaled_row (frame->volume, 0, 3, z, 0, row);
    g_assert_cmpfloat (fabs (row[3] * 255 - (z + 1)), <, 1e-3);
  }
  finish (&heard);
  odl_test_remove_tree (folder);
}

// The picture stays where its series cannot be had.
static void
test_no_series (void)
{
  Heard heard = { 0 };
  g_autofree char *folder = make_folder ();
  g_autofree char *path = write_slice (folder, 1, NULL);
  g_autofree char *location = g_strconcat ("series:", path, NULL);
  listen (&heard);
  open_whole (&heard, location);
  g_assert_cmpint (heard.n_failed, ==, 1);
  g_assert_cmpint (heard.n_opened, ==, 1);
  g_assert_cmpstr (odl_session_info (heard.session)->location, ==, path);
  finish (&heard);
  odl_test_remove_tree (folder);
}

// The first of numbered pictures says nothing about the others.
static void
test_numbered (void)
{
  Heard heard = { 0 };
  g_autofree char *folder = make_folder ();
  g_autofree char *path = write_slice (folder, 1, "1.5");
  g_free (write_slice (folder, 2, "1.5"));
  g_autofree char *location = g_strconcat ("sequence:", folder, NULL);
  listen (&heard);
  open_whole (&heard, path);
  g_assert_cmpstr (odl_session_detail (heard.session, "laterality"), ==, "L");
  open_whole (&heard, location);
  g_assert_null (odl_session_detail (heard.session, "laterality"));
  finish (&heard);
  odl_test_remove_tree (folder);
}

// The promise, with as many files as it says.
static void
test_bar (void)
{
  const int n = g_test_perf () ? 1000 : 20;
  Heard heard = { 0 };
  g_autofree char *folder = make_folder ();
  for (int i = 1; i <= n; i++)
    g_free (write_slice (folder, i, "1.5"));
  g_autofree char *location = g_strconcat ("series:", folder, NULL);
  listen (&heard);
  const int64_t from_us = g_get_monotonic_time ();
  open_whole (&heard, location);
  g_test_message ("first picture after %.0f ms, all %d after %.0f ms",
                  (heard.first_us - from_us) / 1e3, n,
                  (g_get_monotonic_time () - from_us) / 1e3);
  odl_test_took ("first picture of a stack", heard.first_us - from_us, FIRST_US);
  finish (&heard);
  odl_test_remove_tree (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stacks/the-picture-is-there-first", test_picture_first);
  g_test_add_func ("/stacks/a-folder's-first-picture-too", test_folder);
  g_test_add_func ("/stacks/slices-at-places-are-a-volume", test_volume);
  g_test_add_func ("/stacks/without-a-series-it-stays", test_no_series);
  g_test_add_func ("/stacks/numbered-pictures-are-of-no-side", test_numbered);
  g_test_add_func ("/stacks/within-half-a-second", test_bar);
  return g_test_run ();
}
