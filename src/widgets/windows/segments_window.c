// SPDX-License-Identifier: MIT
#include "widgets/windows/segments_window.h"

#include <glib/gi18n-lib.h>

#include "widgets/window/parts.h"
#include "widgets/windows/child_window.h"

#define WIDTH 340
#define HEIGHT 480
#define KEY "segments"
#define SWATCH 16
#define INDEX "odl-index" // of a switch

typedef struct {
  const OdlWindowParts *parts;
  GtkWidget *nothing; // in the place of the list
  GtkWidget *scrolled;
  GtkWidget *box; // a group for each file
  GtkWidget *buttons[2];
  GPtrArray *switches; // of the segments, in their order; borrowed
  char *shown; // what rows there are
  bool filling; // the program, not a person
} Window;

// ---- rows ----------------------------------------------------------------------------

static void
draw_swatch (GtkDrawingArea *area, cairo_t *cairo, int width, int height, void *data)
{
  const double *colour = data;
  cairo_set_source_rgb (cairo, colour[0], colour[1], colour[2]);
  cairo_rectangle (cairo, 0, 0, width, height);
  cairo_fill (cairo);
}

static GtkWidget *
make_swatch (const double colour[3])
{
  GtkWidget *area = gtk_drawing_area_new ();
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), SWATCH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), SWATCH);
  gtk_widget_set_valign (area, GTK_ALIGN_CENTER);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_swatch,
                                  g_memdup2 (colour, 3 * sizeof *colour), g_free);
  gtk_accessible_update_state (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE,
                               -1);
  return area;
}

static void
switched_cb (Window *self, GParamSpec *property, GtkSwitch *one)
{
  if (self->filling)
    return;
  g_action_group_activate_action (
      G_ACTION_GROUP (self->parts->window), "segment",
      g_variant_new_int32 (GPOINTER_TO_INT (g_object_get_data (G_OBJECT (one), INDEX))));
}

static void
add_row (Window *self, GtkWidget *group, const OdlWindowSegment *segment, int index)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *one = gtk_switch_new ();
  g_autofree char *title = g_markup_escape_text (segment->name, -1);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), make_swatch (segment->colour));
  gtk_widget_set_valign (one, GTK_ALIGN_CENTER);
  gtk_switch_set_active (GTK_SWITCH (one), !segment->hidden);
  g_object_set_data (G_OBJECT (one), INDEX, GINT_TO_POINTER (index));
  g_ptr_array_add (self->switches, one);
  g_signal_connect_data (one, "notify::active", G_CALLBACK (switched_cb), self, NULL,
                         G_CONNECT_SWAPPED);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), one);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), one);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
}

// ---- all -----------------------------------------------------------------------------

static GtkWidget *
add_group (Window *self, const char *path)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_autofree char *name
      = odl_names_of_file (odl_names_of (self->parts->session), path, NULL);
  g_autofree char *title = g_markup_escape_text (name, -1);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  gtk_box_append (GTK_BOX (self->box), group);
  return group;
}

static void
make_rows (Window *self)
{
  const int n = odl_window_count_segments (self->parts);
  GtkWidget *group = NULL, *child;
  const char *path = NULL;
  g_ptr_array_set_size (self->switches, 0);
  while ((child = gtk_widget_get_first_child (self->box)))
    gtk_box_remove (GTK_BOX (self->box), child);
  for (int i = 0; i < n; i++) {
    OdlWindowSegment segment = odl_window_segment (self->parts, i);
    if (g_strcmp0 (segment.path, path) != 0)
      group = add_group (self, segment.path);
    path = segment.path;
    add_row (self, group, &segment, i);
    g_free (segment.name);
  }
}

// What rows there are, as text. Transfer full.
static char *
describe (const Window *self)
{
  GString *text = g_string_new (NULL);
  for (int i = 0; i < odl_window_count_segments (self->parts); i++) {
    OdlWindowSegment segment = odl_window_segment (self->parts, i);
    g_string_append_printf (text, "%s\n%s\n", segment.path, segment.name);
    g_free (segment.name);
  }
  return g_string_free (text, FALSE);
}

// Rows stay where they are the same, so that none loses the focus.
static void
update (Window *self)
{
  g_autofree char *shown = describe (self);
  self->filling = true;
  if (g_strcmp0 (shown, self->shown) != 0)
    make_rows (self);
  g_free (self->shown);
  self->shown = g_steal_pointer (&shown);
  for (guint i = 0; i < self->switches->len; i++) {
    OdlWindowSegment segment = odl_window_segment (self->parts, (int) i);
    gtk_switch_set_active (self->switches->pdata[i], !segment.hidden);
    g_free (segment.name);
  }
  self->filling = false;
  gtk_widget_set_visible (self->nothing, self->switches->len == 0);
  gtk_widget_set_visible (self->scrolled, self->switches->len > 0);
  for (int i = 0; i < 2; i++)
    gtk_widget_set_sensitive (self->buttons[i], self->switches->len > 0);
}

static void
show_cb (Window *self)
{
  odl_window_show_segments (self->parts, true);
}

static void
hide_cb (Window *self)
{
  odl_window_show_segments (self->parts, false);
}

// ---- window --------------------------------------------------------------------------

static void
window_free (void *data)
{
  Window *self = data;
  g_ptr_array_unref (self->switches);
  g_free (self->shown);
  g_free (self);
}

static GtkWidget *
make_header (Window *self)
{
  GtkWidget *bar = adw_header_bar_new ();
  self->buttons[0] = odl_child_window_button ("view-reveal-symbolic", _ ("Show All"),
                                              G_CALLBACK (show_cb), self);
  self->buttons[1] = odl_child_window_button ("view-conceal-symbolic", _ ("Hide All"),
                                              G_CALLBACK (hide_cb), self);
  for (int i = 0; i < 2; i++)
    adw_header_bar_pack_start (ADW_HEADER_BAR (bar), self->buttons[i]);
  return bar;
}

static GtkWidget *
make_scrolled (Window *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  gtk_widget_set_margin_start (self->box, 12);
  gtk_widget_set_margin_end (self->box, 12);
  gtk_widget_set_margin_bottom (self->box, 18);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->box);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
make_window (OdlMainWindow *parent)
{
  Window *self = g_new0 (Window, 1);
  GtkWidget *window
      // Translators: a window of what was outlined in a picture, such as organs.
      = odl_child_window_new (GTK_WINDOW (parent), _ ("Structures"), WIDTH, HEIGHT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->parts = odl_main_window_parts (parent);
  self->switches = g_ptr_array_new ();
  g_object_set_data_full (G_OBJECT (window), KEY, self, window_free);
  gtk_box_append (GTK_BOX (box), make_header (self));
  self->nothing = odl_child_window_nothing (
      "odl-polygon-symbolic", _ ("Nothing Outlined"),
      _ ("Segmentations and structure sets of DICOM beside the picture are listed here, "
         "each part with its name and colour."));
  self->scrolled = make_scrolled (self);
  gtk_box_append (GTK_BOX (box), self->nothing);
  gtk_box_append (GTK_BOX (box), self->scrolled);
  adw_window_set_content (ADW_WINDOW (window), box);
  update (self);
  return window;
}

GtkWindow *
odl_segments_window_present (OdlMainWindow *parent)
{
  return odl_child_window_present (parent, KEY, make_window);
}

// Nothing where the window is not open.
static void
update_window (OdlMainWindow *parent)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (gtk_window_get_transient_for (at->data) == GTK_WINDOW (parent)
        && g_object_get_data (at->data, KEY))
      update (g_object_get_data (at->data, KEY));
}

static void
present_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_segments_window_present (parts->window);
}

void
odl_segments_window_add_actions (const OdlWindowParts *parts)
{
  static const OdlWindowAction action = { "segments", G_CALLBACK (present_cb) };

  odl_window_add_actions (parts, &action, 1, (void *) parts);
  odl_window_connect (parts, parts->window, "told::segments", G_CALLBACK (update_window),
                      parts->window);
}
