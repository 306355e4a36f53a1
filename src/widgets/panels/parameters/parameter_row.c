// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/parameter_row.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "filter/normalisation.h"
#include "widgets/diagnostics.h"
#include "widgets/panels/parameters/control.h"
#include "widgets/panels/parameters/drop_down.h"
#include "widgets/panels/parameters/file_button.h"
#include "widgets/panels/measures/measure.h"
#include "widgets/panels/measures/measure_row.h"
#include "widgets/panels/parameters/number_field.h"
#include "widgets/panels/parameters/matrix_words.h"
#include "widgets/panels/parameters/scale_row.h"
#include "widgets/panels/parameters/slider_scale.h"
#include "widgets/panels/parameters/wavelet_chooser.h"
#include "widgets/units.h"

#define NAME_CHARS 16 // longer ones take another line

struct _OdlParameterRow {
  GtkListBoxRow parent_instance;
  OdlSession *session;
  int item;
  const OdlParameter *parameter;
  int index; // of its first value
  int count; // number of values: more than 1 only in the row of a level, for its bands
  double ratios[ODL_DEEP_BANDS]; // of a level's bands to the largest of them
  OdlParameterRow *level; // of a band: the row of its level; borrowed
  OdlParameterRow *bands[ODL_DEEP_BANDS]; // of a level; borrowed
  GtkToggleButton *link; // of a level: links its bands
  GtkToggleButton *more; // of a level: shows its bands
  GtkToggleButton *automatic; // of what is measured in every frame, or follows others
  GtkAdjustment *adjustment; // numbers: the value
  GtkAdjustment *slide; // position of the slider; may be the same object
  bool curved; // value = minimum + range · position³
  GtkSpinButton *entry;
  GtkLabel *unit; // below the name; NULL: none
  char *caption; // what it says
  char *label; // for the names of its controls
  OdlUnitRange shown; // what 0 and 1 are shown as
  guint hint_id; // 0: no number that was measured is waiting to be shown
  GtkDropDown *choice; // choices and wavelets
  GtkWidget *file; // files
  GtkWidget *slider;
  bool updating;
  bool sliding;
};

G_DEFINE_FINAL_TYPE (OdlParameterRow, odl_parameter_row, GTK_TYPE_LIST_BOX_ROW)

// The chain may have changed while this row waits to be replaced.
static bool
is_of (OdlParameterRow *self, const OdlRecipe *recipe)
{
  return self->item < recipe->n_items
         && odl_filter_parameter (recipe->items[self->item].filter, self->parameter->key)
                == self->parameter;
}

static bool
is_linked (OdlParameterRow *self)
{
  return self->link && gtk_toggle_button_get_active (self->link);
}

// A level's row keeps the ratios of its bands; linked bands are equal. `tag` as in
// odl_session_set_recipe.
static void
change_recipe (OdlParameterRow *self, double value, const char *tag)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (!is_of (self, &recipe))
    return;
  if (g_str_equal (self->parameter->key, ODL_NORMALISATION)) {
    odl_recipe_normalise (&recipe, self->item, (OdlNormalisation) value);
    odl_session_set_recipe (self->session, &recipe, tag);
    return;
  }
  const bool whole = self->count == 1 || value == ODL_VALUE_AUTO || is_linked (self);
  for (int i = 0; i < self->count; i++)
    odl_recipe_set (&recipe, self->item, self->parameter->key, self->index + i,
                    whole ? value : value * self->ratios[i]);
  odl_scale_row_apply (GTK_WIDGET (self), odl_session_recipe (self->session), &recipe,
                       self->item, self->parameter, self->index, self->count);
  odl_session_set_recipe (self->session, &recipe, tag);
}

static void
set_value (OdlParameterRow *self, double value)
{
  if (self->updating)
    return;
  if (self->level && is_linked (self->level))
    self = self->level;
  g_autofree char *tag = g_strdup_printf ("%d/%s/%d+%d", self->item, self->parameter->key,
                                          self->index, self->count);
  change_recipe (self, value, tag);
}

// The largest of its values. Stores their ratios, which are kept even if the level is set
// to 0.
static double
current_value (OdlParameterRow *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  double values[ODL_DEEP_BANDS], largest = -INFINITY;
  bool equal = true;
  for (int i = 0; i < self->count; i++) {
    // Without a picture nothing has been measured and the number has no meaning yet.
    values[i] = odl_parameter_usual (
        self->parameter, self->index + i,
        odl_recipe_get (recipe, self->item, self->parameter->key, self->index + i));
    largest = MAX (largest, values[i]);
    equal = equal && values[i] == values[0];
  }
  for (int i = 0; i < self->count && largest > 0; i++)
    self->ratios[i] = values[i] / largest;
  if (self->count > 1 && self->unit)
    gtk_label_set_text (self->unit, equal ? self->caption : _ ("bands differ: largest"));
  if (self->link && !equal)
    gtk_toggle_button_set_active (self->link, FALSE);
  return largest;
}

// ---- the unit of shares --------------------------------------------------------------

static const char *
unit_of (OdlParameterRow *self)
{
  return odl_units_are_of (self->parameter) ? odl_units_caption (self->session)
                                            : _ (self->parameter->unit);
}

// The levels of a matrix count from the finest details.
static char *
caption_of (OdlParameterRow *self)
{
  return self->parameter->kind == ODL_PARAMETER_MATRIX && self->index == 0
             ? g_strdup_printf (_ ("finest, %s"), unit_of (self))
             : g_strdup (unit_of (self));
}

static double
scale_of (OdlParameterRow *self)
{
  return fabs (self->shown.one - self->shown.zero);
}

// What the number is where it is read.
static char *
number_text (OdlParameterRow *self, double value)
{
  return odl_diagnostics_number (self->shown.zero
                                 + value * (self->shown.one - self->shown.zero));
}

// Returns whether it is another one than before.
static bool
take_unit (OdlParameterRow *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  if (!odl_units_are_of (self->parameter) || !is_of (self, recipe))
    return false;
  const OdlUnitRange shown = odl_units_range (
      self->session, recipe->items[self->item].filter, self->parameter);
  g_autofree char *caption = caption_of (self);
  if (shown.zero == self->shown.zero && shown.one == self->shown.one
      && g_strcmp0 (caption, self->caption) == 0)
    return false;
  g_autofree char *name
      = odl_matrix_full_label (self->parameter, self->label, unit_of (self));
  self->shown = shown;
  g_free (self->caption);
  self->caption = g_steal_pointer (&caption);
  if (self->unit)
    gtk_label_set_text (self->unit, self->caption);
  odl_control_name (GTK_WIDGET (self->entry), name);
  odl_control_name (self->slider, name);
  odl_number_field_set_range (self->entry, shown);
  return true;
}

// What was measured in the frame that is shown.
static gboolean
hint_cb (void *data)
{
  OdlParameterRow *self = data;
  double sigma;
  g_autofree char *text = NULL;
  g_clear_handle_id (&self->hint_id, g_source_remove);
  // Another filter may have come, whose card takes the place of this row soon.
  if (!is_of (self, odl_session_recipe (self->session)))
    return G_SOURCE_REMOVE;
  if (self->parameter->over_frames) {
    const double value = odl_recipe_get (odl_session_recipe (self->session), self->item,
                                         self->parameter->key, self->index);
    odl_number_field_set_hint (
        self->entry, value == ODL_VALUE_FRAME ? _ ("frame") : _ ("being measured"));
    return G_SOURCE_REMOVE;
  }
  if (odl_measured_noise (self->session, self->item, &sigma)) {
    g_autofree char *number = odl_units_amount (self->session, sigma);
    // Translators: in the place of a number; the one that was measured.
    text = g_strdup_printf (_ ("auto, %s"), number);
  }
  odl_number_field_set_hint (self->entry, text ? text : _ ("auto"));
  return G_SOURCE_REMOVE;
}

static void
observed_cb (OdlParameterRow *self)
{
  if (!self->hint_id)
    self->hint_id = g_timeout_add (ODL_MEASURE_PERIOD_MS, hint_cb, self);
}

// What is measured in every frame, or that of others.
static double
automatic_value (OdlParameterRow *self)
{
  return self->parameter->over_frames || self->parameter->each_frame ? ODL_VALUE_FRAME
                                                                     : ODL_VALUE_AUTO;
}

// While the number is measured in every frame, or that of the slices, it cannot be set;
// a band alone can.
static void
show_automatic (OdlParameterRow *self)
{
  bool automatic = true;
  for (int i = 0; i < self->count; i++)
    automatic = automatic
                && odl_recipe_get (odl_session_recipe (self->session), self->item,
                                   self->parameter->key, self->index + i)
                       == automatic_value (self);
  odl_number_field_set_empty (
      self->entry, automatic
                       || odl_parameter_waits (
                           self->parameter,
                           odl_recipe_get (odl_session_recipe (self->session), self->item,
                                           self->parameter->key, self->index)));
  if (!self->automatic)
    return;
  gtk_toggle_button_set_active (self->automatic, automatic);
  gtk_widget_set_sensitive (self->slider, !automatic);
  gtk_widget_set_sensitive (GTK_WIDGET (self->entry), !automatic);
  if (!self->parameter->follows)
    hint_cb (self);
}

// Numbers of its own, from where they were.
static void
leave_others (OdlParameterRow *self)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (!is_of (self, &recipe))
    return;
  for (int i = 0; i < self->count; i++)
    odl_recipe_set (&recipe, self->item, self->parameter->key, self->index + i,
                    odl_recipe_item_followed (&recipe.items[self->item], self->parameter,
                                              self->index + i));
  odl_session_set_recipe (self->session, &recipe, NULL);
}

static void
automatic_cb (OdlParameterRow *self)
{
  if (self->updating)
    return;
  if (gtk_toggle_button_get_active (self->automatic))
    set_value (self, automatic_value (self));
  else if (self->parameter->follows)
    leave_others (self);
  else if (self->parameter->each_frame)
    set_value (self, ODL_VALUE_AUTO); // that of the frame at hand
  else
    set_value (self, gtk_adjustment_get_value (self->adjustment));
}

static void
show_position (OdlParameterRow *self)
{
  if (!self->curved)
    return;
  double value = gtk_adjustment_get_value (self->adjustment);
  bool updating = self->updating;
  self->updating = true;
  gtk_adjustment_set_value (self->slide, odl_slider_position (self->parameter, value));
  self->updating = updating;
  double step = odl_slider_fine_step (self->parameter, value, scale_of (self));
  gtk_spin_button_set_increments (self->entry, step, 10 * step);
  g_autofree char *text = number_text (self, value);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

void
odl_parameter_row_update (OdlParameterRow *self)
{
  if (self->file) {
    odl_file_button_update (self->file);
    return;
  }
  self->updating = true;
  const bool other_unit = take_unit (self);
  double value = current_value (self);
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  const OdlParameter *parameter = self->parameter;
  const bool folded = self->level && !gtk_toggle_button_get_active (self->level->more);
  if ((parameter->for_volumes
       || ((parameter->shapes || parameter->follows) && is_of (self, recipe)))
      && !folded)
    gtk_widget_set_visible (
        GTK_WIDGET (self),
        (!parameter->for_volumes || odl_session_is_volume (self->session)
         || (value != parameter->default_value && !parameter->follows))
            && (!is_of (self, recipe)
                || odl_recipe_item_uses (&recipe->items[self->item], parameter)));
  if (self->automatic || (self->level && parameter->follows))
    show_automatic (self);
  if (value == ODL_VALUE_AUTO && parameter->follows && is_of (self, recipe)) {
    value = odl_matrix_followed (&recipe->items[self->item], parameter, self->index,
                                 self->count);
    g_autofree char *text = number_text (self, value);
    odl_number_field_set_hint (self->entry, text);
  }
  if (parameter->is_threshold && is_of (self, recipe))
    gtk_adjustment_set_upper (
        self->adjustment,
        odl_recipe_item_maximum (&recipe->items[self->item], parameter));
  if (self->adjustment && !odl_parameter_word (parameter, value)
      && (float) gtk_adjustment_get_value (self->adjustment) != (float) value)
    gtk_adjustment_set_value (self->adjustment, value);
  if (other_unit)
    show_position (self);
  if (self->choice && gtk_drop_down_get_selected (self->choice) != (guint) value)
    gtk_drop_down_set_selected (self->choice, (guint) value);
  self->updating = false;
}

static void
unit_cb (OdlParameterRow *self)
{
  if (take_unit (self)) {
    show_position (self);
    odl_parameter_row_update (self);
  }
}

static void
slide_changed_cb (OdlParameterRow *self)
{
  if (self->updating)
    return;
  double value = odl_slider_value (
      self->parameter, gtk_adjustment_get_value (self->slide), scale_of (self));
  self->sliding = true;
  gtk_adjustment_set_value (self->adjustment, value);
  self->sliding = false;
}

static void
value_changed_cb (OdlParameterRow *self)
{
  // During a drag the slider follows the pointer, even between two steps of the value.
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
  // Set directly, since an adjustment cannot hold ODL_VALUE_AUTO.
  set_value (self, self->parameter->over_frames
                       ? ODL_VALUE_CINE
                       : odl_parameter_default (self->parameter, self->index));
}

static GtkWidget *
make_label (OdlParameterRow *self, const char *label)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  GtkWidget *name = gtk_label_new (label);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_wrap (GTK_LABEL (name), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (name), NAME_CHARS);
  gtk_box_append (GTK_BOX (box), name);
  if (*self->parameter->unit) {
    self->caption = caption_of (self);
    GtkWidget *unit = gtk_label_new (self->caption);
    gtk_label_set_xalign (GTK_LABEL (unit), 0);
    gtk_label_set_wrap (GTK_LABEL (unit), TRUE);
    gtk_label_set_max_width_chars (GTK_LABEL (unit), NAME_CHARS);
    gtk_widget_add_css_class (unit, "caption");
    gtk_widget_add_css_class (unit, "dim-label");
    gtk_box_append (GTK_BOX (box), unit);
    self->unit = GTK_LABEL (unit);
  }
  return box;
}

static GtkWidget *
make_slider (OdlParameterRow *self, const char *name)
{
  self->curved = odl_slider_is_curved (self->parameter);
  self->slide
      = self->curved ? gtk_adjustment_new (0, 0, 1, 0.01, 0.1, 0) : self->adjustment;
  GtkWidget *slider = self->slider
      = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->slide);
  odl_number_field_leave_wheel (slider);
  gtk_range_set_round_digits (GTK_RANGE (slider), self->curved ? -1 : 0);
  if (self->curved)
    g_signal_connect_object (self->slide, "value-changed", G_CALLBACK (slide_changed_cb),
                             self, G_CONNECT_SWAPPED);
  gtk_scale_set_draw_value (GTK_SCALE (slider), FALSE);
  gtk_widget_set_hexpand (slider, TRUE);
  gtk_widget_set_tooltip_text (
      slider, self->parameter->over_frames ? _ ("Double-click measures it in all frames")
              : self->parameter->measured
                  ? _ ("Double-click measures it in the picture")
                  : _ (odl_matrix_words[self->parameter->follows].reset));
  odl_control_name (slider, name);
  GtkGesture *click = gtk_gesture_click_new ();
  // Before the slider itself takes the press for a move.
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click),
                                              GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (slider, GTK_EVENT_CONTROLLER (click));
  return slider;
}

// ---- the bands of a level ------------------------------------------------------------

static void
linked_cb (OdlParameterRow *self)
{
  if (is_linked (self) && !self->updating)
    change_recipe (self, gtk_adjustment_get_value (self->adjustment), NULL);
}

static void
bands_cb (OdlParameterRow *self, GParamSpec *spec, GtkToggleButton *button)
{
  const bool shown = gtk_toggle_button_get_active (button);
  (void) spec;
  for (int b = 0; b < self->count; b++)
    gtk_widget_set_visible (GTK_WIDGET (self->bands[b]), shown);
  gtk_widget_set_visible (GTK_WIDGET (self->link), shown);
}

static GtkToggleButton *
add_toggle (OdlParameterRow *self,
            GtkBox *box,
            const char *icon,
            const char *tip,
            const char *label,
            GCallback cb)
{
  GtkWidget *button = gtk_toggle_button_new ();
  g_autofree char *name = g_strdup_printf ("%s: %s", tip, label);
  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tip);
  odl_control_name (button, name);
  g_signal_connect_object (button, "notify::active", cb, self, G_CONNECT_SWAPPED);
  gtk_box_append (box, button);
  return GTK_TOGGLE_BUTTON (button);
}

static void
add_band_buttons (OdlParameterRow *self, GtkBox *box, const char *label)
{
  self->link = add_toggle (self, box, "insert-link-symbolic",
                           _ (odl_matrix_words[self->parameter->follows].link), label,
                           G_CALLBACK (linked_cb));
  gtk_toggle_button_set_active (self->link, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->link), FALSE);
  self->more = add_toggle (self, box, "view-more-symbolic", _ ("Show the bands"), label,
                           G_CALLBACK (bands_cb));
}

static GtkWidget *
make_entry (OdlParameterRow *self, const char *name)
{
  const OdlParameter *p = self->parameter;
  self->adjustment
      = gtk_adjustment_new (p->minimum, p->minimum, p->maximum, p->step, p->step * 10, 0);
  GtkWidget *entry
      = gtk_spin_button_new (self->adjustment, p->step, odl_diagnostics_digits (p->step));
  odl_number_field_set_up (GTK_SPIN_BUTTON (entry), self->session,
                           p->kind == ODL_PARAMETER_INTEGER);
  self->entry = GTK_SPIN_BUTTON (entry);
  // The number of characters of thresholds measured in a picture with little noise.
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), strlen ("0.0000752"));
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  odl_control_name (entry, name);
  g_signal_connect_object (self->adjustment, "value-changed",
                           G_CALLBACK (value_changed_cb), self, G_CONNECT_SWAPPED);
  return entry;
}

static GtkWidget *
make_number (OdlParameterRow *self, const char *label, const char *name)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (line), make_label (self, label));
  gtk_box_append (GTK_BOX (line), make_entry (self, name));
  GtkWidget *slide = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append (GTK_BOX (slide), make_slider (self, name));
  if (self->count > 1)
    add_band_buttons (self, GTK_BOX (slide), label);
  if (self->parameter->live || self->parameter->over_frames
      || self->parameter->each_frame)
    self->automatic = add_toggle (self, GTK_BOX (slide),
                                  odl_matrix_words[self->parameter->follows].icon,
                                  _ (odl_matrix_words[self->parameter->follows].follow),
                                  label, G_CALLBACK (automatic_cb));
  if (self->automatic && !self->parameter->follows) {
    g_signal_connect_object (self->session, "observed", G_CALLBACK (observed_cb), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (self->session, "frame-ready", G_CALLBACK (observed_cb), self,
                             G_CONNECT_SWAPPED);
  }
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), slide);
  return box;
}

// The controls of one band of a level, on a single line.
static GtkWidget *
make_band (OdlParameterRow *self, const char *label, const char *name)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *entry = make_entry (self, name);
  gtk_widget_set_margin_start (line, 12);
  gtk_box_append (GTK_BOX (line), gtk_label_new (label));
  gtk_box_append (GTK_BOX (line), make_slider (self, name));
  gtk_box_append (GTK_BOX (line), entry);
  return line;
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
    odl_drop_down_narrow (GTK_DROP_DOWN (choice));
  }
  self->choice = GTK_DROP_DOWN (choice);
  gtk_widget_set_valign (choice, GTK_ALIGN_CENTER);
  odl_control_name (choice, name);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (line), make_label (self, label));
  gtk_box_append (GTK_BOX (line), choice);
  return line;
}

static GtkWidget *
make_file (OdlParameterRow *self, const char *label, const char *name)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->file = odl_file_button_new (self->session, self->item, self->parameter, name);
  gtk_box_append (GTK_BOX (box), make_label (self, label));
  gtk_box_append (GTK_BOX (box), self->file);
  return box;
}

static void
odl_parameter_row_dispose (GObject *object)
{
  OdlParameterRow *self = ODL_PARAMETER_ROW (object);
  g_clear_handle_id (&self->hint_id, g_source_remove);
  g_clear_pointer (&self->caption, g_free);
  g_clear_pointer (&self->label, g_free);
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
  odl_control_hold (GTK_WIDGET (self));
}

static OdlParameterRow *
new_row (OdlSession *session, int item, const OdlParameter *parameter, int index)
{
  OdlParameterRow *self = g_object_new (ODL_TYPE_PARAMETER_ROW, NULL);
  self->session = g_object_ref (session);
  self->item = item;
  self->parameter = parameter;
  self->index = index;
  self->count = 1;
  self->shown = (OdlUnitRange){ 0, 1 };
  for (int b = 0; b < ODL_DEEP_BANDS; b++)
    self->ratios[b] = 1;
  return self;
}

// `label` is seen, `full` is for screen readers.
static void
fill_row (OdlParameterRow *self, const char *label, const char *full)
{
  const OdlParameterKind kind = self->parameter->kind;
  g_autofree char *name = odl_matrix_full_label (self->parameter, full, unit_of (self));
  self->label = g_strdup (full);
  self->updating = true;
  GtkWidget *child = self->level ? make_band (self, label, name)
                     : kind == ODL_PARAMETER_CHOICE || kind == ODL_PARAMETER_WAVELET
                         ? make_choice (self, label, name)
                     : odl_parameter_is_file (self->parameter)
                         ? make_file (self, label, name)
                         : make_number (self, label, name);
  self->updating = false;
  gtk_widget_add_css_class (child, "parameter");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), child);
  odl_parameter_row_update (self);
  // Another picture may have another range.
  if (odl_units_are_of (self->parameter))
    g_signal_connect_object (self->session, "frame-ready", G_CALLBACK (unit_cb), self,
                             G_CONNECT_SWAPPED);
}

GtkWidget *
odl_parameter_row_new (OdlSession *session, int item, const OdlParameter *parameter)
{
  OdlParameterRow *self = new_row (session, item, parameter, 0);
  g_autofree char *label = odl_matrix_label (self->parameter, self->index);
  fill_row (self, label, label);
  return GTK_WIDGET (self);
}

void
odl_parameter_row_add_level (GtkListBox *list,
                             OdlSession *session,
                             int item,
                             const OdlParameter *parameter,
                             int level)
{
  const char *const *band_names = odl_matrix_words[parameter->follows].bands;
  const int n = odl_parameter_bands (parameter);
  OdlParameterRow *self = new_row (session, item, parameter, n * level);
  self->count = n;
  g_autofree char *label = odl_matrix_label (self->parameter, self->index);
  fill_row (self, label, label);
  gtk_list_box_append (list, GTK_WIDGET (self));
  for (int b = 0; b < n; b++) {
    OdlParameterRow *band = new_row (session, item, parameter, self->index + b);
    // Translators: a setting and the wavelet band that it is for.
    g_autofree char *of_band = g_strdup_printf (_ ("%s, band %s"), label, band_names[b]);
    band->level = self;
    self->bands[b] = band;
    fill_row (band, band_names[b], of_band);
    gtk_widget_set_visible (GTK_WIDGET (band), FALSE);
    gtk_list_box_append (list, GTK_WIDGET (band));
  }
}
