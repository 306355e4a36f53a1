// SPDX-License-Identifier: MIT
#include "widgets/windows/properties_window.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "image/annotation/calibration.h"
#include "image/annotation/scale.h"
#include "session/browse/header.h"
#include "widgets/windows/child_window.h"
#include "widgets/diagnostics.h"
#include "widgets/names.h"
#include "widgets/window/parts.h"

#define WIDTH 760
#define HEIGHT 720
#define INDENT 16 // logical pixels, of what is one deeper

// The parts of a line of the header.
enum { DEPTH, TAG, VR, NAME, VALUE, N_PARTS };

// Another frame may be shown many times a second, of a stack that plays.
#define REFRESH_MS 250

typedef struct {
  const OdlWindowParts *parts;
  GtkWidget *window; // NULL when it was closed
  GtkBox *box;
  GtkWidget *summary;
  GtkWidget *search_entry;
  GtkWidget *scrolled; // around the list
  char *path; // of the file described; NULL: it has none
  guint64 serial; // of its source
  guint refresh_id;
  GtkStringList *lines;
  GtkFilter *filter;
  GtkFilterListModel *shown;
  GtkLabel *note; // in the place of the list
  GtkWidget *list;
  char *search; // folded; NULL: everything
  bool masks_names;
  GCancellable *reading;
} Properties;

static void
properties_free (void *data)
{
  Properties *properties = data;
  g_clear_object (&properties->reading);
  g_free (properties->search);
  g_free (properties->path);
  g_free (properties);
}

// ---- lines of the header -------------------------------------------------------------

static bool
names_somebody (char *const *parts)
{
  return g_str_has_prefix (parts[TAG], "(0010,") || g_str_equal (parts[VR], "PN");
}

// NULL: it is no line. Transfer full.
static GStrv
split (const Properties *properties, void *item)
{
  GStrv parts = g_strsplit (gtk_string_object_get_string (GTK_STRING_OBJECT (item)), "\t",
                            N_PARTS);
  if (g_strv_length (parts) == N_PARTS) {
    if (properties->masks_names && names_somebody (parts) && *parts[VALUE]) {
      g_free (parts[VALUE]);
      parts[VALUE] = g_strdup (_ ("Name hidden"));
    }
    return parts;
  }
  g_strfreev (parts);
  return NULL;
}

static gboolean
matches (void *item, void *data)
{
  Properties *properties = data;
  if (!properties->search)
    return TRUE;
  g_auto (GStrv) parts = split (properties, item);
  g_autofree char *all
      = parts ? g_strjoin (" ", parts[TAG], parts[NAME], parts[VALUE], NULL)
              : g_strdup ("");
  g_autofree char *folded = g_utf8_casefold (all, -1);
  return strstr (folded, properties->search) != NULL;
}

static void
search_cb (GtkEditable *entry, Properties *properties)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (entry)));
  g_free (properties->search);
  properties->search = *text ? g_utf8_casefold (text, -1) : NULL;
  gtk_filter_changed (properties->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

static void
copy_cb (GtkColumnView *list, guint index, Properties *properties)
{
  g_autoptr (GObject) item
      = g_list_model_get_item (G_LIST_MODEL (properties->shown), index);
  g_auto (GStrv) parts = item ? split (properties, item) : NULL;
  if (!parts)
    return;
  g_autofree char *text = g_strjoin ("\t", parts[TAG], parts[NAME], parts[VALUE], NULL);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (list)), text);
}

// ---- the list ------------------------------------------------------------------------

static void
setup_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *item, Properties *properties)
{
  const int part = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "part"));
  GtkWidget *label = gtk_list_item_get_child (item);
  g_auto (GStrv) parts = split (properties, gtk_list_item_get_item (item));
  // Never as markup.
  gtk_label_set_text (GTK_LABEL (label), parts ? parts[part] : "");
  gtk_widget_set_tooltip_text (label, parts && *parts[part] ? parts[part] : NULL);
  if (part == NAME)
    gtk_widget_set_margin_start (label,
                                 parts ? INDENT * CLAMP (atoi (parts[DEPTH]), 0, 16) : 0);
}

static void
add_column (Properties *properties, const char *title, int part, bool expands)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_object_set_data (G_OBJECT (factory), "part", GINT_TO_POINTER (part));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), properties);
  GtkColumnViewColumn *column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_expand (column, expands);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (properties->list), column);
  g_object_unref (column);
}

static void
make_list (Properties *properties)
{
  properties->lines = gtk_string_list_new (NULL);
  properties->filter = GTK_FILTER (gtk_custom_filter_new (matches, properties, NULL));
  properties->shown
      = gtk_filter_list_model_new (G_LIST_MODEL (properties->lines), properties->filter);
  GtkSelectionModel *selection
      = GTK_SELECTION_MODEL (gtk_single_selection_new (G_LIST_MODEL (properties->shown)));
  properties->list = gtk_column_view_new (selection);
  gtk_widget_add_css_class (properties->list, "data-table");
  gtk_widget_set_tooltip_text (properties->list, _ ("Enter copies a row"));
  g_signal_connect (properties->list, "activate", G_CALLBACK (copy_cb), properties);
  add_column (properties, _ ("Element"), NAME, true);
  add_column (properties, _ ("Tag"), TAG, false);
  add_column (properties, _ ("Value"), VALUE, true);
  properties->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (properties->scrolled),
                                 properties->list);
  gtk_widget_set_vexpand (properties->scrolled, TRUE);
}

// What waits for a header. No reference to the window: one that is closed must not
// outlive the one that it belongs to.
typedef struct {
  GWeakRef window;
  GCancellable *reading;
} Reading;

static void
read_cb (GObject *object, GAsyncResult *result, void *data)
{
  Reading *waiting = data;
  g_autoptr (GObject) window = g_weak_ref_get (&waiting->window);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = odl_header_read_finish (result, &error);
  Properties *properties = window ? g_object_get_data (window, "properties") : NULL;
  // The list went with the window, or another file came.
  const bool unwanted = g_cancellable_is_cancelled (waiting->reading);
  g_weak_ref_clear (&waiting->window);
  g_object_unref (waiting->reading);
  g_free (waiting);
  if (!properties || unwanted)
    return;
  g_auto (GStrv) lines = g_strsplit (text ? text : "", "\n", -1);
  const guint n = g_strv_length (lines);
  // What ends the last line begins no other one.
  if (n > 0 && !*lines[n - 1])
    g_clear_pointer (&lines[n - 1], g_free);
  gtk_string_list_splice (properties->lines, 0, 0, (const char *const *) lines);
  g_autofree char *reason = error ? odl_names_in_text (
                                odl_names_of (properties->parts->session), error->message)
                                  : NULL;
  if (error)
    gtk_label_set_text (properties->note, reason);
  gtk_widget_set_visible (GTK_WIDGET (properties->note), error != NULL);
}

// ---- for people ----------------------------------------------------------------------

static void
add_row (GtkGrid *grid, int *row, const char *name, const char *value)
{
  if (!value || !*value)
    return;
  GtkWidget *left = gtk_label_new (name), *right = gtk_label_new (value);
  gtk_label_set_xalign (GTK_LABEL (left), 1);
  gtk_label_set_xalign (GTK_LABEL (right), 0);
  gtk_widget_add_css_class (left, "dim-label");
  gtk_label_set_selectable (GTK_LABEL (right), TRUE);
  gtk_label_set_wrap (GTK_LABEL (right), TRUE);
  gtk_grid_attach (grid, left, 0, *row, 1, 1);
  gtk_grid_attach (grid, right, 1, (*row)++, 1, 1);
}

static void
add_picture (GtkGrid *grid, int *row, OdlSession *session)
{
  const OdlFrame *frame = odl_session_frame (session);
  if (!frame || !odl_session_is_of_source (session, frame))
    return;
  // The picture of three planes has a size and pixels of its own.
  const OdlImageInfo *info
      = odl_image_info (frame->planes ? frame->volume : frame->input);
  const OdlScale scale
      = odl_calibrated_scale (odl_session_annotations (session), frame->index, info);
  const char *note = odl_scale_note (&scale);
  g_autofree char *size = g_strdup_printf ("%d × %d", info->extent.x, info->extent.y);
  g_autofree char *pixel
      = scale.known ? g_strdup_printf ("%.4g × %.4g mm", scale.x, scale.y) : NULL;
  g_autofree char *with_note
      = g_strjoin (pixel && note ? ", " : "", pixel ? pixel : "", note ? note : "", NULL);
  const OdlImageInfo *came = odl_image_info (odl_frame_came (frame));
  g_autofree char *beams = odl_beams_to_text (&came->beams, came->extent.x);
  add_row (grid, row, _ ("Size"), size);
  add_row (grid, row, _ ("Size of a pixel"), with_note);
  add_row (grid, row, _ ("Beams"), beams);
}

// Colour profiles are not applied; that of sRGB is as the screen is taken to be.
static void
add_profile (GtkGrid *grid, int *row, OdlSession *session)
{
  const char *name = odl_session_detail (session, "colour-profile");
  const bool applied
      = g_strcmp0 (odl_session_detail (session, "colour-profile-applied"), "yes") == 0;
  g_autofree char *told
      // Translators: after the name of a colour profile, such as “Adobe RGB (1998)”.
      = name && !applied ? g_strdup_printf (_ ("%s, not applied"), name)
                         : g_strdup (name);

  add_row (grid, row, _ ("Colour profile"), told);
}

static GtkWidget *
make_summary (const OdlWindowParts *parts, const char *path, bool masks_names)
{
  OdlSession *session = parts->session;
  static const struct {
    const char *key;
    const char *name;
    bool masked;
    bool is_date; // other numbers of eight digits are none
  } rows[] = {
    { "patient-name", N_ ("Patient"), true },
    { "patient-id", N_ ("Number of the patient"), true },
    { "patient-birth", N_ ("Born"), true, true },
    { "patient-sex", N_ ("Sex"), false },
    { "study", N_ ("Study"), false },
    { "study-date", N_ ("Date of the study"), false, true },
    { "series-number", N_ ("Number of the series"), false },
    { "series", N_ ("Series"), false },
    { "modality", N_ ("Modality"), false },
    { "image-type", N_ ("Kind of picture"), false },
  };
  GtkWidget *grid = gtk_grid_new ();
  const OdlSourceInfo *info = odl_session_info (session);
  const char *lossy = odl_session_detail (session, "lossy");
  int row = 0;
  gtk_widget_add_css_class (grid, "panel-content");
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  OdlNames *names = odl_names_of (session);
  g_autofree char *name
      = path ? odl_names_of_file (names, path, NULL) : odl_names_of_source (session);
  add_row (GTK_GRID (grid), &row, _ ("File"), name);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const char *raw = odl_session_detail (session, rows[i].key);
    g_autofree char *value
        = rows[i].is_date ? odl_diagnostics_date (raw) : g_strdup (raw);
    add_row (GTK_GRID (grid), &row, _ (rows[i].name),
             value && rows[i].masked && masks_names ? _ ("Name hidden") : value);
  }
  add_row (GTK_GRID (grid), &row, _ ("Format"), info->format);
  add_picture (GTK_GRID (grid), &row, session);
  if (g_strcmp0 (lossy, "yes") == 0)
    add_row (GTK_GRID (grid), &row, _ ("Compression"), _ ("with losses"));
  add_profile (GTK_GRID (grid), &row, session);
  // Whoever reads grey levels has to know it.
  g_autofree char *screen
      = odl_diagnostics_screen (odl_viewport_screen (parts->viewport));
  add_row (GTK_GRID (grid), &row, _ ("Screen"), screen);
  g_autofree char *warning
      = info->warning ? odl_names_in_text (names, info->warning) : NULL;
  add_row (GTK_GRID (grid), &row, _ ("Warning"), warning);
  return grid;
}

// ---- the window ----------------------------------------------------------------------

// Down goes from the search into what it found.
static gboolean
search_key_cb (GtkEventControllerKey *keys,
               guint key,
               guint code,
               GdkModifierType state,
               Properties *properties)
{
  (void) keys, (void) code, (void) state;
  return key == GDK_KEY_Down && gtk_widget_grab_focus (properties->list);
}

// Escape takes the search back, then closes.
static void
stop_cb (GtkEditable *search, Properties *properties)
{
  if (*gtk_editable_get_text (search))
    gtk_editable_set_text (search, "");
  else
    gtk_window_close (GTK_WINDOW (properties->window));
}

static void
add_header (Properties *properties)
{
  GtkWidget *search = gtk_search_entry_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  properties->search_entry = search;
  gtk_widget_set_margin_start (search, 12);
  gtk_widget_set_margin_end (search, 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Search the header"), -1);
  g_signal_connect (search, "search-changed", G_CALLBACK (search_cb), properties);
  g_signal_connect (search, "stop-search", G_CALLBACK (stop_cb), properties);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (search_key_cb), properties);
  gtk_widget_add_controller (search, keys);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (search), properties->window);
  properties->note = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (properties->note, TRUE);
  make_list (properties);
  gtk_box_append (properties->box, search);
  gtk_box_append (properties->box, GTK_WIDGET (properties->note));
  gtk_box_append (properties->box, properties->scrolled);
}

static void
read_header (Properties *properties)
{
  const char *kind = odl_session_header_kind (properties->parts->session);
  const bool has_header = properties->path && kind;
  g_cancellable_cancel (properties->reading);
  g_clear_object (&properties->reading);
  gtk_string_list_splice (properties->lines, 0,
                          g_list_model_get_n_items (G_LIST_MODEL (properties->lines)),
                          NULL);
  gtk_widget_set_visible (properties->search_entry, has_header);
  gtk_widget_set_visible (properties->scrolled, has_header);
  gtk_widget_set_visible (GTK_WIDGET (properties->note), has_header);
  if (!has_header)
    return;
  Reading *waiting = g_new (Reading, 1);
  properties->reading = g_cancellable_new ();
  waiting->reading = g_object_ref (properties->reading);
  g_weak_ref_init (&waiting->window, properties->window);
  gtk_label_set_text (properties->note, _ ("Reading the header…"));
  odl_header_read (properties->path, kind, properties->reading, read_cb, waiting);
}

// Of the frame shown: what is said must never be of another patient's picture.
static void
describe (Properties *properties)
{
  OdlSession *session = properties->parts->session;
  const OdlFrame *frame = odl_session_frame (session);
  GtkWidget *before = gtk_widget_get_first_child (GTK_WIDGET (properties->box));
  properties->serial = frame ? frame->source_serial : 0;
  properties->masks_names = odl_viewport_masks_names (properties->parts->viewport);
  g_free (properties->path);
  properties->path = g_strdup (odl_session_file (session));
  if (properties->summary) {
    // GTK 4.8 complains of a focus whose label has gone.
    GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (properties->window));
    if (focus && gtk_widget_is_ancestor (focus, properties->summary))
      gtk_window_set_focus (GTK_WINDOW (properties->window), NULL);
    gtk_box_remove (properties->box, properties->summary);
  }
  properties->summary
      = make_summary (properties->parts, properties->path, properties->masks_names);
  gtk_box_insert_child_after (properties->box, properties->summary, before);
  read_header (properties);
}

static gboolean
refresh_cb (void *data)
{
  Properties *properties = data;
  properties->refresh_id = 0;
  describe (properties);
  return G_SOURCE_REMOVE;
}

static void
changed_cb (GtkWidget *window)
{
  Properties *properties = g_object_get_data (G_OBJECT (window), "properties");
  if (!properties->window || properties->refresh_id)
    return;
  OdlSession *session = properties->parts->session;
  const OdlFrame *frame = odl_session_frame (session);
  if (frame && odl_session_is_of_source (session, frame)
      && (frame->source_serial != properties->serial
          || g_strcmp0 (odl_session_file (session), properties->path) != 0))
    properties->refresh_id = g_timeout_add (REFRESH_MS, refresh_cb, properties);
}

// At once.
static void
names_cb (GtkWidget *window)
{
  Properties *properties = g_object_get_data (G_OBJECT (window), "properties");
  if (properties->window)
    describe (properties);
}

static void
follow_session (Properties *properties)
{
  OdlSession *session = properties->parts->session;
  g_signal_handlers_disconnect_by_func (session, changed_cb, properties->window);
  g_signal_connect_object (session, "frame-ready", G_CALLBACK (changed_cb),
                           properties->window, G_CONNECT_SWAPPED);
}

// What the active pane shows, at once: it may be of another patient.
static void
pane_cb (GtkWidget *window)
{
  Properties *properties = g_object_get_data (G_OBJECT (window), "properties");
  if (!properties->window)
    return;
  follow_session (properties);
  describe (properties);
}

static void
closed_cb (Properties *properties)
{
  properties->window = NULL;
  g_cancellable_cancel (properties->reading);
  g_clear_handle_id (&properties->refresh_id, g_source_remove);
}

static GtkWidget *
make_window (OdlMainWindow *parent)
{
  Properties *properties = g_new0 (Properties, 1);
  GtkWidget *window
      = odl_child_window_new (GTK_WINDOW (parent), _ ("Properties"), WIDTH, HEIGHT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  properties->parts = odl_main_window_parts (parent);
  properties->window = window;
  properties->box = GTK_BOX (box);
  g_object_set_data_full (G_OBJECT (window), "properties", properties, properties_free);
  g_signal_connect_swapped (window, "destroy", G_CALLBACK (closed_cb), properties);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  add_header (properties);
  adw_window_set_content (ADW_WINDOW (window), box);
  describe (properties);
  follow_session (properties);
  g_signal_connect_object (parent, "pane-changed", G_CALLBACK (pane_cb), window,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (odl_names_of (properties->parts->session), "changed",
                           G_CALLBACK (names_cb), window, G_CONNECT_SWAPPED);
  return window;
}

GtkWindow *
odl_properties_window_present (OdlMainWindow *parent)
{
  return odl_child_window_present (parent, "properties", make_window);
}
