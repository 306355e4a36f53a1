// SPDX-License-Identifier: MIT
// Number fields of the real window: what is typed, what is shown then, and what is said.
#include <adwaita.h>
#include <locale.h>

#include "support/support.h"

#include "base/text.h"

#include "widgets/windows/preferences_window.h"
#include "widgets/transport/transport.h"
#include "widgets/viewport/private.h"
#include "widgets/window/parts.h"

// What is typed one after the other into a field.
typedef struct {
  const char *typed;
  const char *shown; // then
  const char *said; // a part of it; NULL: nothing, what was typed is taken
} Entry;

static bool
is_named (GtkWidget *widget, const char *name)
{
  g_autofree char *other = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name);
  return other == NULL;
}

static bool
is_field (GtkWidget *widget, const void *name)
{
  return GTK_IS_SPIN_BUTTON (widget) && is_named (widget, name);
}

static GtkSpinButton *
field_named (GtkWidget *root, const char *name)
{
  return (GtkSpinButton *) find_where (root, is_field, name);
}

static GtkSpinButton *
field (Fixture *fixture, const char *name)
{
  GtkSpinButton *found = field_named (GTK_WIDGET (fixture->window), name);
  if (!found)
    g_error ("there is no field “%s”", name);
  return found;
}

static const char *
text_of (Fixture *fixture, const char *name)
{
  return gtk_editable_get_text (GTK_EDITABLE (field (fixture, name)));
}

static void
heard_cb (OdlSession *session, const char *text, char **last)
{
  g_free (*last);
  *last = g_strdup (text);
}

// Types as a person does, with Enter or by going to another place.
static void
type (Fixture *fixture, const char *name, const char *text, bool enter)
{
  GtkSpinButton *entry = field (fixture, name);
  gtk_widget_grab_focus (GTK_WIDGET (entry));
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  if (enter)
    g_signal_emit_by_name (gtk_editable_get_delegate (GTK_EDITABLE (entry)), "activate");
  else
    gtk_widget_grab_focus (GTK_WIDGET (fixture->viewport));
  settle (fixture);
}

static void
type_all (Fixture *fixture, const char *name, const Entry *entries, size_t n)
{
  char *said = NULL;
  g_signal_connect (fixture->session, "message", G_CALLBACK (heard_cb), &said);
  for (size_t i = 0; i < n; i++) {
    const Entry *entry = &entries[i];
    for (int enter = 0; enter < 2; enter++) {
      g_clear_pointer (&said, g_free);
      type (fixture, name, entry->typed, enter);
      if (!g_str_equal (text_of (fixture, name), entry->shown))
        g_error ("%s: “%s” shows “%s”, not “%s”", name, entry->typed,
                 text_of (fixture, name), entry->shown);
      if (!entry->said && said)
        g_error ("%s: “%s” is refused: “%s”", name, entry->typed, said);
      if (entry->said && (!said || !strstr (said, entry->said)))
        g_error ("%s: “%s”: “%s” does not say “%s”", name, entry->typed, said,
                 entry->said);
      // By the window, and once only: leaving the field says no more.
      if (said)
        g_assert_cmpstr (
            odl_messages_last (odl_main_window_parts (fixture->window)->messages), ==,
            said);
      g_clear_pointer (&said, g_free);
      gtk_widget_grab_focus (GTK_WIDGET (fixture->viewport));
      g_assert_null (said);
    }
  }
  g_signal_handlers_disconnect_by_func (fixture->session, heard_cb, &said);
}

static void
open_with (Fixture *fixture, const char *filters)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  set_filters (fixture, filters);
}

static double
threshold_of (Fixture *fixture)
{
  return odl_recipe_get (odl_session_recipe (fixture->session), 0, "threshold", 0);
}

#define THRESHOLD "Threshold (of full scale)"
#define CENTRE "Centre of the grey-level window"
#define WIDTH "Width of the grey-level window"

// What is no number, or cannot be, leaves the number as it was and is told.
static void
test_filter (Fixture *fixture, const void *data)
{
  static const Entry thresholds[] = {
    { "0.1234", "0.1234", NULL },
    { "abc", "0.1234", "“abc” is not a number; 0.1234 stays." },
    { "", "0.1234", "There was no number; 0.1234 stays." },
    { "   ", "0.1234", "There was no number; 0.1234 stays." },
    { "0,3", "0.1234", "“0,3” is not a number" },
    { "5", "0.1234", "“5” is not between 0 and 1; 0.1234 stays." },
    { "-0.1", "0.1234", "“-0.1” is not between 0 and 1" },
    { "−0.1", "0.1234", "“−0.1” is not between 0 and 1" },
    { "1e400", "0.1234", "“1e400” is not between 0 and 1" },
    { "0x1", "0.1234", "“0x1” is not a number" },
    { "nan", "0.1234", "“nan” is not a number" },
    { "0.3 %", "0.1234", "“0.3 %” is not a number" },
    { " 0.00012 ", "0.00012", NULL },
    { "-0", "0", NULL },
    { "1e-3", "0.001", NULL },
    { "+.5", "0.5", NULL },
    { "0.12345678", "0.1234568", NULL },
  };
  static const Entry levels[] = {
    { "4", "4", NULL },
    { "2.5", "4", "“2.5” is not a whole number; 4 stays." },
    { "77", "4", "“77” is not between 1 and" },
    { "0", "4", "“0” is not between 1 and" },
    { "abc", "4", "“abc” is not a number; 4 stays." },
  };

  open_with (fixture, "soft-threshold:threshold=0.05");
  type_all (fixture, THRESHOLD, thresholds, G_N_ELEMENTS (thresholds));
  // No digit of what was typed is lost, though the field shows seven.
  g_assert_cmpfloat (threshold_of (fixture), ==, 0.12345678);
  type_all (fixture, "Levels", levels, G_N_ELEMENTS (levels));
  g_assert_cmpfloat (threshold_of (fixture), ==, 0.12345678);
}

static bool
window_says (Fixture *fixture, const void *text)
{
  return has_label (GTK_WIDGET (fixture->window), text);
}

static void
assert_header (Fixture *fixture, const char *centre, const char *width)
{
  // As typeset text has it; fields keep what a keyboard types.
  g_autofree char *both
      = odl_text_with_minus (g_strdup_printf ("C %s · W %s", centre, width));
  g_assert_cmpstr (text_of (fixture, CENTRE), ==, centre);
  g_assert_cmpstr (text_of (fixture, WIDTH), ==, width);
  wait_until (fixture, window_says, both);
}

// Header and panel show the same number.
static void
test_grey_levels (Fixture *fixture, const void *data)
{
  static const Entry centres[] = {
    { "-12.75", "-12.75", NULL },
    { "abc", "-12.75", "“abc” is not a number" },
    { "40 HU", "-12.75", "“40 HU” is not a number" },
    { "−3.5", "-3.5", NULL },
    { "1e400", "-3.5", "“1e400” is not between" },
  };
  static const Entry widths[] = {
    { "0.1234", "0.1234", NULL },
    { "0", "0.1234", "“0” is not between 0.000001 and 1000000000" },
    { "", "0.1234", "no number" },
    { "-4", "0.1234", "not between" },
    { "1234.5", "1234.5", NULL },
  };

  open_with (fixture, "");
  assert_header (fixture, "127.5", "255");
  type_all (fixture, CENTRE, centres, G_N_ELEMENTS (centres));
  assert_header (fixture, "-3.5", "255");
  type_all (fixture, WIDTH, widths, G_N_ELEMENTS (widths));
  assert_header (fixture, "-3.5", "1234.5");
}

static bool
is_covered (Fixture *fixture, const void *covered)
{
  return gtk_widget_is_sensitive (GTK_WIDGET (field (fixture, CENTRE)))
             != *(const bool *) covered
         && !odl_session_opening (fixture->session);
}

// The page of a file that cannot be opened has no numbers of the picture before.
static void
test_page (Fixture *fixture, const void *data)
{
  static const bool yes = true, no = false;
  g_autofree char *bad = g_build_filename (fixture->folder, "bad.png", NULL);
  char *said = NULL;

  g_assert_true (g_file_set_contents (bad, "this is no picture", -1, NULL));
  open_with (fixture, "");
  type (fixture, WIDTH, "77", true);
  g_signal_connect (fixture->session, "message", G_CALLBACK (heard_cb), &said);
  gtk_widget_grab_focus (GTK_WIDGET (field (fixture, WIDTH)));
  odl_main_window_open (fixture->window, bad, NULL);
  wait_until (fixture, is_covered, &yes);
  run_cycles (fixture, 2);
  g_assert_cmpstr (text_of (fixture, CENTRE), ==, "");
  g_assert_cmpstr (text_of (fixture, WIDTH), ==, "");
  activate (fixture, "cancel", NULL);
  wait_until (fixture, is_covered, &no);
  settle (fixture);
  assert_header (fixture, "127.5", "77");
  // An emptied field is no entry.
  g_assert_null (said);
  g_signal_handlers_disconnect_by_func (fixture->session, heard_cb, &said);
}

// A locale with a decimal comma, made here: few machines have one.
static bool
have_comma (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->folder, "de_DE.UTF-8", NULL);
  const char *command[] = { "localedef", "-i", "de_DE", "-f", "UTF-8", path, NULL };
  int status = -1;

  if (!g_spawn_sync (NULL, (char **) command, NULL,
                     G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL
                         | G_SPAWN_STDERR_TO_DEV_NULL,
                     NULL, NULL, NULL, NULL, &status, NULL)
      || status != 0)
    return false;
  g_setenv ("LOCPATH", fixture->folder, TRUE);
  g_assert_nonnull (setlocale (LC_NUMERIC, "de_DE.UTF-8"));
  g_assert_cmpstr (localeconv ()->decimal_point, ==, ",");
  return true;
}

static void
test_comma (Fixture *fixture, const void *data)
{
  static const Entry entries[] = {
    { "0,3", "0,3", NULL },
    { "0,1234", "0,1234", NULL },
    { "0.25", "0,25", NULL }, // the point is understood everywhere
    { "abc", "0,25", "“abc” is not a number; 0,25 stays." },
    { "1.000,5", "0,25", "“1.000,5” is not a number" },
    { "0,1,2", "0,25", "“0,1,2” is not a number" },
    { "5,5", "0,25", "“5,5” is not between 0 and 1; 0,25 stays." },
    { "0,5", "0,5", NULL },
  };

  if (!have_comma (fixture)) {
    g_test_skip ("a locale with a decimal comma cannot be made (package locales)");
    return;
  }
  open_with (fixture, "soft-threshold:threshold=0.05");
  g_assert_cmpstr (text_of (fixture, THRESHOLD), ==, "0,05");
  type_all (fixture, THRESHOLD, entries, G_N_ELEMENTS (entries));
  g_assert_cmpfloat (threshold_of (fixture), ==, 0.5);
  type (fixture, WIDTH, "200,25", true);
  assert_header (fixture, "127,5", "200,25");
  setlocale (LC_NUMERIC, "C.UTF-8");
  g_unsetenv ("LOCPATH");
}

// The toast of the preferences, above them.
static void
test_preferences (Fixture *fixture, const void *data)
{
  static const Entry entries[] = {
    { "12", "12", NULL },
    { "<b>", "12", "“<b>” is not a number; 12 stays." },
    { "1.5", "12", "“1.5” is not a whole number; 12 stays." },
    { "5000", "12", "“5000” is not between 1 and 1000; 12 stays." },
  };
  GtkWidget *window = GTK_WIDGET (odl_preferences_window_present (fixture->window));
  GtkSpinButton *rate = field_named (window, "Rate of numbered pictures (fps)");

  g_assert_nonnull (rate);
  for (size_t i = 0; i < G_N_ELEMENTS (entries); i++) {
    gtk_editable_set_text (GTK_EDITABLE (rate), entries[i].typed);
    gtk_spin_button_update (rate);
    g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rate)), ==, entries[i].shown);
    g_assert_cmpint (odl_settings_get_int (fixture->settings, "sequence-rate"), ==, 12);
  }
  g_assert_true (has_label (window, entries[1].said));
  gtk_window_destroy (GTK_WINDOW (window));
}

// The number of a frame, and the rate of a phantom.
static void
test_transport (Fixture *fixture, const void *data)
{
  static const Entry rates[] = {
    { "12.25", "12.25", NULL },
    { "fast", "12.25", "“fast” is not a number; 12.25 stays." },
    { "0", "12.25", "“0” is not between 0.1 and 1000" },
  };
  static const char *const frames[][2] = { { "abc", "“abc” is not a number; " },
                                           { "", "There was no number; " },
                                           { "0", "“0” is not between 1 and " },
                                           { "1.5", "“1.5” is not a whole number; " } };
  char *said = NULL;

  odl_main_window_open (fixture->window, "phantom:64x64", NULL);
  wait_until (fixture, has_location, "phantom:64x64");
  wait_for_frames (fixture, 2);
  odl_session_set_playing (fixture->session, false);
  settle (fixture);
  type_all (fixture, "Frames per second that the phantom makes", rates,
            G_N_ELEMENTS (rates));
  g_assert_cmpfloat (odl_playback_frame_rate (odl_session_playback (fixture->session)),
                     ==, 12.25);
  GtkWidget *bar = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_TRANSPORT);
  GtkWidget *frame = find_widget (bar, GTK_TYPE_ENTRY);
  g_autofree char *before = g_strdup (gtk_editable_get_text (GTK_EDITABLE (frame)));
  g_signal_connect (fixture->session, "message", G_CALLBACK (heard_cb), &said);
  for (size_t i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_clear_pointer (&said, g_free);
    gtk_widget_grab_focus (frame);
    gtk_editable_set_text (GTK_EDITABLE (frame), frames[i][0]);
    g_signal_emit_by_name (frame, "activate");
    settle (fixture);
    g_assert_nonnull (said);
    g_assert_nonnull (strstr (said, frames[i][1]));
    g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (frame)), ==, before);
  }
  g_signal_handlers_disconnect_by_func (fixture->session, heard_cb, &said);
  g_free (said);
}

// What shrinkage measures in a calm scan.
static void
test_small_ones_fit (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "soft-threshold:threshold=0.0000752");
  GtkSpinButton *entry = field (fixture, THRESHOLD);
  GtkWidget *text = GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (entry)));
  g_assert_cmpstr (text_of (fixture, THRESHOLD), ==, "0.0000752");
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (text, "0.0000752");
  int width;
  pango_layout_get_pixel_size (layout, &width, NULL);
  g_assert_cmpint (width, <=, gtk_widget_get_width (text));
}

static bool
has_both_values (Fixture *fixture, const void *data)
{
  OdlPoint pixel;
  g_autofree char *text = odl_viewport_probe (fixture->viewport, &pixel);
  return text && strstr (text, " → ") && has_label (GTK_WIDGET (fixture->viewport), text);
}

// A source whose coefficients are told on both sides of the filter.
typedef struct {
  const char *engine, *transform;
  bool colour, playing;
} Told;

// Of a chain that takes all details away; the first that is not 0. Transfer full.
static char *
find_coefficient (Fixture *fixture, const Told *told)
{
  OdlViewport *viewport = fixture->viewport;
  const int width = gtk_widget_get_width (GTK_WIDGET (viewport));
  const int height = gtk_widget_get_height (GTK_WIDGET (viewport));
  const char *none = told->colour ? ": 0, 0, 0 →" : ": 0 →";
  g_autofree char *text = NULL;
  for (int i = 0; i < 40 && (!text || strstr (text, none)); i++) {
    OdlPoint pixel;
    odl_viewport_move_pointer (viewport, true, width * 0.5 + 5, height * 0.5 + 5 * i);
    wait_until (fixture, has_both_values, NULL);
    g_free (text);
    text = odl_viewport_probe (viewport, &pixel);
  }
  g_test_message ("%s %s: %s", told->engine, told->transform, text);
  g_assert_true (g_str_has_prefix (
      text, g_str_equal (told->transform, "dual-tree") ? "+45° 1 · " : "HH 1 · "));
  g_assert_true (g_str_has_suffix (text, told->colour ? " → 0, 0, 0" : " → 0"));
  g_assert_null (strstr (text, none));
  return g_steal_pointer (&text);
}

static void
check_told (Fixture *fixture, const Told *told)
{
  static const char *const views[] = { "analysis", "filtered-analysis" };
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, told->colour);
  char *found[2] = { NULL };
  odl_session_set_engine (fixture->session, told->engine);
  open_and_wait (fixture, told->colour ? path : "phantom:64x64");
  odl_session_set_playing (fixture->session, told->playing);
  for (int i = 0; i < 2; i++) {
    g_autofree char *text
        = g_strdup_printf ("hard-threshold:levels=1,threshold=1,transform=%s view=%s",
                           told->transform, views[i]);
    set_filters (fixture, text);
    found[i] = find_coefficient (fixture, told);
  }
  const OdlFrame *frame = odl_session_frame (fixture->session);
  g_assert_cmpstr (frame->engine->name, ==, told->engine);
  g_assert_true ((frame->result == NULL) == frame->engine->needs_gl);
  if (!told->playing)
    g_assert_cmpstr (found[0], ==, found[1]);
  for (int i = 0; i < 2; i++)
    g_free (found[i]);
}

// A coefficient before and after the filter, the same in either view.
static void
test_coefficient (Fixture *fixture, const void *data)
{
  static const Told rows[] = {
    { "cpu", "decimated" },
    { "cpu", "stationary" },
    { "cpu", "dual-tree" },
    { "cpu", "decimated", .colour = true },
    { "cpu", "dual-tree", .playing = true },
    { "gl-fragment", "decimated" },
    { "gl-fragment", "stationary", .colour = true },
    { "gl-fragment", "decimated", .playing = true },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    check_told (fixture, &rows[i]);
}

// A result on the graphics card is told, too, as `cpu` has it; of a filter over time it
// is said that it is not known.
static void
test_result_on_gpu (Fixture *fixture, const void *data)
{
  OdlViewport *viewport = fixture->viewport;
  char *told[2] = { NULL };
  OdlPoint pixel;
  for (int i = 0; i < 2; i++) {
    odl_session_set_engine (fixture->session, i ? "gl-fragment" : "cpu");
    open_and_wait (fixture, "phantom:64x64");
    odl_session_set_playing (fixture->session, false);
    activate_and_settle (fixture, "first-frame", NULL);
    set_filters (fixture, "gaussian:sigma=2");
    odl_viewport_move_pointer (viewport, true, 200, 200);
    wait_until (fixture, has_both_values, NULL);
    told[i] = odl_viewport_probe (viewport, &pixel);
  }
  g_assert_cmpstr (told[0], ==, told[1]);
  for (int i = 0; i < 2; i++)
    g_free (told[i]);
  set_filters (fixture, "persistence");
  wait_until (fixture, has_both_values, NULL);
  g_autofree char *unknown = odl_viewport_probe (viewport, &pixel);
  g_assert_nonnull (strstr (unknown, " → unknown (a filter over time)"));
}

// What another thread computes for the value does not keep a window that was closed.
static void
test_closed (Fixture *fixture, const void *data)
{
  OdlViewport *viewport = fixture->viewport;
  odl_session_set_engine (fixture->session, "cpu");
  open_and_wait (fixture, "phantom:4096x4096");
  odl_session_set_playing (fixture->session, false);
  set_filters (fixture, "hard-threshold:levels=1,transform=dual-tree view=analysis");
  odl_viewport_move_pointer (viewport, true, 200, 200);
  g_object_add_weak_pointer (G_OBJECT (viewport), (void **) &viewport);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  fixture->window = NULL;
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (viewport);
}

// ---- one unit for all ----------------------------------------------------------------

// A slice whose samples fill their range.
static char *
write_slice (Fixture *fixture)
{
  char *path = path_in (fixture, "slice.mha");
  g_autoptr (GString) file = g_string_new ("ObjectType = Image\nNDims = 2\n"
                                           "DimSize = 64 64\nElementType = MET_USHORT\n"
                                           "ElementDataFile = LOCAL\n");
  for (int i = 0; i < 64 * 64; i++) {
    const guint16 sample = i == 0 ? 0 : i == 1 ? 65535 : (guint16) (2000 + 31 * (i % 64));
    g_string_append_len (file, (const char *) &sample, sizeof sample);
  }
  g_assert_true (g_file_set_contents (path, file->str, (gssize) file->len, NULL));
  return path;
}

static bool
row_says (Fixture *fixture, const void *words)
{
  return has_label (GTK_WIDGET (fixture->window), words);
}

// The same threshold, pointer and region in the unit that the preferences name; the
// recipe has shares, whatever is read and typed.
static void
test_units (Fixture *fixture, const void *data)
{
  static const struct {
    const char *key, *name, *threshold, *words, *typed, *pointer, *mean;
  } units[] = {
    { "file", "Threshold (as the file's values)", "6553.5", "Threshold 6553.5", "13107",
      "2155", "mean 2155" },
    { "share", "Threshold (of full scale)", "0.1", "Threshold 0.1", "0.2", "0.032883",
      "mean 0.0328" },
    { "8-bit", "Threshold (of 255)", "25.5", "Threshold 25.5", "51", "8.3852 / 255",
      "mean 8.385" },
  };
  g_autofree char *path = write_slice (fixture);
  const OdlAnnotationKind *ellipse = odl_annotation_kind_find ("ellipse");
  OdlAnnotation region;
  open_and_wait (fixture, path);
  g_assert_true (odl_annotation_from_text (ellipse, "5,20,1,1", &region));
  odl_session_annotate (fixture->session, &region);
  for (size_t i = 0; i < G_N_ELEMENTS (units); i++) {
    odl_settings_set_string (fixture->settings, "number-unit", units[i].key);
    odl_window_tell (odl_main_window_parts (fixture->window), "preferences", NULL);
    set_filters (fixture, "");
    OdlPoint pixel;
    OdlViewport *viewport = fixture->viewport;
    viewport->annotating.has_cursor = true;
    viewport->annotating.cursor = (OdlPoint){ 5.5, 20.5 };
    g_autofree char *value = odl_viewport_probe (viewport, &pixel);
    g_assert_true (g_str_has_suffix (value, units[i].pointer));
    OdlSubject subject;
    g_assert_true (odl_viewport_subject (viewport, &subject));
    g_autofree char *measured = odl_annotation_to_text (&region, &subject);
    if (!strstr (measured, units[i].mean))
      g_error ("%s: “%s” has no “%s”", units[i].key, measured, units[i].mean);

    set_filters (fixture, "soft-threshold:threshold=0.1,levels=2 median");
    g_assert_cmpstr (text_of (fixture, units[i].name), ==, units[i].threshold);
    wait_until (fixture, row_says, units[i].words);
    type (fixture, units[i].name, units[i].typed, true);
    g_assert_cmpfloat_with_epsilon (threshold_of (fixture), 0.2, 1e-12);
    g_autofree char *recipe
        = odl_recipe_to_text (odl_session_recipe (fixture->session), " ");
    g_assert_nonnull (strstr (recipe, "threshold=0.2"));
  }
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD_IN_SHARES ("/numbers/of-a-filter", test_filter);
  ADD ("/numbers/are-in-one-unit", test_units);
  ADD_IN_SHARES ("/numbers/small-ones-fit", test_small_ones_fit);
  ADD_IN_SHARES ("/numbers/of-grey-levels-are-the-headers", test_grey_levels);
  ADD_IN_SHARES ("/numbers/are-not-those-of-a-covered-picture", test_page);
  ADD_IN_SHARES ("/numbers/with-a-decimal-comma", test_comma);
  ADD_IN_SHARES ("/numbers/of-the-preferences", test_preferences);
  ADD_IN_SHARES ("/numbers/of-the-transport", test_transport);
  ADD ("/numbers/coefficients-before-and-after", test_coefficient);
  ADD ("/numbers/of-results-on-the-graphics-card", test_result_on_gpu);
  ADD_IN_SHARES ("/numbers/computed-for-a-closed-window", test_closed);
  return g_test_run ();
}
