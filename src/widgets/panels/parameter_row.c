// SPDX-License-Identifier: MIT
#include "widgets/panels/parameter_row.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "config.h"
#include "widgets/diagnostics.h"
#include "widgets/panels/number_field.h"
#include "widgets/panels/wavelet_chooser.h"

struct _OdlParameterRow {
  GtkListBoxRow parent_instance;
  OdlSession *session;
  int item;
  const OdlParameter *parameter;
  int index;
  GtkAdjustment *adjustment; // numbers: the value
  GtkAdjustment *slide; // where the slider stands; may be the same object
  bool curved; // value = minimum + range · position³
  GtkSpinButton *entry;
  GtkDropDown *choice; // choices and wavelets
  GtkWidget *slider;
  bool updating;
  bool sliding;
};

G_DEFINE_FINAL_TYPE (OdlParameterRow, odl_parameter_row, GTK_TYPE_LIST_BOX_ROW)

static void
set_value (OdlParameterRow *self, double value)
{
  if (self->updating)
    return;
  OdlRecipe recipe = *odl_session_recipe (self->session);
  // The chain may have changed while this row waits to be replaced.
  if (self->item >= recipe.n_items
      || odl_filter_parameter (recipe.items[self->item].filter, self->parameter->key)
             != self->parameter)
    return;
  odl_recipe_set (&recipe, self->item, self->parameter->key, self->index, value);
  g_autofree char *tag
      = g_strdup_printf ("%d/%s/%d", self->item, self->parameter->key, self->index);
  odl_session_set_recipe (self->session, &recipe, tag);
}

void
odl_parameter_row_update (OdlParameterRow *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  // Without a picture nothing was measured, and the number says nothing yet.
  double value = odl_parameter_usual (
      self->parameter, self->index,
      odl_recipe_get (recipe, self->item, self->parameter->key, self->index));
  self->updating = true;
  if (self->adjustment
      && (float) gtk_adjustment_get_value (self->adjustment) != (float) value)
    gtk_adjustment_set_value (self->adjustment, value);
  if (self->choice && gtk_drop_down_get_selected (self->choice) != (guint) value)
    gtk_drop_down_set_selected (self->choice, (guint) value);
  self->updating = false;
}

// A threshold of 0.05 in 0 … 1 would leave a slider hardly any way to go; where the
// default lies so low, the slider's position is the cube root of the value.
#define CURVED_BELOW 0.2

static bool
is_curved (const OdlParameter *p)
{
  return p->kind != ODL_PARAMETER_INTEGER
         && p->default_value - p->minimum < CURVED_BELOW * (p->maximum - p->minimum);
}

static double
to_position (const OdlParameter *p, double value)
{
  return cbrt ((value - p->minimum) / (p->maximum - p->minimum));
}

// Small values, as thresholds of a CT, move in steps of two digits.
static double
fine_step (const OdlParameter *p, double value)
{
  if (!(value > 0))
    return p->step;
  return MIN (p->step, pow (10, floor (log10 (MAX (value, 1e-6))) - 1));
}

static double
to_value (const OdlParameter *p, double position)
{
  double value = p->minimum + (p->maximum - p->minimum) * position * position * position;
  double parts = round (1 / fine_step (p, value));
  return parts >= 1 ? round (value * parts) / parts : value;
}

static void
show_position (OdlParameterRow *self)
{
  if (!self->curved)
    return;
  double value = gtk_adjustment_get_value (self->adjustment);
  bool updating = self->updating;
  self->updating = true;
  gtk_adjustment_set_value (self->slide, to_position (self->parameter, value));
  self->updating = updating;
  double step = fine_step (self->parameter, value);
  gtk_spin_button_set_increments (self->entry, step, 10 * step);
  g_autofree char *text = odl_diagnostics_number (value);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void
slide_changed_cb (OdlParameterRow *self)
{
  if (self->updating)
    return;
  double value = to_value (self->parameter, gtk_adjustment_get_value (self->slide));
  self->sliding = true;
  gtk_adjustment_set_value (self->adjustment, value);
  self->sliding = false;
}

static void
value_changed_cb (OdlParameterRow *self)
{
  // The slider stays where the pointer holds it, between two steps of the value.
  if (!self->sliding)
    show_position (self);
  set_value (self, gtk_adjustment_get_value (self->adjustment));
}

static void
selected_cb (OdlParameterRow *self)
{
  set_value (self, gtk_drop_down_get_selected (self->choice));
}

static void
pressed_cb (GtkGestureClick *click,
            int n_press,
            double x,
            double y,
            OdlParameterRow *self)
{
  if (n_press != 2)
    return;
  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  // Not by the adjustment, which knows nothing of ODL_VALUE_AUTO.
  set_value (self, odl_parameter_default (self->parameter, self->index));
}

// "Threshold of level 2 (of full scale)": for people who hear the window.
static char *
full_label (OdlParameterRow *self, const char *label)
{
  const char *unit = self->parameter->unit;
  // Translators: a setting's name and its unit.
  return unit && *unit ? g_strdup_printf (_ ("%s (%s)"), label, _ (unit))
                       : g_strdup (label);
}

static char *
label_text (OdlParameterRow *self)
{
  const char *label = _ (self->parameter->label);
  if (self->parameter->kind != ODL_PARAMETER_LIST)
    return g_strdup (label);
  return g_strdup_printf ("%s %d", label, self->index + 1);
}

static GtkWidget *
make_label (OdlParameterRow *self, const char *label)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  GtkWidget *name = gtk_label_new (label);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box), name);
  g_autofree char *finest = NULL;
  const char *caption = _ (self->parameter->unit);
  // The levels of a list count from the finest details.
  if (self->parameter->kind == ODL_PARAMETER_LIST && self->index == 0)
    caption = finest = g_strdup_printf (_ ("finest, %s"), caption);
  if (*self->parameter->unit) {
    GtkWidget *unit = gtk_label_new (caption);
    gtk_label_set_xalign (GTK_LABEL (unit), 0);
    gtk_label_set_ellipsize (GTK_LABEL (unit), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class (unit, "caption");
    gtk_widget_add_css_class (unit, "dim-label");
    gtk_box_append (GTK_BOX (box), unit);
  }
  return box;
}

static void
name_control (GtkWidget *control, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
}

static GtkWidget *
make_slider (OdlParameterRow *self, const char *name)
{
  self->curved = is_curved (self->parameter);
  self->slide
      = self->curved ? gtk_adjustment_new (0, 0, 1, 0.01, 0.1, 0) : self->adjustment;
  GtkWidget *slider = self->slider
      = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->slide);
  gtk_range_set_round_digits (GTK_RANGE (slider), self->curved ? -1 : 0);
  if (self->curved)
    g_signal_connect_object (self->slide, "value-changed", G_CALLBACK (slide_changed_cb),
                             self, G_CONNECT_SWAPPED);
  gtk_scale_set_draw_value (GTK_SCALE (slider), FALSE);
  gtk_widget_set_hexpand (slider, TRUE);
  gtk_widget_set_tooltip_text (slider, self->parameter->measured
                                           ? _ ("Double-click measures it in the picture")
                                           : _ ("Double-click resets to the default"));
  name_control (slider, name);
  GtkGesture *click = gtk_gesture_click_new ();
  // Before the slider itself takes the press for a move.
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click),
                                              GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (slider, GTK_EVENT_CONTROLLER (click));
  return slider;
}

static GtkWidget *
make_number (OdlParameterRow *self, const char *label, const char *name)
{
  const OdlParameter *p = self->parameter;
  self->adjustment
      = gtk_adjustment_new (p->minimum, p->minimum, p->maximum, p->step, p->step * 10, 0);
  GtkWidget *entry
      = gtk_spin_button_new (self->adjustment, p->step, odl_diagnostics_digits (p->step));
  odl_number_field_set_up (GTK_SPIN_BUTTON (entry), self->session,
                           p->kind == ODL_PARAMETER_INTEGER);
  self->entry = GTK_SPIN_BUTTON (entry);
  // Thresholds that were measured in a calm picture have as many.
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), strlen ("0.0000752"));
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  name_control (entry, name);

  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (line), make_label (self, label));
  gtk_box_append (GTK_BOX (line), entry);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), make_slider (self, name));
  g_signal_connect_object (self->adjustment, "value-changed",
                           G_CALLBACK (value_changed_cb), self, G_CONNECT_SWAPPED);
  return box;
}

static GtkWidget *
make_choice (OdlParameterRow *self, const char *label, const char *name)
{
  GtkWidget *choice;
  if (self->parameter->kind == ODL_PARAMETER_WAVELET) {
    choice = odl_wavelet_chooser_new ();
  } else {
    GtkStringList *names = gtk_string_list_new (NULL);
    for (int i = 0; self->parameter->choices[i]; i++)
      gtk_string_list_append (names, _ (self->parameter->choices[i]));
    choice = gtk_drop_down_new (G_LIST_MODEL (names), NULL);
  }
  self->choice = GTK_DROP_DOWN (choice);
  gtk_widget_set_valign (choice, GTK_ALIGN_CENTER);
  name_control (choice, name);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (line), make_label (self, label));
  gtk_box_append (GTK_BOX (line), choice);
  return line;
}

static void
odl_parameter_row_dispose (GObject *object)
{
  OdlParameterRow *self = ODL_PARAMETER_ROW (object);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_parameter_row_parent_class)->dispose (object);
}

static void
odl_parameter_row_class_init (OdlParameterRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = odl_parameter_row_dispose;
}

static void
odl_parameter_row_init (OdlParameterRow *self)
{
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (self), FALSE);
  // The controls in it take the focus, the row itself would only be one stop more.
  gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
}

GtkWidget *
odl_parameter_row_new (OdlSession *session,
                       int item,
                       const OdlParameter *parameter,
                       int index)
{
  OdlParameterRow *self = g_object_new (ODL_TYPE_PARAMETER_ROW, NULL);
  self->session = g_object_ref (session);
  self->item = item;
  self->parameter = parameter;
  self->index = index;
  g_autofree char *label = label_text (self);
  g_autofree char *name = full_label (self, label);
  bool choice = parameter->kind == ODL_PARAMETER_CHOICE
                || parameter->kind == ODL_PARAMETER_WAVELET;
  self->updating = true;
  GtkWidget *child
      = choice ? make_choice (self, label, name) : make_number (self, label, name);
  self->updating = false;
  gtk_widget_add_css_class (child, "parameter");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), child);
  odl_parameter_row_update (self);
  return GTK_WIDGET (self);
}
