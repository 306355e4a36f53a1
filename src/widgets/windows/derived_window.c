// SPDX-License-Identifier: MIT
#include "widgets/windows/derived_window.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "session/save/derived_preview.h"
#include "widgets/blank_group.h"
#include "widgets/windows/child_window.h"
#include "widgets/derived_view.h"
#include "widgets/window/parts.h"

#define WIDTH 620
#define HEIGHT 800
#define REPORT_MS 200
#define MOST_DAYS 36500
#define ENDING ".dcm"

// What was chosen, for the time after the window.
typedef struct {
  OdlMainWindow *window;
  char *location;
  int64_t first, count;
  OdlDerivedChoice choice; // its rectangles are owned
} Order;

typedef struct {
  const OdlWindowParts *parts;
  GtkWidget *window; // NULL when it was closed
  char *path; // NULL: it is asked for
  char *location; // of the file
  int64_t index; // of the frame shown, in the file
  bool whole; // the file is what is shown, and has more frames
  OdlDerivedPreview *preview; // NULL: not read yet
  guint8 secret[ODL_DERIVED_SECRET_BYTES];
  GCancellable *reading, *reporting;
  guint report_id;
  OdlBlankGroup *blanks;
  GtkWidget *frames, *deidentify, *days_row, *days, *save;
  GtkLabel *pixels;
  GtkWidget *list; // rows of the report
} Asking;

static void
asking_free (void *data)
{
  Asking *asking = data;

  g_clear_object (&asking->reading);
  g_clear_object (&asking->reporting);
  odl_derived_preview_unref (asking->preview);
  odl_blank_group_free (asking->blanks);
  g_free (asking->path);
  g_free (asking->location);
  g_free (asking);
}

static Asking *
asking_of (GObject *window)
{
  return g_object_get_data (window, "odl-derived");
}

// ---- What is chosen ------------------------------------------------------------------

static void
set_wrong (GtkWidget *row, bool wrong)
{
  if (wrong)
    gtk_widget_add_css_class (row, "error");
  else
    gtk_widget_remove_css_class (row, "error");
}

// By which dates are moved; false: it is no number of days.
static bool
read_days (const Asking *asking, int *days)
{
  g_autofree char *text
      = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (asking->days))));
  gint64 number = 0;
  const bool good
      = *text == '\0'
        || g_ascii_string_to_signed (text, 10, -MOST_DAYS, MOST_DAYS, &number, NULL);

  *days = (int) number;
  set_wrong (asking->days, !good);
  return good;
}

static bool
is_on (GtkWidget *widget)
{
  return gtk_switch_get_active (GTK_SWITCH (widget));
}

// The rectangles are borrowed. False: something that was typed is wrong.
static bool
read_choice (const Asking *asking, OdlDerivedChoice *choice)
{
  int days = 0;
  const bool good = read_days (asking, &days);

  *choice = (OdlDerivedChoice){ .deidentify = is_on (asking->deidentify),
                                .days = days,
                                .in_area = odl_session_area (asking->parts->session)
                                           != ODL_AREA_ALL };
  memcpy (choice->secret, asking->secret, sizeof choice->secret);
  return odl_blank_group_read (asking->blanks, choice) && good;
}

// ---- What remains --------------------------------------------------------------------

static void
show_report (Asking *asking, const OdlDerivedReport *report)
{
  odl_derived_view_fill (GTK_GRID (asking->list), report,
                         odl_names_are_hidden (odl_names_of (asking->parts->session)));
  gtk_label_set_text (asking->pixels, report->pixels);
}

static void
say (Asking *asking, const GError *error)
{
  g_autofree char *text
      = odl_names_in_text (odl_names_of (asking->parts->session), error->message);

  odl_derived_view_clear (GTK_GRID (asking->list));
  gtk_label_set_text (asking->pixels, text);
}

static void
reported_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (GtkWidget) window = data;
  Asking *asking = asking_of (G_OBJECT (window));
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlDerivedReport) report
      = odl_derived_preview_report_finish (result, &error);

  if (!asking->window || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (report)
    show_report (asking, report);
  else
    say (asking, error);
  gtk_widget_set_sensitive (asking->save, report != NULL);
}

static gboolean
report_cb (void *data)
{
  Asking *asking = data;
  OdlDerivedChoice choice;

  asking->report_id = 0;
  if (!read_choice (asking, &choice))
    return G_SOURCE_REMOVE;
  g_cancellable_cancel (asking->reporting);
  g_clear_object (&asking->reporting);
  asking->reporting = g_cancellable_new ();
  odl_derived_preview_report (
      asking->preview, &choice, odl_session_recipe (asking->parts->session),
      asking->reporting, reported_cb, g_object_ref (asking->window));
  return G_SOURCE_REMOVE;
}

// Until it is known what would be written, nothing is.
static void
changed (Asking *asking)
{
  OdlDerivedChoice choice;

  gtk_widget_set_sensitive (asking->save, FALSE);
  gtk_widget_set_sensitive (asking->days_row, is_on (asking->deidentify));
  if (!asking->preview)
    return;
  g_clear_handle_id (&asking->report_id, g_source_remove);
  if (read_choice (asking, &choice))
    asking->report_id = g_timeout_add (REPORT_MS, report_cb, asking);
}

static void
changed_cb (void *asking)
{
  changed (asking);
}

static void
switched_cb (Asking *asking)
{
  changed (asking);
}

// ---- The picture ---------------------------------------------------------------------

static void
read_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (GtkWidget) window = data;
  Asking *asking = asking_of (G_OBJECT (window));
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlDerivedPreview) preview
      = odl_derived_preview_read_finish (result, &error);

  if (!asking->window)
    return;
  if (!preview) {
    say (asking, error);
    return;
  }
  asking->preview = g_steal_pointer (&preview);
  odl_blank_group_set_preview (asking->blanks, asking->preview);
}

// ---- Writing -------------------------------------------------------------------------

static void
order_free (void *data)
{
  Order *order = data;

  g_object_unref (order->window);
  g_free (order->location);
  g_free ((OdlBlank *) order->choice.blanks);
  g_free (order);
}

static void
write_to (const Order *order, const char *path, bool replace)
{
  const OdlWindowParts *parts = odl_main_window_parts (order->window);
  const OdlDerivedExport derived
      = { order->location, order->first, order->count, &order->choice, path, replace };

  odl_recording_export_derived (parts->recording, &derived);
}

static void
chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  const Order *order = data;
  g_autofree char *path = g_file_get_path (file);

  const bool named = g_str_has_suffix (path, ENDING);
  g_autofree char *whole = named ? g_strdup (path) : g_strconcat (path, ENDING, NULL);
  write_to (order, whole, named);
}

// All frames, those of the range, or the one that was shown.
static void
read_frames (const Asking *asking, Order *order)
{
  OdlPlayback *playback = asking->parts->playback;
  const guint chosen
      = asking->frames ? adw_combo_row_get_selected (ADW_COMBO_ROW (asking->frames)) : 0;

  order->first = asking->index;
  order->count = 1;
  if (!asking->whole || chosen == 0)
    return;
  order->first = 0;
  order->count = 0;
  if (chosen == 2) {
    order->first = odl_playback_range (playback).first;
    order->count = odl_playback_range (playback).last - order->first + 1;
  }
}

static void
save_cb (Asking *asking)
{
  OdlDerivedChoice choice;
  const OdlWindowParts *parts = asking->parts;

  if (!read_choice (asking, &choice))
    return;
  Order *order = g_new0 (Order, 1);
  *order = (Order){ .window = g_object_ref (parts->window),
                    .location = g_strdup (asking->location),
                    .choice = choice };
  order->choice.blanks
      = g_memdup2 (choice.blanks, choice.n_blanks * sizeof *choice.blanks);
  read_frames (asking, order);
  g_autofree char *path = g_strdup (asking->path);
  gtk_window_destroy (GTK_WINDOW (asking->window)); // which ends `asking`
  if (path) {
    write_to (order, path, false);
    order_free (order);
    return;
  }
  // The name of the file may be the patient's.
  g_autofree char *name = choice.deidentify ? g_strconcat (_ ("picture"), ENDING, NULL)
                                            : odl_files_save_name (parts, ENDING);
  GtkFileChooser *chooser = odl_file_chooser_new (
      parts, _ ("Save as DICOM"), GTK_FILE_CHOOSER_ACTION_SAVE, name, chosen_cb, order);
  g_object_set_data_full (G_OBJECT (chooser), "odl-order", order, order_free);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

// ---- The window ----------------------------------------------------------------------

static GtkWidget *
add_group (GtkWidget *box, const char *title, const char *description)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), description);
  gtk_box_append (GTK_BOX (box), group);
  return group;
}

static GtkWidget *
add_switch (Asking *asking, GtkWidget *group, const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new (), *on = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_widget_set_valign (on, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), on);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), on);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  g_signal_connect_swapped (on, "notify::active", G_CALLBACK (switched_cb), asking);
  return on;
}

static GtkWidget *
add_entry (Asking *asking, GtkWidget *group, const char *title, GCallback cb)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  g_signal_connect_swapped (row, "changed", cb, asking);
  return row;
}

static void
add_frames (Asking *asking, GtkWidget *group)
{
  OdlPlayback *playback = asking->parts->playback;
  const int64_t n = odl_playback_n_frames (playback);
  g_autofree char *one
      = g_strdup_printf (_ ("This one, %" PRId64), (int64_t) asking->index + 1);
  g_autofree char *all = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "All %" PRId64, "All %" PRId64, (gulong) n), n);
  g_autofree char *range = g_strdup_printf (_ ("The range, %" PRId64 " to %" PRId64),
                                            odl_playback_range (playback).first + 1,
                                            odl_playback_range (playback).last + 1);
  const char *const titles[]
      = { one, all, odl_playback_range (playback).whole ? NULL : range, NULL };
  g_autoptr (GtkStringList) model = gtk_string_list_new (titles);

  asking->frames = adw_combo_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (asking->frames), _ ("Frames"));
  adw_combo_row_set_model (ADW_COMBO_ROW (asking->frames), G_LIST_MODEL (model));
  adw_combo_row_set_selected (ADW_COMBO_ROW (asking->frames), 1);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), asking->frames);
}

static void
fill (Asking *asking, GtkWidget *box)
{
  GtkWidget *group = add_group (box, NULL, NULL);

  if (asking->whole)
    add_frames (asking, group);
  asking->deidentify = add_switch (asking, group, _ ("De-identify (Anonymise)"),
                                   _ ("Names, numbers and comments go by the Basic "
                                      "Profile of PS3.15; identifiers become others"));
  asking->days = asking->days_row
      = add_entry (asking, group, _ ("Move dates by days (nothing: dates are removed)"),
                   G_CALLBACK (switched_cb));
  asking->blanks = odl_blank_group_new (GTK_BOX (box), changed_cb, asking);
  group = add_group (box, _ ("What the File Will Tell"), NULL);
  asking->pixels = GTK_LABEL (gtk_label_new (_ ("Reading the file…")));
  gtk_label_set_wrap (asking->pixels, TRUE);
  gtk_label_set_xalign (asking->pixels, 0);
  gtk_widget_add_css_class (GTK_WIDGET (asking->pixels), "heading");
  asking->list = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (asking->list), 12);
  gtk_grid_set_row_spacing (GTK_GRID (asking->list), 3);
  gtk_widget_set_margin_top (asking->list, 6);
  // Page keys turn its pages; in the rows above they go from row to row.
  gtk_widget_set_focusable (asking->list, TRUE);
  gtk_widget_add_css_class (asking->list, "told");
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (asking->pixels));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), asking->list);
}

static GtkWidget *
make_header (Asking *asking)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));

  asking->save = gtk_button_new_with_mnemonic (asking->path ? _ ("_Save") : _ ("_Save…"));
  gtk_widget_add_css_class (asking->save, "suggested-action");
  gtk_widget_set_sensitive (asking->save, FALSE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (cancel), "window.close");
  g_signal_connect_swapped (asking->save, "clicked", G_CALLBACK (save_cb), asking);
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), asking->save);
  return header;
}

static void
closed_cb (Asking *asking)
{
  asking->window = NULL;
  g_cancellable_cancel (asking->reading);
  g_cancellable_cancel (asking->reporting);
  g_clear_handle_id (&asking->report_id, g_source_remove);
}

static void
make_window (Asking *asking)
{
  GtkWidget *window = odl_child_window_new (GTK_WINDOW (asking->parts->window),
                                            _ ("Save as DICOM"), WIDTH, HEIGHT);
  GtkWidget *outer, *box, *clamp, *scrolled;

  asking->window = window;
  g_object_set_data_full (G_OBJECT (window), "odl-derived", asking, asking_free);
  g_signal_connect_swapped (window, "destroy", G_CALLBACK (closed_cb), asking);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  outer = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  clamp = adw_clamp_new ();
  scrolled = gtk_scrolled_window_new ();
  gtk_widget_add_css_class (box, "panel-content");
  fill (asking, box);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), clamp);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (outer), make_header (asking));
  gtk_box_append (GTK_BOX (outer), scrolled);
  adw_window_set_content (ADW_WINDOW (window), outer);
}

bool
odl_derived_window_is_possible (const OdlWindowParts *parts)
{
  return odl_window_shows_picture (parts) && odl_session_file (parts->session)
         && odl_session_detail (parts->session, "transfer-syntax");
}

void
odl_derived_window_present (const OdlWindowParts *parts, const char *path)
{
  const OdlFrame *frame = odl_session_frame (parts->session);
  const char *location = odl_session_info (parts->session)->location;
  const char *file = odl_session_file (parts->session);
  const OdlWindow window = odl_viewport_window (parts->viewport);

  if (!frame || !file || !odl_session_is_of_source (parts->session, frame))
    return;
  Asking *asking = g_new0 (Asking, 1);
  const bool same = g_strcmp0 (location, file) == 0;
  asking->parts = parts;
  asking->path = g_strdup (path);
  asking->location = g_strdup (file);
  // Of a stack, each picture is a file of its own.
  asking->index = same ? frame->index : 0;
  asking->whole = same && odl_playback_is_moving (parts->playback);
  asking->reading = g_cancellable_new ();
  odl_derived_make_secret (asking->secret);
  make_window (asking);
  odl_derived_preview_read (file, asking->index, &window, asking->reading, read_cb,
                            g_object_ref (asking->window));
  gtk_window_present (GTK_WINDOW (asking->window));
}

static void
present_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_derived_window_present (
      parts, parameter != NULL ? g_variant_get_string (parameter, NULL) : NULL);
}

void
odl_derived_window_add_actions (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "save-dicom", G_CALLBACK (present_cb), .when = odl_derived_window_is_possible },
    { "save-dicom-to", G_CALLBACK (present_cb), "s",
      .when = odl_derived_window_is_possible },
  };
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
}
