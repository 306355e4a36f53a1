// SPDX-License-Identifier: MIT
#include "widgets/windows/fusion_window.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "session/browse/studies.h"
#include "widgets/diagnostics.h"
#include "widgets/panels/parameters/number_field.h"
#include "widgets/window/fusion.h"
#include "widgets/window/parts.h"
#include "widgets/windows/child_window.h"

#define WIDTH 420
#define HEIGHT 520
#define KEY "fusion-window"
#define UPDATE_MS 500
#define STEP 0.05
#define SLIDER_WIDTH 160
#define END_SLIDER_WIDTH 110
#define END_CHARACTERS 7
#define STEPS 100 // of a slider of values

// The value that the darkest, or the brightest, colour stands for.
typedef struct {
  GtkWidget *row;
  GtkAdjustment *typed, *slid; // in the unit of the file; what is typed may go beyond
  GtkSpinButton *field;
} End;

typedef struct {
  const OdlWindowParts *parts;
  AdwComboRow *volumes, *colours;
  GtkAdjustment *share;
  GtkWidget *levels; // group of both ends
  End ends[2];
  GtkLabel *range;
  GPtrArray *locations; // of the rows of volumes; "": none
  char *listed; // what the rows are
  bool filling; // the program, not a person
} Window;

static void
window_free (void *data)
{
  Window *self = data;
  g_ptr_array_unref (self->locations);
  g_free (self->listed);
  g_free (self);
}

static OdlPane *
pane_of (const Window *self)
{
  return odl_layout_active (self->parts->layout);
}

// ---- volumes -------------------------------------------------------------------------

static char *
name_series (const OdlSeries *series)
{
  g_autofree char *date = odl_diagnostics_date (series->study_date);
  const char *words[] = { series->modality, series->series, date };
  GString *text = g_string_new (NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i] && *words[i])
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", words[i]);
  return g_string_free (text, FALSE);
}

// Volumes of the list in the frame of reference of what is shown, of the same person.
static void
list_volumes (Window *self, GStrvBuilder *names)
{
  OdlSession *session = self->parts->session;
  const GPtrArray *list = odl_source_panel_studies (self->parts->source_panel);
  const char *space = odl_session_detail (session, "frame-of-reference");
  const char *shown = odl_session_info (session)->location;
  for (guint i = 0; space && *space && list && i < list->len; i++) {
    const OdlSeries *one = list->pdata[i];
    if (one->kind != ODL_SERIES_PICTURES || strcmp (one->space, space) != 0
        || g_strcmp0 (one->location, shown) == 0
        || MAX (one->n_pictures, one->n_frames) < 2)
      continue;
    g_autofree char *name = name_series (one);
    g_strv_builder_add (names, name);
    g_ptr_array_add (self->locations, g_strdup (one->location));
  }
}

static void
show_volumes (Window *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const char *chosen = odl_pane_fusion_location (pane_of (self));
  guint selected = 0;
  g_ptr_array_set_size (self->locations, 0);
  // Translators: no other volume is laid over the picture.
  g_strv_builder_add (builder, _ ("None"));
  g_ptr_array_add (self->locations, g_strdup (""));
  list_volumes (self, builder);
  for (guint i = 0; i < self->locations->len; i++)
    if (g_strcmp0 (self->locations->pdata[i], chosen) == 0)
      selected = i;
  if (chosen && selected == 0) {
    g_autofree char *name
        = odl_names_of_file (odl_names_of (self->parts->session), chosen, NULL);
    g_strv_builder_add (builder, name);
    g_ptr_array_add (self->locations, g_strdup (chosen));
    selected = self->locations->len - 1;
  }
  g_auto (GStrv) names = g_strv_builder_end (builder);
  g_autofree char *listed = g_strjoinv ("\n", names);
  if (g_strcmp0 (listed, self->listed) != 0) {
    g_autoptr (GtkStringList) model = gtk_string_list_new ((const char *const *) names);
    adw_combo_row_set_model (self->volumes, G_LIST_MODEL (model));
  }
  g_free (self->listed);
  self->listed = g_steal_pointer (&listed);
  if (adw_combo_row_get_selected (self->volumes) != selected)
    adw_combo_row_set_selected (self->volumes, selected);
}

// With four digits, without an exponent. Transfer full.
static char *
number_of (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  return odl_diagnostics_number (
      g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.4g", value), NULL));
}

// What the colours mean, or why there are none.
static char *
describe (const Window *self)
{
  const OdlFusion *fusion = odl_pane_fusion (pane_of (self));
  if (!fusion)
    return g_strdup (
        odl_pane_fusion_location (pane_of (self)) ? _ ("It is being read…")
        : self->locations->len > 1
            ? _ ("Choose what is laid over the picture, by their places in the patient.")
            : _ ("No other volume of the list of patients and studies is in the frame of "
                 "reference of this picture."));
  const OdlFusionLook look = odl_pane_fusion_look (pane_of (self));
  const OdlFusionLevels levels = odl_fusion_levels (fusion, look.levels);
  const double suv = odl_fusion_suv_factor (fusion);
  g_autofree char *from = number_of (levels.centre - levels.width / 2);
  g_autofree char *to = number_of (levels.centre + levels.width / 2);
  g_autofree char *suv_from = number_of (suv * (levels.centre - levels.width / 2));
  g_autofree char *suv_to = number_of (suv * (levels.centre + levels.width / 2));
  const char *unit = odl_fusion_unit (fusion);
  g_autofree char *of_unit
      = unit && *unit ? g_strconcat (" ", unit, NULL) : g_strdup ("");
  return suv > 0
             // Translators: what the darkest and the brightest colour stand for, the unit
             // behind a blank, if there is one, and what both are as SUVbw.
             ? g_strdup_printf (_ ("Colours from %s to %s%s (SUVbw %s to %s); not for "
                                   "diagnosis."),
                                from, to, of_unit, suv_from, suv_to)
             // Translators: the same without SUVbw.
             : g_strdup_printf (_ ("Colours from %s to %s%s; not for diagnosis."), from,
                                to, of_unit);
}

// ---- grey levels ---------------------------------------------------------------------

static void
set_bounds (GtkAdjustment *adjustment, double least, double most, double value)
{
  if (gtk_adjustment_get_lower (adjustment) != least
      || gtk_adjustment_get_upper (adjustment) != most)
    gtk_adjustment_configure (adjustment, value, least, most, (most - least) / STEPS,
                              (most - least) * 10 / STEPS, 0);
  else if (gtk_adjustment_get_value (adjustment) != value)
    gtk_adjustment_set_value (adjustment, value);
}

// What is typed for one end stays on its side of the other one.
static void
show_end (Window *self, int end, const double values[2], const double range[2])
{
  End *at = &self->ends[end];
  const double least = end == 0 ? -G_MAXFLOAT : nextafter (values[0], INFINITY);
  const double most = end == 0 ? nextafter (values[1], -INFINITY) : G_MAXFLOAT;
  const double step = (range[1] - range[0]) / STEPS;
  set_bounds (at->slid, fmin (range[0], values[0]), fmax (range[1], values[1]),
              values[end]);
  if (gtk_adjustment_get_lower (at->typed) != least
      || gtk_adjustment_get_upper (at->typed) != most
      || gtk_adjustment_get_value (at->typed) != values[end]
      || gtk_adjustment_get_step_increment (at->typed) != step)
    gtk_adjustment_configure (at->typed, values[end], least, most, step, 10 * step, 0);
}

static void
show_levels (Window *self)
{
  const OdlFusion *fusion = odl_pane_fusion (pane_of (self));
  gtk_widget_set_sensitive (self->levels, fusion != NULL);
  if (!fusion)
    return;
  const OdlFusionLook look = odl_pane_fusion_look (pane_of (self));
  const OdlFusionLevels levels = odl_fusion_levels (fusion, look.levels);
  const double suv = odl_fusion_suv_factor (fusion);
  const double values[2]
      = { levels.centre - levels.width / 2, levels.centre + levels.width / 2 };
  double range[2];
  odl_fusion_range (fusion, &range[0], &range[1]);
  for (int end = 0; end < 2; end++) {
    // Panes come and go.
    odl_number_field_set_up (self->ends[end].field, self->parts->session, false);
    // The unit of the field is set first, so that nothing is read in another one.
    odl_number_field_set_range (self->ends[end].field,
                                (OdlUnitRange){ 0, suv > 0 ? suv : 1 });
    show_end (self, end, values, range);
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self->ends[end].row),
                                 suv > 0 ? "SUVbw" : odl_fusion_unit (fusion));
  }
}

static void
show_look (Window *self)
{
  const OdlFusionLook look = odl_pane_fusion_look (pane_of (self));
  for (size_t i = 0; i < odl_colour_map_count (); i++)
    if (odl_colour_map_at (i) == look.map
        && adw_combo_row_get_selected (self->colours) != i)
      adw_combo_row_set_selected (self->colours, (guint) i);
  if (gtk_adjustment_get_value (self->share) != look.share)
    gtk_adjustment_set_value (self->share, look.share);
}

// It is about the active pane.
static gboolean
update_cb (void *data)
{
  Window *self = data;
  if (!self->parts->session)
    return G_SOURCE_CONTINUE;
  self->filling = true;
  show_volumes (self);
  show_look (self);
  show_levels (self);
  self->filling = false;
  g_autofree char *text = describe (self);
  if (g_strcmp0 (gtk_label_get_text (self->range), text) != 0)
    gtk_label_set_text (self->range, text);
  return G_SOURCE_CONTINUE;
}

// ---- what people choose --------------------------------------------------------------

static void
volume_cb (Window *self)
{
  const guint selected = adw_combo_row_get_selected (self->volumes);
  if (self->filling || selected >= self->locations->len)
    return;
  const char *location = self->locations->pdata[selected];
  odl_pane_set_fusion (pane_of (self), *location ? location : NULL);
  update_cb (self);
}

static void
look_cb (Window *self)
{
  OdlFusionLook look = odl_pane_fusion_look (pane_of (self));
  if (self->filling)
    return;
  look.share = gtk_adjustment_get_value (self->share);
  look.map = odl_colour_map_at (adw_combo_row_get_selected (self->colours));
  odl_pane_set_fusion_look (pane_of (self), look);
}

static void
set_levels (Window *self, OdlFusionLevels levels)
{
  OdlFusionLook look = odl_pane_fusion_look (pane_of (self));
  look.levels = levels;
  odl_pane_set_fusion_look (pane_of (self), look);
  update_cb (self);
}

// Of one end, by hand; a slider stops before the other end.
static void
take_end (Window *self, int end, double value)
{
  const OdlFusion *fusion = odl_pane_fusion (pane_of (self));
  if (!fusion)
    return;
  const OdlFusionLook look = odl_pane_fusion_look (pane_of (self));
  const OdlFusionLevels levels = odl_fusion_levels (fusion, look.levels);
  double values[2] = { levels.centre - levels.width / 2, 0 }, range[2];
  values[1] = values[0] + levels.width;
  odl_fusion_range (fusion, &range[0], &range[1]);
  const double least = fmax ((range[1] - range[0]) / STEPS / STEPS,
                             1e-6 * fmax (fabs (values[1 - end]), 1e-6));
  const double width = value - values[1 - end];
  values[end] = value;
  if ((end == 0 ? -width : width) < least)
    values[end] = values[1 - end] + (end == 0 ? -least : least);
  set_levels (self,
              (OdlFusionLevels){ (values[0] + values[1]) / 2, values[1] - values[0] });
}

#define NUMBER "odl-end" // of an adjustment: 0 or 1

static void
end_cb (Window *self, GtkAdjustment *adjustment)
{
  if (!self->filling)
    take_end (self, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (adjustment), NUMBER)),
              gtk_adjustment_get_value (adjustment));
}

static void
reset_cb (Window *self)
{
  set_levels (self, (OdlFusionLevels){ 0 });
}

// ---- window --------------------------------------------------------------------------

static GtkWidget *
make_share (Window *self)
{
  GtkWidget *row = adw_action_row_new ();
  self->share = gtk_adjustment_new (0, 0, 1, STEP, 2 * STEP, 0);
  GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->share);
  // Translators: how much of the volume that is laid over the picture is seen.
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Share"));
  gtk_widget_set_size_request (scale, SLIDER_WIDTH, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Share"), -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), scale);
  g_signal_connect_swapped (self->share, "value-changed", G_CALLBACK (look_cb), self);
  return row;
}

static GtkWidget *
make_colours (Window *self)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  for (size_t i = 0; i < odl_colour_map_count (); i++)
    gtk_string_list_append (names, _ (odl_colour_map_at (i)->label));
  self->colours = ADW_COMBO_ROW (row);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Colours"));
  adw_combo_row_set_model (self->colours, G_LIST_MODEL (names));
  g_signal_connect_swapped (row, "notify::selected", G_CALLBACK (look_cb), self);
  return row;
}

static GtkAdjustment *
make_end_adjustment (Window *self, int end)
{
  GtkAdjustment *adjustment = gtk_adjustment_new (end, 0, 1, STEP, 2 * STEP, 0);
  g_object_set_data (G_OBJECT (adjustment), NUMBER, GINT_TO_POINTER (end));
  g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (end_cb), self);
  return adjustment;
}

static GtkWidget *
make_end (Window *self, int end)
{
  // Translators: values of a volume that its darkest and its brightest colour stand for.
  const char *title = end == 0 ? _ ("Darkest Colour") : _ ("Brightest Colour");
  End *at = &self->ends[end];
  at->row = adw_action_row_new ();
  at->typed = make_end_adjustment (self, end);
  at->slid = make_end_adjustment (self, end);
  GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, at->slid);
  GtkWidget *field = gtk_spin_button_new (at->typed, 0, 0);
  at->field = GTK_SPIN_BUTTON (field);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (at->row), title);
  odl_number_field_set_up (at->field, self->parts->session, false);
  gtk_editable_set_width_chars (GTK_EDITABLE (field), END_CHARACTERS);
  gtk_widget_set_valign (field, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (scale, END_SLIDER_WIDTH, -1);
  GtkWidget *const parts[] = { scale, field };
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    gtk_accessible_update_property (GTK_ACCESSIBLE (parts[i]),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    adw_action_row_add_suffix (ADW_ACTION_ROW (at->row), parts[i]);
  }
  return at->row;
}

// Colours have nothing to do with the grey levels of the picture below them.
static GtkWidget *
make_levels (Window *self)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *reset = odl_child_window_button (
      "edit-undo-symbolic", _ ("Grey levels of its file"), G_CALLBACK (reset_cb), self);
  self->levels = group;
  gtk_widget_add_css_class (reset, "flat");
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Grey Levels"));
  adw_preferences_group_set_header_suffix (ADW_PREFERENCES_GROUP (group), reset);
  for (int end = 0; end < 2; end++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), make_end (self, end));
  return group;
}

static GtkWidget *
make_content (Window *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  GtkWidget *volumes = adw_combo_row_new ();
  GtkWidget *range = gtk_label_new (NULL);
  self->volumes = ADW_COMBO_ROW (volumes);
  self->range = GTK_LABEL (range);
  // Translators: a volume that is laid over the picture.
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (volumes), _ ("Volume"));
  g_signal_connect_swapped (volumes, "notify::selected", G_CALLBACK (volume_cb), self);
  adw_preferences_group_add (group, volumes);
  adw_preferences_group_add (group, make_share (self));
  adw_preferences_group_add (group, make_colours (self));
  gtk_label_set_wrap (self->range, TRUE);
  gtk_label_set_xalign (self->range, 0);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (group));
  gtk_box_append (GTK_BOX (box), make_levels (self));
  gtk_box_append (GTK_BOX (box), range);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_bottom (box, 18);
  return box;
}

static GtkWidget *
make_window (OdlMainWindow *parent)
{
  Window *self = g_new0 (Window, 1);
  // Translators: two volumes in one picture, such as PET over CT.
  GtkWidget *window
      = odl_child_window_new (GTK_WINDOW (parent), _ ("Fusion"), WIDTH, HEIGHT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->parts = odl_main_window_parts (parent);
  self->locations = g_ptr_array_new_with_free_func (g_free);
  g_object_set_data_full (G_OBJECT (window), KEY, self, window_free);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), make_content (self));
  adw_window_set_content (ADW_WINDOW (window), box);
  odl_child_window_follow (window, UPDATE_MS, update_cb, self);
  gtk_widget_grab_focus (GTK_WIDGET (self->volumes));
  return window;
}

// ---- actions -------------------------------------------------------------------------

static void
window_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_child_window_present (parts->window, KEY, make_window);
}

static void
fuse_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_pane_set_fusion (odl_layout_active (parts->layout),
                       g_variant_get_string (parameter, NULL));
  window_cb (parts, NULL);
}

void
odl_fusion_window_add_actions (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "fuse", G_CALLBACK (fuse_cb), "s", .when = odl_window_shows_picture },
    { "fusion", G_CALLBACK (window_cb), .when = odl_window_shows_picture },
  };
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
}
