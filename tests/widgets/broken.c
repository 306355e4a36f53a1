// SPDX-License-Identifier: MIT
// A folder of good and broken files in the real window: list, title and canvas agree.
#include "support/support.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "widgets/failure_page.h"
#include "widgets/panels/sources/source_item.h"
#include "widgets/panels/sources/source_panel.h"
#include "widgets/window/parts.h"

static GtkSelectionModel *
model_of (Fixture *fixture)
{
  return gtk_list_view_get_model (source_list (fixture));
}

// The one row that is highlighted has this location; NULL: none is.
static bool
highlights (Fixture *fixture, const void *location)
{
  GtkSelectionModel *model = model_of (fixture);
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (model));
  const char *found = NULL;
  int n_found = 0;
  for (guint i = 0; i < n; i++) {
    g_autoptr (OdlSourceItem) item = g_list_model_get_item (G_LIST_MODEL (model), i);
    if (!gtk_selection_model_is_selected (model, i))
      continue;
    n_found++;
    found = odl_source_item_location (item);
  }
  return n_found == (location ? 1 : 0) && g_strcmp0 (found, location) == 0;
}

static GtkWidget *
page_of (Fixture *fixture)
{
  return find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_FAILURE_PAGE);
}

static bool
tells_of (Fixture *fixture, const void *name)
{
  GtkWidget *page = page_of (fixture);
  return gtk_widget_get_mapped (page) && has_label (page, name)
         && !odl_session_opening (fixture->session);
}

static bool
is_enabled (Fixture *fixture, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), action);
}

static char *
write_text (Fixture *fixture, const char *name)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_assert_true (g_file_set_contents (path, "this is no picture", -1, NULL));
  return path;
}

static bool
has_rows (Fixture *fixture, const void *n)
{
  return g_list_model_get_n_items (G_LIST_MODEL (model_of (fixture)))
         == *(const guint *) n + ROWS_BEHIND;
}

static void
test_page (Fixture *fixture, const void *data)
{
  static const char *const of_the_picture[]
      = { "save",    "copy",         "record", "invert",      "zoom",
          "present", "paste-recipe", "undo",   "clear-recipe" };
  g_autofree char *good = write_png (fixture, "a.png", 64, 48, false);
  g_autofree char *bad = write_text (fixture, "b <i>_&.png");
  const guint n = 2;
  open_and_wait (fixture, good);
  wait_until (fixture, has_rows, &n);
  wait_until (fixture, highlights, good);
  set_filters (fixture, "gaussian");
  for (int round = 0; round < 2; round++) {
    odl_main_window_open (fixture->window, bad, NULL);
    wait_until (fixture, tells_of, "b <i>_&.png");
    // A sentence of its own: the name stands above it.
    g_assert_true (has_label (page_of (fixture), "It is not an image of a known format"));
    g_assert_false (has_label (page_of (fixture), "Cannot open"));
    wait_until (fixture, highlights, bad);
    g_assert_nonnull (
        strstr (gtk_window_get_title (GTK_WINDOW (fixture->window)), "b <i>"));
    for (size_t i = 0; i < G_N_ELEMENTS (of_the_picture); i++)
      g_assert_false (is_enabled (fixture, of_the_picture[i]));
    // One key away.
    activate (fixture, "cancel", NULL);
    g_assert_false (gtk_widget_get_visible (page_of (fixture)));
    wait_until (fixture, highlights, good);
    g_assert_nonnull (
        strstr (gtk_window_get_title (GTK_WINDOW (fixture->window)), "a.png"));
    for (size_t i = 0; i < G_N_ELEMENTS (of_the_picture); i++)
      g_assert_true (is_enabled (fixture, of_the_picture[i]));
  }
  // A file that was mended opens with the same button.
  odl_main_window_open (fixture->window, bad, NULL);
  wait_until (fixture, tells_of, "b <i>");
  g_free (write_png (fixture, "b <i>_&.png", 32, 32, false));
  activate (fixture, "retry", NULL);
  wait_until (fixture, has_location, bad);
  settle (fixture);
  g_assert_false (gtk_widget_get_visible (page_of (fixture)));
  wait_until (fixture, highlights, bad);
}

// Back and forth over all of it, without stopping at what is broken, and no further.
static void
test_steps (Fixture *fixture, const void *data)
{
  static const char *const names[] = { "1.png", "2.png", "3.png", "4.png", "5.png" };
  static const bool well[] = { true, false, false, true, false };
  const guint n = G_N_ELEMENTS (names);
  char *paths[G_N_ELEMENTS (names)];
  for (guint i = 0; i < n; i++)
    paths[i] = well[i] ? write_png (fixture, names[i], 40, 30, false)
                       : write_text (fixture, names[i]);
  g_autofree char *pipe = g_build_filename (fixture->folder, "3a.png", NULL);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  open_and_wait (fixture, paths[0]);
  wait_until (fixture, has_rows, &n);
  // Neither the camera nor the phantom follows before the first, and nothing after the
  // last.
  static const int steps[] = { -1, -1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1 };
  int at = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (steps); i++) {
    at = CLAMP (at + steps[i], 0, (int) n - 1);
    activate (fixture, "step-file", steps[i] > 0 ? "1" : "-1");
    wait_until (fixture, highlights, paths[at]);
    wait_until (fixture, well[at] ? has_location : tells_of,
                well[at] ? paths[at] : names[at]);
    settle (fixture);
    g_assert_true (highlights (fixture, paths[at]));
  }
  // As fast as keys are repeated.
  for (int i = 0; i < 3; i++)
    activate (fixture, "step-file", "1");
  wait_until (fixture, has_location, paths[3]);
  wait_until (fixture, highlights, paths[3]);
  for (guint i = 0; i < n; i++)
    g_free (paths[i]);
}

// The pointer over a row, or the focus in it, opens nothing and highlights nothing.
static void
test_pointer (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "1.png", 40, 30, false);
  g_autofree char *second = write_png (fixture, "2.png", 40, 30, false);
  const guint n = 2;
  open_and_wait (fixture, first);
  wait_until (fixture, has_rows, &n);
  wait_until (fixture, highlights, first);
  GtkWidget *list = GTK_WIDGET (source_list (fixture));
  gtk_widget_activate_action (list, "list.select-item", "(ubb)", 1, FALSE, FALSE);
  gtk_widget_activate_action (list, "list.select-all", NULL);
  gtk_widget_grab_focus (list);
  gtk_widget_child_focus (list, GTK_DIR_DOWN);
  settle (fixture);
  g_assert_true (highlights (fixture, first));
  gtk_widget_activate_action (list, "list.activate-item", "u", 1);
  wait_until (fixture, has_location, second);
  wait_until (fixture, highlights, second);
}

// Nobody sees it play behind the page; it goes on when it is seen again.
static void
test_cine (Fixture *fixture, const void *data)
{
  g_autofree char *bad = write_text (fixture, "bad.png");
  odl_main_window_open (fixture->window, "phantom:64x64", NULL);
  wait_until (fixture, has_location, "phantom:64x64");
  wait_for_frames (fixture, 2);
  odl_main_window_open (fixture->window, bad, NULL);
  wait_until (fixture, tells_of, "bad.png");
  g_assert_false (odl_session_playing (fixture->session));
  activate (fixture, "cancel", NULL);
  g_assert_true (odl_session_playing (fixture->session));
  // What was held stays so.
  odl_session_set_playing (fixture->session, false);
  odl_main_window_open (fixture->window, bad, NULL);
  wait_until (fixture, tells_of, "bad.png");
  activate (fixture, "cancel", NULL);
  g_assert_false (odl_session_playing (fixture->session));
}

// The list is that of the file that was asked for, not that of last time.
static void
test_first_fails (Fixture *fixture, const void *data)
{
  g_free (write_png (fixture, "other.png", 40, 30, false));
  odl_settings_set_string (fixture->settings, "last-folder", fixture->folder);
  OdlSourcePanel *panel = ODL_SOURCE_PANEL (
      find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_SOURCE_PANEL));
  odl_source_panel_set_folder (panel, fixture->folder);
  guint n = 1;
  wait_until (fixture, has_rows, &n);
  odl_main_window_open (fixture->window, "/nonexistent/scan.dcm", NULL);
  wait_until (fixture, tells_of, "scan.dcm");
  n = 0;
  wait_until (fixture, has_rows, &n);
  g_assert_true (highlights (fixture, NULL));
  // Nor with keys, since there is nothing else.
  activate (fixture, "step-file", "1");
  activate (fixture, "step-file", "-1");
  settle (fixture);
  g_assert_null (odl_session_info (fixture->session)->location);
  g_assert_true (tells_of (fixture, "scan.dcm"));
}

static bool
is_broken (Fixture *fixture, const void *row)
{
  g_autoptr (OdlSourceItem) item
      = g_list_model_get_item (G_LIST_MODEL (model_of (fixture)), *(const guint *) row);
  return odl_source_item_state (item) == ODL_THUMBNAIL_FAILED;
}

static bool
is_image_with_icon (GtkWidget *widget, const void *icon)
{
  return GTK_IS_IMAGE (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_image_get_icon_name (GTK_IMAGE (widget)), icon) == 0;
}

static void
test_emblem (Fixture *fixture, const void *data)
{
  g_autofree char *good = write_png (fixture, "1.png", 40, 30, false);
  g_autofree char *bad = write_text (fixture, "2.png");
  const guint n = 2, row = 1;
  open_and_wait (fixture, good);
  wait_until (fixture, has_rows, &n);
  wait_until (fixture, is_broken, &row);
  settle (fixture);
  GtkWidget *emblem = find_where (GTK_WIDGET (source_list (fixture)), is_image_with_icon,
                                  "dialog-warning-symbolic");
  g_assert_nonnull (emblem);
  g_assert_nonnull (
      strstr (gtk_widget_get_tooltip_text (gtk_widget_get_parent (emblem)), "Cannot"));
}

// A file whose name no picture has is listed when it is shown, where it belongs.
static void
test_odd_name (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "1.png", 40, 30, false);
  g_autofree char *odd = write_png (fixture, "2.export-of-last-week", 40, 30, false);
  g_autofree char *last = write_png (fixture, "3.png", 40, 30, false);
  const guint n = 3;
  open_and_wait (fixture, odd);
  wait_until (fixture, has_rows, &n);
  wait_until (fixture, highlights, odd);
  activate (fixture, "step-file", "1");
  wait_until (fixture, has_location, last);
  activate (fixture, "step-file", "-1");
  wait_until (fixture, has_location, odd);
  activate (fixture, "step-file", "-1");
  wait_until (fixture, has_location, first);
}

static void
say_of_frame (Fixture *fixture, const char *text)
{
  odl_messages_say_of_frame (odl_main_window_parts (fixture->window)->messages, text,
                             odl_session_playing (fixture->session));
}

// What was said of a picture goes with it, even when nobody has read it yet.
static void
test_hushes (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "1.png", 40, 30, false);
  g_autofree char *second = write_png (fixture, "2.png", 40, 30, false);
  g_autofree char *bad = write_text (fixture, "3.png");
  const char *const next[] = { second, bad };
  GtkWidget *window = GTK_WIDGET (fixture->window);
  for (size_t i = 0; i < G_N_ELEMENTS (next); i++) {
    open_and_wait (fixture, first);
    odl_messages_say_of_source (odl_main_window_parts (fixture->window)->messages,
                                "half of it is missing");
    say_of_frame (fixture, "and it is damaged");
    settle (fixture);
    g_assert_true (has_label (window, "Half of it is missing"));
    odl_main_window_open (fixture->window, next[i], NULL);
    wait_until (fixture, i == 0 ? has_location : tells_of, i == 0 ? second : "3.png");
    settle (fixture);
    let_pass (500);
    g_assert_false (has_label (window, "Half of it is missing"));
    g_assert_false (has_label (window, "and it is damaged"));
  }
  // Nor is anything said of it behind the page, where it was read ahead.
  const guint n_said
      = odl_messages_waiting (odl_main_window_parts (fixture->window)->messages)->len;
  g_autoptr (GError) error = g_error_new_literal (ODL_ERROR, ODL_ERROR_CORRUPT, "late");
  g_signal_emit_by_name (fixture->session, "frame-failed", error);
  g_assert_cmpuint (
      odl_messages_waiting (odl_main_window_parts (fixture->window)->messages)->len, ==,
      n_said);
  // What is said of something else stays.
  odl_messages_say (odl_main_window_parts (fixture->window)->messages, "saved");
  open_and_wait (fixture, second);
  g_assert_true (has_label (window, "saved"));
}

// Nobody has to sit through what was said a minute ago: the same words are said once,
// and of many things the newest are told.
static void
test_no_queue (Fixture *fixture, const void *data)
{
  const GPtrArray *said
      = odl_messages_waiting (odl_main_window_parts (fixture->window)->messages);
  for (int i = 0; i < 10; i++)
    odl_messages_say (odl_main_window_parts (fixture->window)->messages, "copied");
  g_assert_cmpuint (said->len, ==, 1);
  for (int i = 0; i < 10; i++) {
    g_autofree char *text = g_strdup_printf ("copied %d", i);
    odl_messages_say (odl_main_window_parts (fixture->window)->messages, text);
  }
  g_assert_cmpuint (said->len, ==, 3);
  // Each loop of a damaged cine would tell of all its frames again.
  odl_main_window_open (fixture->window, "phantom:64x64", NULL);
  wait_until (fixture, has_location, "phantom:64x64");
  wait_for_frames (fixture, 2);
  for (int i = 0; i < 10; i++) {
    g_autofree char *text = g_strdup_printf ("frame %d is damaged", i);
    say_of_frame (fixture, text);
  }
  g_assert_true (has_toast (fixture, "frame 0"));
  g_assert_cmpuint (said->len, <=, 4); // those that were seen give way
  // Who steps wants to know of each.
  odl_session_set_playing (fixture->session, false);
  say_of_frame (fixture, "frame 7 is damaged");
  g_assert_true (has_toast (fixture, "frame 7"));
  g_assert_cmpuint (said->len, <=, 4); // those that were seen give way
}

static bool
says (Fixture *fixture, const void *text)
{
  const GPtrArray *said
      = odl_messages_waiting (odl_main_window_parts (fixture->window)->messages);
  for (guint i = 0; i < said->len; i++) {
    GtkWidget *title = adw_toast_get_custom_title (said->pdata[i]);
    if (gtk_widget_get_mapped (title)
        && g_str_equal (gtk_label_get_text (GTK_LABEL (title)), text))
      return true;
  }
  return false;
}

// The answer to a key comes while it matters, not when the one before has had its time.
static void
test_newer_toast (Fixture *fixture, const void *data)
{
  OdlMessages *messages = odl_main_window_parts (fixture->window)->messages;
  odl_messages_say (messages, "saved");
  wait_until (fixture, says, "saved");
  const gint64 since = g_get_monotonic_time ();
  odl_messages_say_of_state (messages, "Filters B");
  wait_until (fixture, says, "Filters B");
  const double waited = (double) (g_get_monotonic_time () - since) / G_USEC_PER_SEC;
  g_assert_cmpfloat (waited, >, 1.5); // the other one can be read
  g_assert_cmpfloat (waited, <, 6);
  // What nothing newer follows keeps its time.
  let_pass (4000);
  g_assert_true (says (fixture, "Filters B"));
}

// A decoder that does not start is no fault of the file.
static void
test_missing_decoder (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "a.mkv");
  g_autofree char *head = g_malloc0 (4096);
  memcpy (head,
          "\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81"
          "\x04\x42\xf3\x81\x08\x42\x82\x88matroska",
          31);
  g_assert_true (g_file_set_contents (path, head, 4096, NULL));
  g_setenv ("ODL_VIDEO_DECODER", "/nonexistent/ondelette-video-decoder", TRUE);
  odl_main_window_open (fixture->window, path, NULL);
  wait_until (fixture, tells_of, "a.mkv");
  g_assert_true (has_label (page_of (fixture), "does not start"));
  g_assert_true (has_label (page_of (fixture), "a part of Ondelette is missing"));
  g_assert_false (has_label (page_of (fixture), "may you read it"));
  g_unsetenv ("ODL_VIDEO_DECODER");
}

// A sentence of usual length is there in whole, also beside both panels.
static void
test_whole_sentence (Fixture *fixture, const void *data)
{
  const char *text = "09_US_cine_mutated.dcm, frame 16: pixels of 3 samples with 72 bits "
                     "each are not supported";
  static const int widths[] = { 900, 450 };
  // Nor is a short one broken.
  odl_messages_say_of_source (odl_main_window_parts (fixture->window)->messages,
                              "only 59.7% of the pixels are there");
  settle (fixture);
  let_pass (300);
  GtkWidget *brief = adw_toast_get_custom_title (g_ptr_array_index (
      odl_messages_waiting (odl_main_window_parts (fixture->window)->messages), 0));
  g_assert_cmpint (pango_layout_get_line_count (gtk_label_get_layout (GTK_LABEL (brief))),
                   ==, 1);
  odl_messages_hush_source (odl_main_window_parts (fixture->window)->messages);
  for (size_t i = 0; i < G_N_ELEMENTS (widths); i++) {
    gtk_window_set_default_size (GTK_WINDOW (fixture->window), widths[i], 600);
    settle (fixture);
    odl_messages_say (odl_main_window_parts (fixture->window)->messages, text);
    settle (fixture);
    let_pass (300);
    GtkWidget *label = adw_toast_get_custom_title (g_ptr_array_index (
        odl_messages_waiting (odl_main_window_parts (fixture->window)->messages), 0));
    PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
    int height;
    pango_layout_get_pixel_size (layout, NULL, &height);
    g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, text);
    g_assert_true (gtk_widget_get_mapped (label));
    g_assert_false (pango_layout_is_ellipsized (layout));
    g_assert_cmpint (height, <=, gtk_widget_get_height (label));
  }
}

// Two arrays of an HDF5 file, of 3 × 4 and 4 × 3 bytes, and a number; packed by zlib.
static char *
write_arrays (Fixture *fixture)
{
  static const char packed[]
      = "eNrr9HBx4+WS4mLm4GCAgf9QIAkVMoCKR1QtP+3v4RLEpLDhLF82Mq5gEkLWCANcTAyMDAxsfAxAijk/"
        "L/Uw1CCoSEl5/nlGqIggSIQtrzQ3KbXoNhNUnTwDIVCQkygIdhIjAyOjCgMDExMjIzNUjgVKY/B5GBgF"
        "GED2gQAHAyvQlcxcHEAfsDAyQL3MA7NgBcOQAb5/DVLQwwJnGBARFjxDOCwSUktuwsMC6GkmAn6VgPqV"
        "EWbACYZhAwoXGXswjIJRMApGAQZgZGJmYWVj5+Dk4k5JTUvPyMzKzsnNy2cGAIraQXw=";
  char *path = g_build_filename (fixture->folder, "two.h5", NULL);
  gsize n = 0, n_read = 0, n_written = 0;
  g_autofree guchar *bytes = g_base64_decode (packed, &n);
  guint8 file[4096];
  g_autoptr (GConverter) unpack
      = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
  g_assert_cmpint (g_converter_convert (unpack, bytes, n, file, sizeof file,
                                        G_CONVERTER_INPUT_AT_END, &n_read, &n_written,
                                        NULL),
                   ==, G_CONVERTER_FINISHED);
  g_assert_true (
      g_file_set_contents (path, (const char *) file, (gssize) n_written, NULL));
  return path;
}

static bool
offers_arrays (Fixture *fixture, const void *data)
{
  GtkWidget *list = find_widget (page_of (fixture), GTK_TYPE_LIST_BOX);
  return gtk_widget_get_mapped (list) && has_label (list, "/one")
         && has_label (list, "3×4 uint8") && has_label (list, "/two")
         && !has_label (list, "/number");
}

// A file that does not say which of its arrays is a picture, or of which another one was
// asked for, lists them; one is opened by its row.
static void
test_arrays (Fixture *fixture, const void *data)
{
  g_autofree char *good = write_png (fixture, "a.png", 64, 48, false);
  g_autofree char *file = write_arrays (fixture);
  g_autofree char *none = g_strconcat (file, ":/three", NULL);
  g_autofree char *second = g_strconcat (file, ":/two", NULL);
  const char *const locations[] = { file, none };
  const guint n = 2;
  open_and_wait (fixture, good);
  for (size_t i = 0; i < G_N_ELEMENTS (locations); i++) {
    odl_main_window_open (fixture->window, locations[i], NULL);
    wait_until (fixture, offers_arrays, NULL);
    g_assert_true (has_label (page_of (fixture), "Choose one"));
    GtkWidget *list = find_widget (page_of (fixture), GTK_TYPE_LIST_BOX);
    gtk_widget_activate (
        GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 1)));
    wait_until (fixture, has_location, second);
    settle (fixture);
    g_assert_false (gtk_widget_get_visible (page_of (fixture)));
    // The folder stays listed, with the file.
    wait_until (fixture, has_rows, &n);
    wait_until (fixture, highlights, file);
  }
  // Of other files there is no choice.
  g_autofree char *bad = write_text (fixture, "b.h5");
  odl_main_window_open (fixture->window, bad, NULL);
  wait_until (fixture, tells_of, "b.h5");
  g_assert_false (
      gtk_widget_get_mapped (find_widget (page_of (fixture), GTK_TYPE_LIST_BOX)));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/broken/a-page-in-the-place-of-the-picture", test_page);
  ADD ("/broken/keys-pass-over-it-and-stay-among-files", test_steps);
  ADD ("/broken/a-pointer-highlights-nothing", test_pointer);
  ADD ("/broken/what-is-covered-does-not-play", test_cine);
  ADD ("/broken/the-first-one-leaves-no-other-folder", test_first_fails);
  ADD ("/broken/an-emblem-in-the-list", test_emblem);
  ADD ("/broken/any-name-is-listed-when-shown", test_odd_name);
  ADD ("/broken/what-was-said-goes-with-its-picture", test_hushes);
  ADD ("/broken/what-is-said-does-not-queue", test_no_queue);
  ADD ("/broken/a-newer-toast-does-not-wait-long", test_newer_toast);
  ADD ("/broken/a-missing-decoder-is-no-fault-of-the-file", test_missing_decoder);
  ADD ("/broken/a-sentence-is-there-in-whole", test_whole_sentence);
  ADD ("/broken/arrays-are-offered", test_arrays);
  return g_test_run ();
}
