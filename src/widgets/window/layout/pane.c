// SPDX-License-Identifier: MIT
#include "widgets/window/layout/pane.h"

#include <glib/gi18n-lib.h>

#include "widgets/preferences.h"
#include "widgets/window/layout/grid.h"
#include "widgets/window/parts.h"

static void
expanded_cb (const OdlWindowParts *parts, GParamSpec *spec, GtkExpander *expander)
{
  odl_window_tell (parts, "parameters", expander);
}

static void
add_filter_panel (OdlPane *self)
{
  const OdlWindowParts *parts = self->parts;
  self->filter_panel = g_object_new (ODL_TYPE_FILTER_PANEL, NULL);
  gtk_stack_add_child (odl_window_child (parts, "filter_panels"),
                       GTK_WIDGET (self->filter_panel));
  odl_filter_panel_set_up (self->filter_panel, self->session, self->viewport);
  odl_filter_panel_set_levels_menu (self->filter_panel,
                                    odl_window_child (parts, "presets_menu"));
  odl_window_connect (parts, odl_filter_panel_parameters (self->filter_panel),
                      "notify::expanded", G_CALLBACK (expanded_cb), (void *) parts);
}

static GtkWidget *
make_label (const char *text, const char *style, GtkAlign across, GtkAlign along)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (label, style);
  gtk_widget_set_halign (label, across);
  gtk_widget_set_valign (label, along);
  gtk_widget_set_can_target (label, FALSE);
  gtk_widget_set_visible (label, FALSE);
  return label;
}

static void
add_widgets (OdlPane *self)
{
  GtkOverlay *overlay = GTK_OVERLAY (gtk_overlay_new ());
  self->widget = GTK_WIDGET (overlay);
  self->viewport = g_object_new (ODL_TYPE_VIEWPORT, NULL);
  self->hint = make_label (_ ("Drop a picture here, or open one (Ctrl+O)"), "pane-hint",
                           GTK_ALIGN_CENTER, GTK_ALIGN_CENTER);
  self->failure = g_object_new (ODL_TYPE_FAILURE_PAGE, "visible", FALSE, NULL);
  self->note
      = GTK_LABEL (make_label (NULL, "pane-note", GTK_ALIGN_START, GTK_ALIGN_START));
  self->stranger = make_label (_ ("ANOTHER PATIENT"), "pane-stranger", GTK_ALIGN_START,
                               GTK_ALIGN_START);
  GtkWidget *notes = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  gtk_widget_add_css_class (notes, "pane-notes");
  gtk_widget_set_can_target (notes, FALSE);
  gtk_widget_set_halign (notes, GTK_ALIGN_START);
  gtk_widget_set_valign (notes, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (notes), self->stranger);
  gtk_box_append (GTK_BOX (notes), GTK_WIDGET (self->note));
  self->edge = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->edge, "pane-edge");
  gtk_widget_set_can_target (self->edge, FALSE);
  gtk_widget_set_visible (self->edge, FALSE);
  gtk_overlay_set_child (overlay, GTK_WIDGET (self->viewport));
  GtkWidget *const over[] = { self->hint, notes, GTK_WIDGET (self->failure), self->edge };
  for (size_t i = 0; i < G_N_ELEMENTS (over); i++)
    gtk_overlay_add_overlay (overlay, over[i]);
  odl_pane_grid_append (odl_window_child (self->parts, "panes"), self->widget);
}

// What was chosen for the window holds for its other panes, too.
static void
take_choices (OdlPane *self, const OdlPane *like)
{
  g_autofree char *engine = odl_settings_get_string (self->parts->settings, "engine");
  OdlEngineRequest request;
  if (like) {
    odl_session_set_engine_request (self->session,
                                    odl_session_engine_request (like->session));
    odl_viewport_set_shows_values (self->viewport,
                                   odl_viewport_shows_values (like->viewport));
    odl_viewport_set_saves_values (self->viewport,
                                   odl_viewport_saves_values (like->viewport));
    odl_viewport_set_shows_corners (self->viewport,
                                    odl_viewport_shows_corners (like->viewport));
  } else if (odl_engine_request (NULL, engine, &request, NULL))
    odl_session_set_engine_request (self->session, &request);
  odl_preferences_apply (self->parts->settings, self->session, self->viewport);
}

OdlPane *
odl_pane_new (const OdlWindowParts *parts, const OdlPane *like)
{
  OdlPane *self = g_new0 (OdlPane, 1);
  self->parts = parts;
  self->session = odl_session_new ();
  if (like)
    odl_names_share (odl_names_of (like->session), self->session);
  odl_session_set_planes (self->session, true);
  add_widgets (self);
  odl_viewport_set_session (self->viewport, self->session);
  odl_viewport_set_menu (self->viewport, odl_window_child (parts, "picture_menu"));
  add_filter_panel (self);
  self->page = odl_page_new (self);
  take_choices (self, like);
  return self;
}

void
odl_pane_remove (OdlPane *self)
{
  GtkStack *panels = odl_window_child (self->parts, "filter_panels");
  odl_session_set_playing (self->session, false);
  odl_session_cancel_open (self->session);
  g_signal_handlers_disconnect_by_data (self->viewport, self);
  gtk_widget_unparent (self->widget);
  gtk_stack_remove (panels, GTK_WIDGET (self->filter_panel));
}

void
odl_pane_free (OdlPane *self)
{
  if (self->session)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  odl_page_free (self->page);
  g_free (self);
}

bool
odl_pane_is_empty (const OdlPane *self)
{
  return !odl_session_info (self->session)->location
         && !odl_session_opening (self->session);
}

char *
odl_pane_name (const OdlPane *self)
{
  char *failed = odl_page_title (self->page);
  return failed ? failed : odl_names_of_source (self->session);
}

void
odl_pane_set_note (OdlPane *self, const char *text)
{
  gtk_label_set_text (self->note, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->note), text != NULL);
}

void
odl_pane_set_stranger (OdlPane *self, bool stranger)
{
  gtk_widget_set_visible (self->stranger, stranger);
}
