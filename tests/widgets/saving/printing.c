// SPDX-License-Identifier: MIT
// The picture as a page and as a JPEG, told by Poppler's programs.
#include <glib/gstdio.h>
#include <string.h>

#include "session/computing.h"

#include "../../unit/source/dicom_writer.h"
#include "../support/patient.h"
#include "../support/support.h"
#include "widgets/window/parts.h"

#define WIDTH 640
#define HEIGHT 300
#define SECRET "Mustermann"

// What a program prints.
static char *
told_by (const char *const *argv)
{
  char *out = NULL;
  int status = -1;
  g_autoptr (GError) error = NULL;
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
                               NULL, &out, NULL, &status, &error));
  g_assert_cmpint (status, ==, 0);
  return out;
}

static void
test_page (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, SECRET ".png", WIDTH, HEIGHT, false);
  g_autofree char *out = g_build_filename (fixture->folder, "page.pdf", NULL);
  const char *const text[] = { "pdftotext", out, "-", NULL };
  const char *const pictures[] = { "pdfimages", "-list", out, NULL };
  const char *const size[] = { "pdfinfo", out, NULL };
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian:sigma=2");
  for (int hidden = 0; hidden < 2; hidden++) {
    g_unlink (out);
    activate_with_text (fixture, "save-to", out);
    wait_until (fixture, has_toast, hidden ? "Saved “Name hidden”" : "Saved “page.pdf”");
    g_autofree char *caption = told_by (text);
    g_assert_nonnull (strstr (caption, "Gaussian 2"));
    g_assert_nonnull (strstr (caption, "not for diagnosis"));
    g_assert_true ((strstr (caption, SECRET) == NULL) == (hidden == 1));
    // As many samples as the picture has, in the middle of a page that lies down.
    g_autofree char *list = told_by (pictures);
    g_autofree char *samples = g_strdup_printf ("%6d %5d", WIDTH, HEIGHT);
    g_assert_nonnull (strstr (list, samples));
    g_autofree char *about = told_by (size);
    double width = 0, height = 0;
    const char *line = strstr (about, "Page size:");
    g_assert_cmpint (sscanf (line, "Page size: %lf x %lf", &width, &height), ==, 2);
    g_assert_cmpfloat (width, >, height);
    activate (fixture, "mask-names", NULL);
  }
}

// For other programs: the very samples of the command line, mirrored or measured or not,
// with no word over them; the next one has its marks again.
static void
test_bare (Fixture *fixture, const void *data)
{
  static const char *const options[] = { "--filter", "gaussian:sigma=2", NULL };
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  g_autofree char *bare = path_in (fixture, "bare.png");
  g_autofree char *marked = path_in (fixture, "marked.png");
  open_and_wait (fixture, path);
  set_filters (fixture, options[1]);
  activate_with_text (fixture, "save-bare-to", bare);
  wait_until (fixture, has_toast, "bare.png");
  activate_with_text (fixture, "save-to", marked);
  wait_until (fixture, has_toast, "marked.png");
  g_autoptr (GdkPixbuf) wanted = cli_process (fixture, path, options);
  g_autoptr (GdkPixbuf) found = gdk_pixbuf_new_from_file (bare, NULL);
  g_autoptr (GdkPixbuf) other = gdk_pixbuf_new_from_file (marked, NULL);
  g_assert_cmpint (gdk_pixbuf_get_width (found), ==, WIDTH);
  g_assert_cmpint (gdk_pixbuf_get_height (found), ==, HEIGHT);
  const guchar *a = gdk_pixbuf_read_pixels (wanted), *b = gdk_pixbuf_read_pixels (found);
  const int n_a = gdk_pixbuf_get_n_channels (wanted);
  const int n_b = gdk_pixbuf_get_n_channels (found);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmpint (abs (a[y * gdk_pixbuf_get_rowstride (wanted) + n_a * x]
                            - b[y * gdk_pixbuf_get_rowstride (found) + n_b * x]),
                       <=, 1);
  g_assert_true (
      gdk_pixbuf_get_height (other) > HEIGHT
      || memcmp (gdk_pixbuf_read_pixels (other), b, gdk_pixbuf_get_byte_length (found))
             != 0);
  // Asked once.
  activate (fixture, "save-bare", NULL);
  wait_until (fixture, asks, NULL);
  g_assert_nonnull (strstr (adw_message_dialog_get_heading (find_dialog ()), "Marks"));
  adw_message_dialog_response (find_dialog (), "cancel");
}

static bool
has_no_names (Fixture *fixture, const void *data)
{
  return odl_viewport_masks_names (fixture->viewport);
}

// Whose it is, from when, of what machine, how its grey levels lie and what was done to
// it; hidden names stay hidden.
static void
test_patient (Fixture *fixture, const void *data)
{
  static const char *const told[] = { "CT · 2024-01-31", "Series 3 · Sch\303\244del",
                                      "C 30 · W 100 HU", "Gaussian 2" };
  g_autofree char *path = write_patient (fixture, "Ct", "1\\0\\0\\0\\1\\0", 200);
  g_autofree char *out = g_build_filename (fixture->folder, "page.pdf", NULL);
  const char *const text[] = { "pdftotext", "-layout", out, "-", NULL };
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian:sigma=2");
  settle (fixture);
  for (int hidden = 0; hidden < 2; hidden++) {
    g_unlink (out);
    activate_with_text (fixture, "save-to", out);
    wait_until (fixture, has_toast, hidden ? "Saved “Name hidden”" : "Saved “page.pdf”");
    g_autofree char *page = told_by (text);
    g_test_message ("%s", page);
    g_assert_true (!strstr (page, "Ct, Erika · 19990101") == (hidden == 1));
    g_assert_true (!strstr (page, "Erika") == (hidden == 1));
    g_assert_true (!strstr (page, "Name hidden") == (hidden == 0));
    for (size_t i = 0; i < G_N_ELEMENTS (told); i++)
      if (!strstr (page, told[i]))
        g_error ("“%s” is not in: %s", told[i], page);
    activate (fixture, "mask-names", NULL);
    if (!hidden)
      wait_until (fixture, has_no_names, NULL);
  }
}

// Words that fill the page leave half of it to the picture; those that would turn the
// date around do not.
static void
test_long_words (Fixture *fixture, const void *data)
{
  g_autofree char *wide = g_strnfill (400, 'W');
  g_autofree char *words = g_strconcat ("\342\200\256", wide, NULL);
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *path = g_build_filename (fixture->folder, "long.dcm", NULL);
  g_autofree char *out = g_build_filename (fixture->folder, "page.pdf", NULL);
  const char *const text[] = { "pdftotext", "-layout", out, "-", NULL };
  const char *const pictures[] = { "pdfimages", "-list", out, NULL };
  odl_dicom_put_text (file, 0x00080005, "CS", "ISO_IR 192");
  odl_dicom_put_text (file, 0x00080020, "DA", "20240131");
  odl_dicom_put_text (file, 0x00080060, "CS", "MR");
  odl_dicom_put_text (file, 0x00081030, "LO", words);
  odl_dicom_put_text (file, 0x0008103e, "LO", words);
  odl_dicom_put_text (file, 0x00100010, "PN", words);
  odl_dicom_put_text (file, 0x00100020, "LO", words);
  odl_dicom_put_text (file, 0x00200011, "IS", "3");
  odl_dicom_put_bytes_of (file, 20, 60);
  odl_dicom_put_head (file, 0x7fe00010, "OB", 20 * 60);
  g_byte_array_set_size (file, file->len + 20 * 60);
  g_assert_true (
      g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
  open_and_wait (fixture, path);
  settle (fixture);
  activate_with_text (fixture, "save-to", out);
  wait_until (fixture, has_toast, "Saved “page.pdf”");
  g_autofree char *page = told_by (text);
  g_assert_nonnull (strstr (page, "not for diagnosis"));
  g_autofree char *said = odl_viewport_page_text (fixture->viewport);
  g_assert_null (strstr (said, "\342\200\256"));
  // The dots per inch down the page tell how high the picture is.
  g_autofree char *list = told_by (pictures);
  g_test_message ("%s\n%s", page, list);
  int rows = 0, dots = 0;
  const char *line = strstr (list, "image ");
  g_assert_cmpint (
      sscanf (line, "image %*d %d %*s %*d %*d %*s %*s %*d %*d %*d %d", &rows, &dots), ==,
      2);
  g_assert_cmpint (rows, ==, 60);
  g_assert_cmpfloat (72.0 * rows / dots, >, 330);
}

static void
test_jpeg (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, true);
  g_autofree char *out = g_build_filename (fixture->folder, "seen.jpg", NULL);
  g_autoptr (GError) error = NULL;
  open_and_wait (fixture, path);
  activate_with_text (fixture, "save-to", out);
  wait_until (fixture, has_toast, "Saved “seen.jpg”");
  g_autoptr (GdkPixbuf) saved = gdk_pixbuf_new_from_file (out, &error);
  g_assert_no_error (error);
  g_autoptr (GdkPixbuf) original = gdk_pixbuf_new_from_file (path, NULL);
  g_assert_cmpint (gdk_pixbuf_get_width (saved), ==, WIDTH);
  g_assert_cmpint (gdk_pixbuf_get_height (saved), ==, HEIGHT);
  double sum = 0;
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < 3 * WIDTH; x++)
      sum += ABS (gdk_pixbuf_read_pixels (saved)[y * gdk_pixbuf_get_rowstride (saved) + x]
                  - gdk_pixbuf_read_pixels (
                      original)[y * gdk_pixbuf_get_rowstride (original)
                                + x / 3 * gdk_pixbuf_get_n_channels (original) + x % 3]);
  g_assert_cmpfloat (sum / (3 * WIDTH * HEIGHT), <, 12);
}

static GtkWindow *
print_dialog (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (g_str_has_prefix (G_OBJECT_TYPE_NAME (at->data), "GtkPrint"))
      return at->data;
  return NULL;
}

static bool
dialog_is (Fixture *fixture, const void *data)
{
  return (print_dialog () != NULL) == (data != NULL);
}

// Nothing is said or complained about.
static void
test_given_up (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate (fixture, "print", NULL);
  wait_until (fixture, dialog_is, path);
  gtk_window_close (print_dialog ());
  wait_until (fixture, dialog_is, NULL);
}

static bool
shows_original (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return odl_session_is_computing (fixture->session) && frame
         && odl_recipe_is_identity (&frame->recipe);
}

// While filters are at work and the picture as it came is shown, nothing is written that
// would be called their result; given up, it is saved as it came.
static void
test_computing (Fixture *fixture, const void *data)
{
  static const char *const names[] = { "v.tif", "s.png", "p.pdf", "b.png" };
  g_autofree char *path = write_png (fixture, "a.png", 1500, 1500, false);
  if (g_strcmp0 (fixture->engine, "cpu") != 0 && fixture->engine)
    return; // engines in the canvas compute while it is painted
  open_and_wait (fixture, path);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (
      &recipe, "non-local-means:search=21,patch=7 non-local-means:search=21,patch=7",
      NULL));
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  wait_until (fixture, shows_original, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *out = path_in (fixture, names[i]);
    activate_with_text (fixture, *names[i] == 'b' ? "save-bare-to" : "save-to", out);
    g_assert_true (shows_original (fixture, NULL));
    wait_until (fixture, has_toast, "The filters are still at work");
    g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
    odl_messages_say (odl_main_window_parts (fixture->window)->messages, "next");
  }
  odl_session_undo (fixture->session);
  settle (fixture);
  g_autofree char *out = path_in (fixture, "s.png");
  activate_with_text (fixture, "save-to", out);
  wait_until (fixture, has_toast, "s.png");
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  g_autofree char *poppler = g_find_program_in_path ("pdfimages");
  if (poppler)
    ADD ("/saving/without-marks", test_bare);
  ADD ("/printing/a-page-says-whose-it-is", test_page);
  if (poppler)
    ADD ("/printing/a-page-names-the-patient", test_patient);
  if (poppler)
    ADD ("/printing/long-words-leave-half-of-the-page", test_long_words);
  ADD ("/printing/a-jpeg-is-what-is-seen", test_jpeg);
  ADD ("/printing/a-print-is-given-up", test_given_up);
  ADD ("/printing/nothing-is-saved-while-filters-are-at-work", test_computing);
  return g_test_run ();
}
