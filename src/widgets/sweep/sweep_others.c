// SPDX-License-Identifier: MIT
#include "widgets/sweep/sweep_others.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "filter/own/words.h"
#include "filter/strength.h"
#include "widgets/panels/parameters/drop_down.h"
#include "widgets/sweep/sweep_varied.h"
#include "widgets/windows/child_window.h"

// One that was chosen.
typedef struct {
  OdlSweepOthers *others;
  const OdlFilter *filter;
  AdwExpanderRow *row;
  OdlSweepVaried *varied; // NULL: it has nothing that could
} Other;

struct _OdlSweepOthers {
  const OdlWindowParts *parts;
  AdwPreferencesGroup *group;
  AdwComboRow *place; // of the chain's filters, which gives way
  GtkDropDown *choice; // its first row stands for none
  GtkStringList *names; // in it
  GPtrArray *chosen; // Other
  OdlRecipe recipe; // that they are for
  int items[ODL_RECIPE_MAX_FILTERS]; // of the rows of `place`
  int n_items;
  bool choosing; // the choice is set, not made
};

// ---- which filters -------------------------------------------------------------------

static bool
is_in_chain (const OdlSweepOthers *self, const OdlFilter *filter)
{
  for (int i = 0; i < self->recipe.n_items; i++)
    if (self->recipe.items[i].filter == filter)
      return true;
  return false;
}

// Without what needs a file or another filter, or is code.
static bool
can_stand_in (const OdlSweepOthers *self, const OdlFilter *filter)
{
  return filter->kind != ODL_FILTER_PASS_THROUGH && filter->kind != ODL_FILTER_TRANSFORM
         && filter->kind != ODL_FILTER_INVERSE && !odl_own_is_filter (filter)
         && !odl_filter_file (filter) && !is_in_chain (self, filter);
}

// The parameter that says most how much a filter does: what the strength of a recipe
// scales, else its first number, else its first choice. NULL: none can vary.
static const OdlParameter *
main_parameter (const OdlRecipeItem *item)
{
  const OdlFilter *filter = item->filter;
  const OdlParameter *number = NULL, *choice = NULL;
  const OdlStrengthRow *row;
  for (size_t i = 0; (row = odl_strength_row (i)); i++) {
    const OdlParameter *parameter = g_str_equal (row->filter, filter->name)
                                        ? odl_filter_parameter (filter, row->key)
                                        : NULL;
    if (parameter && odl_sweep_can_vary (item, parameter))
      return parameter;
  }
  for (size_t p = filter->n_parameters; p-- > 0;) {
    const OdlParameter *parameter = &filter->parameters[p];
    if (!odl_sweep_can_vary (item, parameter))
      continue;
    if (parameter->kind == ODL_PARAMETER_NUMBER
        || parameter->kind == ODL_PARAMETER_INTEGER)
      number = parameter;
    else if (parameter->kind == ODL_PARAMETER_CHOICE)
      choice = parameter;
  }
  return number ? number : choice;
}

// ---- rows ----------------------------------------------------------------------------

static void
other_free (void *data)
{
  Other *other = data;
  odl_sweep_varied_free (other->varied);
  g_free (other);
}

static void show_choice (OdlSweepOthers *self);

static void
remove_cb (Other *other)
{
  OdlSweepOthers *self = other->others;
  adw_preferences_group_remove (self->group, GTK_WIDGET (other->row));
  g_ptr_array_remove (self->chosen, other);
  show_choice (self);
}

static AdwExpanderRow *
plain_row (const OdlFilter *filter)
{
  GtkWidget *row = adw_expander_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ (filter->label));
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), _ ("As it begins"));
  return ADW_EXPANDER_ROW (row);
}

bool
odl_sweep_others_add (OdlSweepOthers *self, const OdlFilter *filter)
{
  OdlRecipe recipe;
  if (!can_stand_in (self, filter))
    return false;
  odl_recipe_init (&recipe);
  odl_recipe_append (&recipe, filter);
  const OdlParameter *parameter = main_parameter (&recipe.items[0]);
  Other *other = g_new0 (Other, 1);
  other->others = self;
  other->filter = filter;
  if (parameter) {
    const char *unit = odl_units_are_of (parameter)
                           ? odl_units_caption (self->parts->session)
                       : *parameter->unit ? _ (parameter->unit)
                                          : "";
    g_autofree char *subtitle
        = g_strdup_printf ("%s%s%s", _ (parameter->label), *unit ? ", " : "", unit);
    other->varied
        = odl_sweep_varied_new (g_strdup_printf ("%s.%s", filter->name, parameter->key),
                                _ (filter->label), subtitle);
    odl_sweep_varied_offer (other->varied, self->parts->session, &recipe.items[0],
                            parameter);
    other->row = odl_sweep_varied_row (other->varied);
    adw_expander_row_set_enable_expansion (other->row, TRUE);
    adw_expander_row_set_expanded (other->row, FALSE);
  } else
    other->row = plain_row (filter);
  // Translators: a filter of those that are compared.
  g_autofree char *words = g_strdup_printf (_ ("Without %s"), _ (filter->label));
  GtkWidget *button = odl_child_window_button ("user-trash-symbolic", words,
                                               G_CALLBACK (remove_cb), other);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  adw_expander_row_add_action (other->row, button);
  adw_preferences_group_add (self->group, GTK_WIDGET (other->row));
  g_ptr_array_add (self->chosen, other);
  show_choice (self);
  return true;
}

// ---- choosing ------------------------------------------------------------------------

static const OdlFilter *
filter_called (const char *label)
{
  for (size_t i = 0; i < odl_filter_count (); i++)
    if (g_str_equal (_ (odl_filter_at (i)->label), label))
      return odl_filter_at (i);
  return NULL;
}

static char *
search_text (GtkStringObject *item, void *data)
{
  const char *label = gtk_string_object_get_string (item);
  const OdlFilter *filter = filter_called (label);
  return g_strdup_printf ("%s %s %s", label, filter ? filter->name : "",
                          filter ? _ (filter->description) : "");
}

static bool
is_chosen (const OdlSweepOthers *self, const OdlFilter *filter)
{
  for (guint i = 0; i < self->chosen->len; i++)
    if (((const Other *) self->chosen->pdata[i])->filter == filter)
      return true;
  return false;
}

// Those that are left to choose from.
static void
show_choice (OdlSweepOthers *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (size_t i = 0; i < odl_filter_count (); i++)
    if (can_stand_in (self, odl_filter_at (i)) && !is_chosen (self, odl_filter_at (i)))
      g_ptr_array_add (names, _ (odl_filter_at (i)->label));
  g_ptr_array_add (names, NULL);
  self->choosing = true;
  // The search of the list is that of this model.
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->names));
  gtk_string_list_splice (self->names, 1, n - 1, (const char *const *) names->pdata);
  gtk_drop_down_set_selected (self->choice, 0);
  self->choosing = false;
}

static gboolean
add_later (void *data)
{
  OdlSweepOthers *self = g_object_get_data (data, "others");
  GtkStringObject *item = self ? gtk_drop_down_get_selected_item (self->choice) : NULL;
  const OdlFilter *filter
      = item ? filter_called (gtk_string_object_get_string (item)) : NULL;
  if (filter)
    odl_sweep_others_add (self, filter);
  return G_SOURCE_REMOVE;
}

// Once the list has done with its choice.
static void
choice_cb (GtkDropDown *choice, GParamSpec *spec, OdlSweepOthers *self)
{
  if (!self->choosing && gtk_drop_down_get_selected (choice) > 0)
    g_idle_add_full (G_PRIORITY_DEFAULT, add_later, g_object_ref (choice),
                     g_object_unref);
}

// ---- the chain -----------------------------------------------------------------------

static void
show_places (OdlSweepOthers *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint offered = 0;
  self->n_items = 0;
  for (int i = 0; i < self->recipe.n_items; i++) {
    const OdlFilter *filter = self->recipe.items[i].filter;
    if (self->recipe.items[i].bypassed || filter->kind == ODL_FILTER_TRANSFORM
        || filter->kind == ODL_FILTER_INVERSE)
      continue;
    gtk_string_list_append (names, _ (filter->label));
    self->items[self->n_items++] = i;
    if (main_parameter (&self->recipe.items[i])
        && filter->kind != ODL_FILTER_PASS_THROUGH)
      offered = (guint) self->n_items - 1;
  }
  adw_combo_row_set_model (self->place, G_LIST_MODEL (names));
  adw_combo_row_set_selected (self->place, offered);
  gtk_widget_set_visible (GTK_WIDGET (self->place), self->n_items > 1);
  gtk_widget_set_visible (GTK_WIDGET (self->group), self->n_items > 0);
}

void
odl_sweep_others_follow (OdlSweepOthers *self, const OdlRecipe *recipe)
{
  for (guint i = 0; i < self->chosen->len; i++)
    adw_preferences_group_remove (
        self->group, GTK_WIDGET (((const Other *) self->chosen->pdata[i])->row));
  g_ptr_array_set_size (self->chosen, 0);
  self->recipe = *recipe;
  show_places (self);
  show_choice (self);
}

bool
odl_sweep_others_has_any (const OdlSweepOthers *self)
{
  return self->chosen->len > 0;
}

// "soft-threshold:2"
static char *
name_of (const OdlRecipe *recipe, int item)
{
  const char *name = recipe->items[item].filter->name;
  int n = 1;
  for (int i = 0; i < item; i++)
    n += g_str_equal (recipe->items[i].filter->name, name);
  return n > 1 ? g_strdup_printf ("%s:%d", name, n) : g_strdup (name);
}

bool
odl_sweep_others_read (OdlSweepOthers *self,
                       GStrvBuilder *vary,
                       GStrvBuilder *titles,
                       GError **error)
{
  const guint selected = adw_combo_row_get_selected (self->place);
  if (self->chosen->len == 0 || selected >= (guint) self->n_items)
    return true;
  const int item = self->items[selected];
  g_autofree char *name = name_of (&self->recipe, item);
  g_autoptr (GString) text = g_string_new (name);
  g_string_append_printf (text, "=%s", self->recipe.items[item].filter->name);
  for (guint i = 0; i < self->chosen->len; i++)
    g_string_append_printf (text, ",%s",
                            ((const Other *) self->chosen->pdata[i])->filter->name);
  g_strv_builder_add (vary, text->str);
  g_strv_builder_add (titles, _ ("Other filters"));
  for (guint i = 0; i < self->chosen->len; i++) {
    const Other *other = self->chosen->pdata[i];
    if (!other->varied || !odl_sweep_varied_is_on (other->varied))
      continue;
    g_autofree char *own = odl_sweep_varied_text (other->varied, error);
    if (!own)
      return false;
    g_strv_builder_add (vary, own);
    g_strv_builder_add (titles, odl_sweep_varied_title (other->varied));
  }
  return true;
}

// ---- life ----------------------------------------------------------------------------

static GtkWidget *
make_choice (OdlSweepOthers *self)
{
  GtkWidget *row = adw_action_row_new ();
  const char *const none[] = { _ ("Choose a filter"), NULL };
  self->names = gtk_string_list_new (none);
  GtkWidget *choice = gtk_drop_down_new (G_LIST_MODEL (self->names), NULL);
  self->choice = g_object_ref_sink (GTK_DROP_DOWN (choice));
  odl_drop_down_narrow (self->choice);
  odl_drop_down_search (self->choice, search_text, _ ("No filter is called that."));
  gtk_widget_set_valign (choice, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (choice, TRUE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Compare with"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), choice);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Compare with"), -1);
  g_object_set_data (G_OBJECT (choice), "others", self);
  g_signal_connect (choice, "notify::selected", G_CALLBACK (choice_cb), self);
  return row;
}

OdlSweepOthers *
odl_sweep_others_new (const OdlWindowParts *parts)
{
  OdlSweepOthers *self = g_new0 (OdlSweepOthers, 1);
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *place = adw_combo_row_new ();
  self->parts = parts;
  self->group = g_object_ref_sink (ADW_PREFERENCES_GROUP (group));
  self->chosen = g_ptr_array_new_with_free_func (other_free);
  adw_preferences_group_set_title (self->group, _ ("Other Filters"));
  self->place = ADW_COMBO_ROW (place);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (place), _ ("In the place of"));
  odl_combo_row_widen (self->place);
  adw_preferences_group_add (self->group, place);
  adw_preferences_group_add (self->group, make_choice (self));
  return self;
}

void
odl_sweep_others_free (OdlSweepOthers *self)
{
  if (!self)
    return;
  g_object_set_data (G_OBJECT (self->choice), "others", NULL);
  g_signal_handlers_disconnect_by_data (self->choice, self);
  g_object_unref (self->choice);
  g_object_unref (self->group);
  g_ptr_array_unref (self->chosen);
  g_free (self);
}

GtkWidget *
odl_sweep_others_widget (OdlSweepOthers *self)
{
  return GTK_WIDGET (self->group);
}
