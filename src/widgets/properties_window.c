// SPDX-License-Identifier: MIT
#include "widgets/properties_window.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "image/annotation/scale.h"
#include "session/browse/header.h"
#include "widgets/diagnostics.h"
#include "widgets/window/parts.h"

#define WIDTH 760
#define HEIGHT 720
#define INDENT 16 // logical pixels, of what is one deeper

// The parts of a line of the header.
enum { DEPTH, TAG, VR, NAME, VALUE, N_PARTS };

typedef struct {
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
  g_cancellable_cancel (properties->reading);
  g_object_unref (properties->reading);
  g_free (properties->search);
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

static GtkWidget *
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
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), properties->list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static void
read_cb (GObject *object, GAsyncResult *result, void *data)
{
  GWeakRef *reference = data;
  g_autoptr (GObject) window = g_weak_ref_get (reference);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = odl_header_read_finish (result, &error);
  Properties *properties = window ? g_object_get_data (window, "properties") : NULL;
  g_weak_ref_clear (reference);
  g_free (reference);
  // The list went with the window.
  if (!properties || g_cancellable_is_cancelled (properties->reading))
    return;
  g_auto (GStrv) lines = g_strsplit (text ? text : "", "\n", -1);
  const guint n = g_strv_length (lines);
  // What ends the last line begins no other one.
  if (n > 0 && !*lines[n - 1])
    g_clear_pointer (&lines[n - 1], g_free);
  gtk_string_list_splice (properties->lines, 0, 0, (const char *const *) lines);
  if (error)
    gtk_label_set_text (properties->note, error->message);
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
  const OdlImageInfo *info = odl_image_info (frame->input);
  const OdlScale scale = odl_scale_of (info);
  const char *note = odl_scale_note (&scale);
  g_autofree char *size = g_strdup_printf ("%d × %d", info->extent.x, info->extent.y);
  g_autofree char *pixel
      = scale.known ? g_strdup_printf ("%.4g × %.4g mm", scale.x, scale.y) : NULL;
  g_autofree char *with_note
      = g_strjoin (pixel && note ? ", " : "", pixel ? pixel : "", note ? note : "", NULL);
  add_row (grid, row, _ ("Size"), size);
  add_row (grid, row, _ ("Size of a pixel"), with_note);
}

static GtkWidget *
make_summary (OdlSession *session, bool masks_names)
{
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
  add_row (GTK_GRID (grid), &row, _ ("Warning"), info->warning);
  return grid;
}

// ---- the window ----------------------------------------------------------------------

static void
add_header (Properties *properties, GtkWidget *window, GtkBox *box, const char *path)
{
  GtkWidget *search = gtk_search_entry_new ();
  gtk_widget_set_margin_start (search, 12);
  gtk_widget_set_margin_end (search, 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Search the header"), -1);
  g_signal_connect (search, "search-changed", G_CALLBACK (search_cb), properties);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (search), window);
  properties->note = GTK_LABEL (gtk_label_new (_ ("Reading the header…")));
  gtk_label_set_wrap (properties->note, TRUE);
  gtk_box_append (box, search);
  gtk_box_append (box, GTK_WIDGET (properties->note));
  gtk_box_append (box, make_list (properties));
  // No reference: a window that is closed must not outlive the one that it belongs to.
  GWeakRef *reference = g_new (GWeakRef, 1);
  g_weak_ref_init (reference, window);
  odl_header_read (path, properties->reading, read_cb, reference);
}

GtkWindow *
odl_properties_window_present (OdlMainWindow *parent)
{
  const OdlWindowParts *parts = odl_main_window_parts (parent);
  Properties *properties = g_new0 (Properties, 1);
  GtkWidget *window = adw_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  const char *path = odl_session_file (parts->session);
  properties->reading = g_cancellable_new ();
  properties->masks_names = odl_viewport_masks_names (parts->viewport);
  g_object_set_data_full (G_OBJECT (window), "properties", properties, properties_free);
  g_signal_connect_swapped (window, "destroy", G_CALLBACK (g_cancellable_cancel),
                            properties->reading);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Properties"));
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (parent));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), make_summary (parts->session, properties->masks_names));
  if (path && odl_session_detail (parts->session, "transfer-syntax"))
    add_header (properties, window, GTK_BOX (box), path);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}
