// SPDX-License-Identifier: MIT
#include "widgets/computation_group.h"

#include <glib/gi18n-lib.h>

#include "widgets/diagnostics.h"

typedef struct {
  OdlSession *session; // referenced
  AdwComboRow *engine;
  AdwComboRow *precision;
  AdwComboRow *border;
  bool updating;
} Computation;

static const int precisions[] = { 16, 32 };

static void
computation_free (void *data)
{
  Computation *self = data;
  g_object_unref (self->session);
  g_free (self);
}

// ---- what is set ---------------------------------------------------------------------

// What computes the picture now, and why, where that is not what was asked for.
static char *
describe_engine (const Computation *self)
{
  const OdlFrame *frame = odl_session_frame (self->session);
  const OdlEngineChoice asked = odl_session_engine_request (self->session)->choice;
  const char *note = odl_session_note (self->session);
  if (!frame || frame->plan->result == frame->plan->source)
    return g_strdup (_ ("Nothing to compute: no filter acts"));
  g_autofree char *engine = odl_diagnostics_engine (
      (OdlEngineChoice){ frame->engine, frame->variant }, asked);
  // Translators: an engine.
  g_autofree char *now = g_strdup_printf (_ ("Now: %s"), engine);
  return note ? g_strdup_printf ("%s; %s", now, note) : g_steal_pointer (&now);
}

static guint
index_of_engine (const Computation *self)
{
  const OdlEngineClass *klass = odl_session_engine_request (self->session)->choice.klass;
  for (size_t i = 0; i < odl_engine_count (); i++)
    if (odl_engine_at (i) == klass)
      return (guint) i + 1;
  return 0;
}

static void
update (Computation *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  const bool has_wavelet = odl_recipe_last_wavelet_item (recipe) >= 0;
  g_autofree char *engine = describe_engine (self);
  self->updating = true;
  adw_combo_row_set_selected (self->engine, index_of_engine (self));
  adw_combo_row_set_selected (self->precision,
                              recipe->precision == precisions[0] ? 0 : 1);
  adw_combo_row_set_selected (self->border, recipe->border);
  self->updating = false;
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->engine), engine);
  gtk_widget_set_sensitive (GTK_WIDGET (self->border), has_wavelet);
  adw_action_row_set_subtitle (
      ADW_ACTION_ROW (self->border),
      has_wavelet ? _ ("What stands beyond the edges of the picture for wavelet filters")
                  : _ ("Of wavelet filters, which are not among those in use"));
}

static void
changed_cb (GtkWidget *group)
{
  update (g_object_get_data (G_OBJECT (group), "computation"));
}

// ---- what is chosen ------------------------------------------------------------------

static void
engine_cb (AdwComboRow *row, GParamSpec *spec, Computation *self)
{
  const guint selected = adw_combo_row_get_selected (row);
  if (!self->updating && selected != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (GTK_WIDGET (row), "main.engine", "s",
                                selected == 0 ? ODL_ENGINE_AUTO
                                              : odl_engine_at (selected - 1)->name);
}

static void
precision_cb (AdwComboRow *row, GParamSpec *spec, Computation *self)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (self->updating)
    return;
  recipe.precision = precisions[adw_combo_row_get_selected (row) == 0 ? 0 : 1];
  odl_session_set_recipe (self->session, &recipe, NULL);
}

static void
border_cb (AdwComboRow *row, GParamSpec *spec, Computation *self)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (self->updating)
    return;
  recipe.border = (OdlBorderChoice) adw_combo_row_get_selected (row);
  odl_session_set_recipe (self->session, &recipe, NULL);
}

// ---- rows ----------------------------------------------------------------------------

static AdwComboRow *
add_row (Computation *self,
         AdwPreferencesGroup *group,
         const char *title,
         GtkStringList *choices,
         GCallback cb)
{
  GtkWidget *row = adw_combo_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (choices));
  g_signal_connect (row, "notify::selected", cb, self);
  adw_preferences_group_add (group, row);
  g_object_unref (choices);
  return ADW_COMBO_ROW (row);
}

static GtkStringList *
engines (void)
{
  GtkStringList *names = gtk_string_list_new (NULL);
  gtk_string_list_append (names, _ ("Automatic"));
  for (size_t i = 0; i < odl_engine_count (); i++)
    gtk_string_list_append (names, odl_engine_at (i)->name);
  return names;
}

static GtkStringList *
words (const char *const *texts)
{
  GtkStringList *names = gtk_string_list_new (NULL);
  for (int i = 0; texts[i]; i++)
    gtk_string_list_append (names, _ (texts[i]));
  return names;
}

GtkWidget *
odl_computation_group_new (OdlSession *session)
{
  static const char *const bits[] = { N_ ("16 bit"), N_ ("32 bit"), NULL };
  static const char *const borders[]
      = { N_ ("Automatic"), N_ ("Symmetric"), N_ ("Periodic"), N_ ("Zero"), NULL };
  GtkWidget *widget = adw_preferences_group_new ();
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (widget);
  Computation *self = g_new0 (Computation, 1);
  self->session = g_object_ref (session);
  self->updating = true;
  g_object_set_data_full (G_OBJECT (widget), "computation", self, computation_free);
  adw_preferences_group_set_title (group, _ ("Computation"));
  adw_preferences_group_set_description (
      group, _ ("Precision and border belong to the filters in use and go with them into "
                "presets and texts."));
  self->engine = add_row (self, group, _ ("Engine"), engines (), G_CALLBACK (engine_cb));
  self->precision
      = add_row (self, group, _ ("Precision"), words (bits), G_CALLBACK (precision_cb));
  self->border
      = add_row (self, group, _ ("Border"), words (borders), G_CALLBACK (border_cb));
  self->updating = false;
  static const char *const signals[]
      = { "notify::recipe", "notify::engine", "frame-ready" };
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (session, signals[i], G_CALLBACK (changed_cb), widget,
                             G_CONNECT_SWAPPED);
  update (self);
  return widget;
}
