// SPDX-License-Identifier: MIT
#include "widgets/panels/filter_card.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/help.h"
#include "filter/inside.h"
#include "filter/measure.h"
#include "filter/normalisation.h"
#include "filter/received.h"
#include "widgets/panels/parameters/at_row.h"
#include "widgets/panels/parameters/control.h"
#include "widgets/panels/code_note.h"
#include "widgets/panels/filter_chooser.h"
#include "widgets/panels/filter_switch.h"
#include "widgets/panels/parameters/kernel_row.h"
#include "widgets/panels/measures/measure_row.h"
#include "widgets/panels/parameters/level_curve.h"
#include "widgets/panels/parameters/parameter_row.h"
#include "widgets/panels/parameters/pulls_row.h"

struct _OdlFilterCard {
  GtkWidget parent_instance;
  OdlSession *session;
  int item;
  const OdlFilter *filter; // the rows were made for this and the next three
  int n_items;
  int n_levels; // of a matrix parameter, or of what is measured
  bool inside; // a transform, whose wavelet and levels it has
  GtkWidget *list;
  GtkWidget *wavelet; // its row; NULL: the filter has none
  GtkDropDown *chooser;
  GtkWidget *movers[2]; // earlier, later; NULL: there is nothing to move past
  GtkWidget *acts; // NULL: there is nothing to bypass, or its row in the chain has one
  GtkToggleButton *solo; // NULL: there are no others
  GtkWidget *code_note; // NULL: it runs no code of a file
  GtkLabel *still; // why a temporal filter has no effect; NULL: not a temporal filter
};

G_DEFINE_FINAL_TYPE (OdlFilterCard, odl_filter_card, GTK_TYPE_WIDGET)

static const OdlFilter *
filter_of (const OdlRecipe *recipe, int item)
{
  return item < recipe->n_items ? recipe->items[item].filter : odl_filter_at (0);
}

static bool
is_inside (const OdlRecipe *recipe, int item)
{
  return item < recipe->n_items && odl_recipe_transform_around (recipe, item) >= 0;
}

// Noise of bands has rows while some of it was measured.
static bool
has_rows_of_levels (const OdlRecipe *recipe, int item, const OdlParameter *parameter)
{
  bool used = !parameter->measurable;
  for (int i = 0; i < parameter->count && !used && item < recipe->n_items; i++)
    used = recipe->items[item].values[parameter->offset + i] != parameter->default_value;
  return used && parameter->kind == ODL_PARAMETER_MATRIX;
}

// A matrix and measured thresholds have rows for the levels in use.
static int
shown_levels (const OdlRecipe *written, int item)
{
  const OdlFilter *filter = filter_of (written, item);
  OdlRecipe shared = *written;
  const OdlRecipe *recipe = &shared;
  odl_recipe_share_transforms (&shared);
  for (size_t i = 0; i < filter->n_parameters; i++)
    if (has_rows_of_levels (recipe, item, &filter->parameters[i]))
      return odl_recipe_item_count (&recipe->items[item], &filter->parameters[i])
             / odl_parameter_bands (&filter->parameters[i]);
  return odl_measure_row_suits (filter) && odl_filter_parameter (filter, "levels")
             ? (int) odl_recipe_get (recipe, item, "levels", 0)
             : 0;
}

// ---- changes to the chain ------------------------------------------------------------

// The focus follows the filter, so that it can be moved further.
static void
move_item (OdlFilterCard *self, int by)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "panel.move", "(iib)", self->item,
                              self->item + by, TRUE);
}

// Alt and an arrow.
static gboolean
move_key (GtkWidget *widget, GVariant *by, void *data)
{
  move_item (ODL_FILTER_CARD (widget), g_variant_get_int32 (by));
  return TRUE;
}

static void
remove_cb (OdlFilterCard *self)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (self->item >= recipe.n_items)
    return;
  recipe.n_items--;
  memmove (&recipe.items[self->item], &recipe.items[self->item + 1],
           (size_t) (recipe.n_items - self->item) * sizeof (OdlRecipeItem));
  odl_session_set_recipe (self->session, &recipe, NULL);
}

// A second one behind it, with the same values.
static void
duplicate (GtkWidget *widget, const char *action, GVariant *parameter)
{
  OdlFilterCard *self = ODL_FILTER_CARD (widget);
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (self->item >= recipe.n_items || recipe.n_items == ODL_RECIPE_MAX_FILTERS)
    return;
  memmove (&recipe.items[self->item + 1], &recipe.items[self->item],
           (size_t) (recipe.n_items - self->item) * sizeof (OdlRecipeItem));
  recipe.n_items++;
  odl_session_set_recipe (self->session, &recipe, NULL);
}

// Whether this one acts alone.
static bool
is_alone (OdlFilterCard *self, const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++)
    if (recipe->items[i].bypassed == (i == self->item))
      return false;
  return true;
}

// All others are bypassed, or act again.
static void
solo_cb (OdlFilterCard *self)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  const bool alone = gtk_toggle_button_get_active (self->solo);
  if (alone == is_alone (self, &recipe))
    return;
  for (int i = 0; i < recipe.n_items; i++)
    recipe.items[i].bypassed = alone && i != self->item;
  odl_session_set_recipe (self->session, &recipe, NULL);
}

// As the filter is when it is added; what is measured is measured again.
static void
reset (GtkWidget *widget, const char *action, GVariant *parameter)
{
  OdlFilterCard *self = ODL_FILTER_CARD (widget);
  OdlRecipe recipe = *odl_session_recipe (self->session), fresh;
  odl_recipe_init (&fresh);
  if (self->item >= recipe.n_items
      || !odl_recipe_append_fresh (&fresh, recipe.items[self->item].filter))
    return;
  fresh.items[0].file = recipe.items[self->item].file;
  recipe.items[self->item] = fresh.items[0];
  odl_session_set_recipe (self->session, &recipe, NULL);
}

// In the frame that is shown.
static void
measure_bands (GtkWidget *widget, const char *action, GVariant *parameter)
{
  OdlFilterCard *self = ODL_FILTER_CARD (widget);
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (self->item < recipe.n_items && odl_recipe_forget_noise (&recipe, self->item))
    odl_session_set_recipe (self->session, &recipe, NULL);
}

static void
up_cb (OdlFilterCard *self)
{
  move_item (self, -1);
}

static void
down_cb (OdlFilterCard *self)
{
  move_item (self, 1);
}

// Parameters that both filters have, such as wavelet and levels, are kept when one
// replaces the other, if they were changed: else each filter has what suits it.
static void
copy_common (OdlRecipeItem *to, const OdlRecipeItem *from)
{
  OdlRecipe unchanged;
  odl_recipe_init (&unchanged);
  odl_recipe_append (&unchanged, from->filter);
  for (size_t i = 0; i < to->filter->n_parameters; i++) {
    const OdlParameter *parameter = &to->filter->parameters[i];
    const OdlParameter *old = odl_filter_parameter (from->filter, parameter->key);
    // The sigma of a Gaussian and that of noise only share their name.
    if (!old || old->kind != parameter->kind || old->measured != parameter->measured
        || old->live != parameter->live)
      continue;
    const double *values = &from->values[old->offset];
    // Thresholds mean what they did.
    if (g_str_equal (parameter->key, ODL_NORMALISATION)
        || memcmp (values, &unchanged.items[0].values[old->offset],
                   (size_t) old->count * sizeof *values)
               != 0)
      memcpy (&to->values[parameter->offset], values,
              (size_t) MIN (old->count, parameter->count) * sizeof *values);
  }
}

static void
chosen_cb (OdlFilterCard *self)
{
  const OdlFilter *filter = odl_filter_chooser_selected (self->chooser);
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (!filter || filter == filter_of (&recipe, self->item))
    return;
  OdlRecipe fresh;
  odl_recipe_init (&fresh);
  odl_recipe_append_fresh (&fresh, filter);
  if (self->item >= recipe.n_items) {
    recipe.items[0] = fresh.items[0];
    recipe.n_items = 1;
  } else {
    copy_common (&fresh.items[0], &recipe.items[self->item]);
    recipe.items[self->item] = fresh.items[0];
  }
  odl_recipe_enclose (&recipe, MIN (self->item, recipe.n_items - 1));
  // A single pass-through equals no filter.
  if (recipe.n_items == 1 && filter->kind == ODL_FILTER_PASS_THROUGH)
    recipe.n_items = 0;
  odl_session_set_recipe (self->session, &recipe, NULL);
}

// ---- rows ----------------------------------------------------------------------------

static GtkWidget *
add_button (OdlFilterCard *self,
            GtkWidget *box,
            const char *icon,
            const char *name,
            GCallback cb,
            bool sensitive)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, name);
  gtk_widget_set_sensitive (button, sensitive);
  odl_control_name (button, name);
  g_signal_connect_object (button, "clicked", cb, self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

static GtkWidget *
make_chooser (OdlFilterCard *self)
{
  GtkWidget *chooser = odl_filter_chooser_new (self->filter);
  self->chooser = GTK_DROP_DOWN (chooser);
  g_autofree char *name = g_strdup_printf (_ ("Filter %d"), self->item + 1);
  odl_control_name (chooser, name);
  g_signal_connect_object (chooser, "notify::selected", G_CALLBACK (chosen_cb), self,
                           G_CONNECT_SWAPPED);
  return chooser;
}

// A double click on its slider gives the default, which is a number, not what is
// measured.
static bool
has_measurable_number (const OdlFilter *filter)
{
  for (size_t i = 0; i < filter->n_parameters; i++)
    if (filter->parameters[i].measurable
        && filter->parameters[i].kind == ODL_PARAMETER_NUMBER)
      return true;
  return false;
}

static GtkWidget *
make_more (OdlFilterCard *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();
  g_menu_append (menu, _ ("_Duplicate"), "card.duplicate");
  if (odl_filter_takes_noise (self->filter)) {
    g_autofree char *region = g_strdup_printf ("win.noise-from-region(%d)", self->item);
    g_menu_append (menu, _ ("Measure σ in _Region"), region);
  }
  if (odl_filter_parameter (self->filter, "profile"))
    g_menu_append (menu, _ ("_Measure σ of Bands"), "card.measure-bands");
  else if (has_measurable_number (self->filter))
    g_menu_append (menu, _ ("_Measure σ"), "card.measure-bands");
  if (self->filter->code) {
    g_autofree char *look
        = g_strdup_printf ("win.look-at-code::%s", self->filter->code->hash);
    g_menu_append (menu, _ ("_Look at the Code…"), look);
  }
  g_menu_append (menu, _ ("_Reset"), "card.reset");
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Duplicate, reset, and more"));
  odl_control_name (button, _ ("Duplicate, reset, and more"));
  return button;
}

// The values of a bypassed filter are dimmed but can still be changed.
static void
update_switch (OdlFilterCard *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  if (self->item >= recipe->n_items)
    return;
  const bool bypassed = recipe->items[self->item].bypassed;
  if (self->acts)
    odl_filter_switch_update (self->acts);
  if (self->solo)
    gtk_toggle_button_set_active (self->solo, is_alone (self, recipe));
  GtkWidget *header = gtk_widget_get_first_child (self->list);
  for (GtkWidget *row = gtk_widget_get_next_sibling (header); row;
       row = gtk_widget_get_next_sibling (row))
    if (bypassed)
      gtk_widget_add_css_class (row, "dim-label");
    else
      gtk_widget_remove_css_class (row, "dim-label");
}

static GtkWidget *
make_still_label (OdlFilterCard *self)
{
  GtkWidget *label = gtk_label_new (odl_filter_note_still ());
  self->still = GTK_LABEL (label);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "caption");
  gtk_label_set_xalign (self->still, 0);
  gtk_label_set_wrap (self->still, TRUE);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->chooser),
                                  GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, label, NULL, -1);
  return label;
}

static void
update_still (OdlFilterCard *self)
{
  if (self->still)
    gtk_widget_set_visible (GTK_WIDGET (self->still),
                            odl_filter_is_still (self->session, self->filter));
}

static GtkWidget *
make_solo (OdlFilterCard *self)
{
  // Translators: a button that lets one filter of several act alone.
  GtkWidget *solo = gtk_toggle_button_new_with_label (_ ("Solo"));
  self->solo = GTK_TOGGLE_BUTTON (solo);
  gtk_widget_add_css_class (solo, "flat");
  gtk_widget_set_valign (solo, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (solo, _ ("This filter alone; once more: all of them"));
  g_signal_connect_object (solo, "toggled", G_CALLBACK (solo_cb), self,
                           G_CONNECT_SWAPPED);
  return solo;
}

// The page about the filter.
static GtkWidget *
make_help (OdlFilterCard *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("dialog-question-symbolic");
  g_autofree char *page = g_strconcat (ODL_HELP_FILTERS "/", self->filter->name, NULL);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", page);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.help");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("What this filter does"));
  odl_control_name (button, _ ("What this filter does"));
  return button;
}

// Below the name, which has the whole width. One of several has its switch in the chain.
static GtkWidget *
make_buttons (OdlFilterCard *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);
  GtkWidget *first
      = self->n_items > 1
            ? make_solo (self)
            : (self->acts = odl_filter_switch_new (self->session, self->item));
  gtk_widget_set_halign (first, GTK_ALIGN_START);
  gtk_widget_set_hexpand (first, TRUE);
  gtk_box_append (GTK_BOX (box), first);
  if (self->n_items > 1) {
    self->movers[0] = add_button (self, box, "go-up-symbolic", _ ("Earlier"),
                                  G_CALLBACK (up_cb), self->item > 0);
    self->movers[1] = add_button (self, box, "go-down-symbolic", _ ("Later"),
                                  G_CALLBACK (down_cb), self->item + 1 < self->n_items);
  }
  gtk_box_append (GTK_BOX (box), make_help (self));
  add_button (self, box, "user-trash-symbolic", _ ("Remove filter"),
              G_CALLBACK (remove_cb), true);
  gtk_box_append (GTK_BOX (box), make_more (self));
  return box;
}

#define MEASURED_ITEM "measured-item"

static int
measured_item (GtkWidget *line)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (line), MEASURED_ITEM));
}

static void
measured_recipe_cb (GtkWidget *line, GParamSpec *spec, OdlSession *session)
{
  const OdlRecipe *recipe = odl_session_recipe (session);
  const int item = measured_item (line);
  gtk_widget_set_visible (line, item < recipe->n_items
                                    && odl_recipe_measured_before (recipe, item));
}

static void
measure_again_cb (GtkWidget *button, OdlSession *session)
{
  OdlRecipe recipe = *odl_session_recipe (session);
  const int item = measured_item (gtk_widget_get_parent (button));
  if (item >= recipe.n_items)
    return;
  odl_recipe_forget_measured (&recipe, item);
  odl_session_set_recipe (session, &recipe, NULL);
}

// A line that says that the noise of filter `item` was measured before filters above it
// changed, and offers to measure it again. It is seen as long as that is so.
static GtkWidget *
measured_before_new (OdlSession *session, int item)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (odl_filter_note_before ());
  GtkWidget *button = gtk_button_new_with_label (_ ("Measure Again"));
  g_object_set_data (G_OBJECT (line), MEASURED_ITEM, GINT_TO_POINTER (item));
  gtk_widget_add_css_class (label, "caption");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), button);
  g_signal_connect_object (button, "clicked", G_CALLBACK (measure_again_cb), session, 0);
  g_signal_connect_object (session, "notify::recipe", G_CALLBACK (measured_recipe_cb),
                           line, G_CONNECT_SWAPPED);
  measured_recipe_cb (line, NULL, session);
  return line;
}

static void
add_header (OdlFilterCard *self)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  gtk_widget_add_css_class (column, "parameter");
  gtk_box_append (GTK_BOX (column), make_chooser (self));
  if (self->n_items > 0)
    gtk_box_append (GTK_BOX (column), make_buttons (self));
  if (self->filter->domain == ODL_DOMAIN_TEMPORAL)
    gtk_box_append (GTK_BOX (column), make_still_label (self));
  if (self->filter->code) {
    self->code_note = odl_code_note_new (self->filter->code);
    gtk_box_append (GTK_BOX (column), self->code_note);
  }
  if (odl_filter_takes_noise (self->filter))
    gtk_box_append (GTK_BOX (column), measured_before_new (self->session, self->item));
  update_still (self);
  GtkWidget *row = gtk_list_box_row_new ();
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), column);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

// Transforms with filters of their own have no use for one.
static void
update_wavelet (OdlFilterCard *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  if (self->wavelet && self->item < recipe->n_items)
    gtk_widget_set_sensitive (
        self->wavelet, odl_recipe_item_wavelet (&recipe->items[self->item]) != NULL);
}

// Inside a transform that one tells what is shared.
static bool
is_shared (const OdlFilterCard *self, const OdlParameter *parameter)
{
  return self->inside && self->filter->domain == ODL_DOMAIN_COEFFICIENT
         && (odl_filter_parameter (odl_filter_find ("transform"), parameter->key)
             || g_str_equal (parameter->key, "shifts"));
}

// What there is to see of a filter of coefficients stands on the lab bench.
static void
add_lab_row (OdlFilterCard *self)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *button = gtk_button_new_with_label (_ ("Histograms, Curve and Wavelet"));
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", "histograms");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.lab-page");
  gtk_widget_set_tooltip_text (button, _ ("On the lab bench below the picture (F7)"));
  gtk_widget_add_css_class (button, "flat");
  odl_control_hold (row);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), button);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
add_rows (OdlFilterCard *self)
{
  if (self->inside && odl_filter_has_at (self->filter))
    gtk_list_box_append (GTK_LIST_BOX (self->list),
                         odl_at_row_new (self->session, self->item));
  for (size_t i = 0; i < self->filter->n_parameters; i++) {
    const OdlParameter *parameter = &self->filter->parameters[i];
    if (is_shared (self, parameter))
      continue;
    if (parameter->kind == ODL_PARAMETER_PULLS)
      gtk_list_box_append (GTK_LIST_BOX (self->list),
                           odl_pulls_row_new (self->session, self->item, parameter));
    else if (parameter->kind != ODL_PARAMETER_MATRIX
             && parameter->kind != ODL_PARAMETER_SPECTRUM)
      gtk_list_box_append (GTK_LIST_BOX (self->list),
                           odl_parameter_row_new (self->session, self->item, parameter));
    if (parameter->kind == ODL_PARAMETER_MATRIX && self->n_levels > 1
        && !parameter->follows
        && (i == 0 || parameter[-1].kind != ODL_PARAMETER_MATRIX)) // one for all
      odl_level_curve_add (GTK_LIST_BOX (self->list), self->session, self->item,
                           parameter, self->n_levels);
    for (int l = 0; parameter->kind == ODL_PARAMETER_MATRIX && l < self->n_levels; l++)
      odl_parameter_row_add_level (GTK_LIST_BOX (self->list), self->session, self->item,
                                   parameter, l);
    if (parameter->kind == ODL_PARAMETER_WAVELET)
      self->wavelet = gtk_widget_get_last_child (self->list);
  }
  update_wavelet (self);
  if (odl_kernel_row_suits (self->filter))
    gtk_list_box_append (GTK_LIST_BOX (self->list),
                         odl_kernel_row_new (self->session, self->item));
  if (odl_measure_row_suits (self->filter))
    gtk_list_box_append (
        GTK_LIST_BOX (self->list),
        odl_measure_row_new (self->session, self->item, self->filter, self->n_levels));
  if (self->filter->domain == ODL_DOMAIN_COEFFICIENT)
    add_lab_row (self);
}

bool
odl_filter_card_update (OdlFilterCard *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  if (MAX (recipe->n_items, 1) <= self->item || recipe->n_items != self->n_items
      || filter_of (recipe, self->item) != self->filter
      || is_inside (recipe, self->item) != self->inside
      || shown_levels (recipe, self->item) != self->n_levels)
    return false;
  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row;
       row = gtk_widget_get_next_sibling (row))
    if (ODL_IS_PARAMETER_ROW (row))
      odl_parameter_row_update (ODL_PARAMETER_ROW (row));
  update_still (self);
  if (self->code_note)
    odl_code_note_update (self->code_note);
  update_switch (self);
  update_wavelet (self);
  return true;
}

const OdlFilter *
odl_filter_card_filter (const OdlFilterCard *self)
{
  return self->filter;
}

void
odl_filter_card_focus_chooser (OdlFilterCard *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->chooser));
}

void
odl_filter_card_focus_mover (OdlFilterCard *self, int by)
{
  GtkWidget *mover = self->movers[by > 0];
  if (mover && !gtk_widget_get_sensitive (mover))
    mover = self->movers[by <= 0];
  if (mover)
    gtk_widget_grab_focus (mover);
}

static void
odl_filter_card_dispose (GObject *object)
{
  OdlFilterCard *self = ODL_FILTER_CARD (object);
  g_clear_pointer (&self->list, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_filter_card_parent_class)->dispose (object);
}

static void
odl_filter_card_class_init (OdlFilterCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = odl_filter_card_dispose;
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  gtk_widget_class_install_action (widget_class, "card.duplicate", NULL, duplicate);
  gtk_widget_class_install_action (widget_class, "card.reset", NULL, reset);
  gtk_widget_class_install_action (widget_class, "card.measure-bands", NULL,
                                   measure_bands);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Up, GDK_ALT_MASK, move_key, "i",
                                -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Down, GDK_ALT_MASK, move_key, "i",
                                1);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass),
                                            GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass),
                                        GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
odl_filter_card_init (OdlFilterCard *self)
{
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  gtk_widget_set_parent (self->list, GTK_WIDGET (self));
}

GtkWidget *
odl_filter_card_new (OdlSession *session, int item)
{
  OdlFilterCard *self = g_object_new (ODL_TYPE_FILTER_CARD, NULL);
  const OdlRecipe *recipe = odl_session_recipe (session);
  self->session = g_object_ref (session);
  self->item = item;
  self->filter = filter_of (recipe, item);
  self->n_items = recipe->n_items;
  self->n_levels = shown_levels (recipe, item);
  self->inside = is_inside (recipe, item);
  if (self->inside)
    gtk_widget_add_css_class (GTK_WIDGET (self), "inside");
  g_autofree char *name = g_strdup_printf (_ ("Filter %d"), item + 1);
  odl_control_name (GTK_WIDGET (self), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  add_header (self);
  add_rows (self);
  update_switch (self);
  return GTK_WIDGET (self);
}
