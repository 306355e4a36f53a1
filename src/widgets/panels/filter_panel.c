// SPDX-License-Identifier: MIT
#include "widgets/panels/filter_panel.h"

#include <glib/gi18n-lib.h>

#include "image/volume/volume.h"
#include "widgets/menus.h"
#include "widgets/names.h"
#include "widgets/panels/add_menu.h"
#include "widgets/panels/measures/histogram.h"
#include "widgets/panels/history_list.h"
#include "widgets/panels/parameters/number_field.h"
#include "widgets/viewport/legend.h"

// The values of a picture are counted so long after it was painted.
#define COUNT_MS 200

struct _OdlFilterPanel {
  GtkWidget parent_instance;
  OdlSession *session;
  OdlViewport *viewport;

  GtkWidget *root;
  OdlFilterChain *chain;
  GtkMenuButton *add_button;
  OdlPresetBar *presets;
  GtkMenuButton *history;
  GtkExpander *parameters; // the filters and all that is below them
  GtkLabel *note;
  AdwComboRow *colour;
  GtkSwitch *keep;
  GtkWidget *levels;
  AdwExpanderRow *levels_fold;
  GtkMenuButton *levels_menu;
  OdlHistogram *histogram;
  OdlImage *counted; // whose values it shows; NULL: none
  guint count_id;
  GtkSpinButton *centre;
  GtkSpinButton *width;
  GtkLabel *centre_unit;
  GtkLabel *width_unit;
  double told[2]; // centre and width, as they were told last
  bool has_shares; // the picture, instead of values of the file

  OdlPlan *plan; // plan described by the rows; NULL: none yet
  bool updating;
  bool covered; // the picture is covered by a page
};

G_DEFINE_FINAL_TYPE (OdlFilterPanel, odl_filter_panel, GTK_TYPE_WIDGET)

// ---- the chain -----------------------------------------------------------------------

GtkWidget *
odl_filter_panel_card (OdlFilterPanel *self, int item)
{
  return odl_filter_chain_card (self->chain, item);
}

OdlFilterChain *
odl_filter_panel_chain (OdlFilterPanel *self)
{
  return self->chain;
}

static void
add_filter (GtkWidget *widget, const char *action, GVariant *parameter)
{
  const OdlFilter *filter = odl_filter_find (g_variant_get_string (parameter, NULL));
  if (filter)
    odl_filter_chain_add (ODL_FILTER_PANEL (widget)->chain, filter);
}

static void
move_filter (GtkWidget *widget, const char *action, GVariant *parameter)
{
  int from, to;
  gboolean by_button;
  g_variant_get (parameter, "(iib)", &from, &to, &by_button);
  odl_filter_chain_move (ODL_FILTER_PANEL (widget)->chain, from, to, by_button);
}

static void
search_filter (GtkWidget *widget, const char *action, GVariant *parameter)
{
  odl_filter_chain_search (ODL_FILTER_PANEL (widget)->chain);
}

static void
use_preset (GtkWidget *widget, const char *action, GVariant *parameter)
{
  OdlFilterPanel *self = ODL_FILTER_PANEL (widget);
  g_autoptr (GError) error = NULL;
  if (!odl_preset_bar_use (self->presets, g_variant_get_string (parameter, NULL), &error))
    g_signal_emit_by_name (self->session, "message", error->message);
}

OdlPresetBar *
odl_filter_panel_presets (OdlFilterPanel *self)
{
  return self->presets;
}

void
odl_filter_panel_set_levels_menu (OdlFilterPanel *self, GMenuModel *menu)
{
  gtk_menu_button_set_menu_model (self->levels_menu, menu);
}

GtkExpander *
odl_filter_panel_parameters (OdlFilterPanel *self)
{
  return self->parameters;
}

AdwExpanderRow *
odl_filter_panel_levels (OdlFilterPanel *self)
{
  return self->levels_fold;
}

// ---- how the filters work ------------------------------------------------------------

static void
update_rows (OdlFilterPanel *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  OdlFrame *frame = odl_session_frame (self->session);
  bool is_colour = frame && frame->plan->geometry.channels >= 3;
  self->updating = true;
  adw_combo_row_set_selected (self->colour, recipe->colour);
  self->updating = false;
  gtk_widget_set_visible (GTK_WIDGET (self->colour), is_colour);
  const char *note = odl_session_note (self->session);
  g_autofree char *other = frame ? odl_engine_note (frame->engine, frame->plan) : NULL;
  g_autofree char *both = note && other ? g_strdup_printf ("%s; %s", note, other) : NULL;
  const char *text = both ? both : other ? other : note;
  gtk_label_set_text (self->note, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->note), text != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->add_button),
                            recipe->n_items < ODL_RECIPE_MAX_FILTERS);
}

// Frames arrive dozens of times a second, plans rarely.
static void
painted_cb (OdlFilterPanel *self)
{
  OdlFrame *frame = odl_session_frame (self->session);
  if (!frame || frame->plan == self->plan)
    return;
  g_clear_pointer (&self->plan, odl_plan_unref);
  self->plan = odl_plan_ref (frame->plan);
  update_rows (self);
}

static void
colour_cb (OdlFilterPanel *self)
{
  if (self->updating)
    return;
  OdlRecipe recipe = *odl_session_recipe (self->session);
  recipe.colour = (OdlColourMode) adw_combo_row_get_selected (self->colour);
  odl_session_set_recipe (self->session, &recipe, NULL);
}

static void
keep_cb (OdlFilterPanel *self)
{
  odl_session_set_keep_recipe (self->session, gtk_switch_get_active (self->keep));
}

// ---- window --------------------------------------------------------------------------

static void
window_cb (OdlFilterPanel *self)
{
  if (!self->updating)
    odl_viewport_set_window (self->viewport, gtk_spin_button_get_value (self->centre),
                             gtk_spin_button_get_value (self->width));
}

static void
chosen_cb (OdlFilterPanel *self, double centre, double width)
{
  odl_viewport_set_window (self->viewport, centre, width);
}

static gboolean
count_cb (void *data)
{
  OdlFilterPanel *self = data;
  OdlFrame *frame = odl_session_frame (self->session);
  self->count_id = 0;
  g_clear_pointer (&self->counted, odl_image_unref);
  if (frame)
    self->counted = odl_image_ref (frame->input);
  // Around three planes there are no values.
  g_autoptr (OdlImage) tall
      = frame && frame->planes ? odl_volume_tall (frame->volume, NULL) : NULL;
  odl_histogram_set_picture (self->histogram, tall ? tall : self->counted, NULL);
  return G_SOURCE_REMOVE;
}

// While pictures move, some of them.
static void
count_later (OdlFilterPanel *self)
{
  const OdlFrame *frame = odl_session_frame (self->session);
  if (frame && frame->input != self->counted && !self->count_id
      && gtk_widget_get_mapped (GTK_WIDGET (self->histogram)))
    self->count_id = g_timeout_add (COUNT_MS, count_cb, self);
}

// Steps that suit both a CT's thousands and a float image's 0 … 1.
static void
set_number (GtkSpinButton *button, double value, double range)
{
  double step = range >= 20 ? 1 : range >= 2 ? 0.1 : 0.001;
  gtk_spin_button_set_increments (button, step, 10 * step);
  gtk_spin_button_set_value (button, value);
}

static void
update_window (OdlFilterPanel *self)
{
  OdlFrame *frame = odl_session_frame (self->session);
  if (!frame)
    return;
  const OdlImageInfo *info = odl_image_info (frame->input);
  double range = (info->stored_max - info->stored_min) * ABS (info->value_map.slope);
  gtk_widget_set_visible (self->levels, !odl_viewport_shows_surface (self->viewport));
  double centre, width;
  odl_viewport_get_window (self->viewport, &centre, &width);
  self->updating = true;
  set_number (self->centre, centre, range);
  set_number (self->width, width, range);
  self->told[0] = centre;
  self->told[1] = width;
  self->has_shares = odl_viewport_shows_tensor (self->viewport);
  const char *unit = self->covered      ? ""
                     : self->has_shares ? _ ("of the file")
                                        : info->value_map.unit;
  odl_histogram_set_window (self->histogram, centre, width);
  gtk_label_set_text (self->centre_unit, unit);
  gtk_label_set_text (self->width_unit, unit);
  self->updating = false;
}

void
odl_filter_panel_set_covered (OdlFilterPanel *self, bool covered)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;

  self->covered = covered;
  // GTK does not notify a text entry of losing the focus when it becomes insensitive.
  if (covered && focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    gtk_root_set_focus (root, NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self), !covered);
  odl_number_field_set_empty (self->centre, covered);
  odl_number_field_set_empty (self->width, covered);
  update_window (self);
}

// Another filter may want another window, or have other values.
static void
follow_result (OdlFilterPanel *self)
{
  double centre, width;
  odl_viewport_get_window (self->viewport, &centre, &width);
  if (odl_viewport_shows_tensor (self->viewport) == self->has_shares
      && centre == self->told[0] && width == self->told[1])
    return;
  update_window (self);
}

// ---- widget --------------------------------------------------------------------------

void
odl_filter_panel_set_up (OdlFilterPanel *self, OdlSession *session, OdlViewport *viewport)
{
  g_set_object (&self->session, session);
  self->viewport = viewport;
  odl_number_field_set_up (self->centre, session, false);
  odl_number_field_set_up (self->width, session, false);
  g_autoptr (GMenu) filters = odl_add_menu_new ();
  gtk_menu_button_set_menu_model (self->add_button, G_MENU_MODEL (filters));
  odl_preset_bar_set_up (self->presets, session);
  gtk_menu_button_set_popover (self->history, odl_history_list_new (session));
  g_signal_connect_object (session, "notify::recipe", G_CALLBACK (update_rows), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::engine", G_CALLBACK (update_rows), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (viewport, "painted", G_CALLBACK (painted_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (viewport, "painted", G_CALLBACK (follow_result), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (viewport, "changed", G_CALLBACK (update_window), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (viewport, "painted", G_CALLBACK (count_later), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->histogram, "map", G_CALLBACK (count_later), self,
                           G_CONNECT_SWAPPED);
  odl_menus_leave (GTK_WIDGET (self));
  odl_filter_chain_set_up (self->chain, session);
  update_rows (self);
}

static void
odl_filter_panel_dispose (GObject *object)
{
  OdlFilterPanel *self = ODL_FILTER_PANEL (object);
  g_clear_handle_id (&self->count_id, g_source_remove);
  g_clear_pointer (&self->counted, odl_image_unref);
  g_clear_pointer (&self->root, gtk_widget_unparent);
  g_clear_pointer (&self->plan, odl_plan_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_filter_panel_parent_class)->dispose (object);
}

static void
odl_filter_panel_class_init (OdlFilterPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_filter_panel_dispose;
  g_type_ensure (ODL_TYPE_HISTOGRAM);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "panel.add-filter", "s", add_filter);
  gtk_widget_class_install_action (widget_class, "panel.search-filter", NULL,
                                   search_filter);
  gtk_widget_class_install_action (widget_class, "panel.use-preset", "s", use_preset);
  gtk_widget_class_install_action (widget_class, "panel.move", "(iib)", move_filter);
  g_type_ensure (ODL_TYPE_PRESET_BAR);
  g_type_ensure (ODL_TYPE_FILTER_CHAIN);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/ondelette/Ondelette/ui/filter_panel.ui");
#define BIND(name) \
  gtk_widget_class_bind_template_child (widget_class, OdlFilterPanel, name)
  BIND (root);
  BIND (chain);
  BIND (add_button);
  BIND (presets);
  BIND (history);
  BIND (parameters);
  BIND (note);
  BIND (colour);
  BIND (keep);
  BIND (levels);
  BIND (levels_fold);
  BIND (levels_menu);
  BIND (histogram);
  BIND (centre);
  BIND (width);
  BIND (centre_unit);
  BIND (width_unit);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, colour_cb);
  gtk_widget_class_bind_template_callback (widget_class, keep_cb);
  gtk_widget_class_bind_template_callback (widget_class, window_cb);
  gtk_widget_class_bind_template_callback (widget_class, chosen_cb);
}

static void
odl_filter_panel_init (OdlFilterPanel *self)
{
  // The initial settings of the template are not choices of the user.
  self->updating = true;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->updating = false;
}
