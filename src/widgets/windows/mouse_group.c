// SPDX-License-Identifier: MIT
#include "widgets/windows/mouse_group.h"

#include <glib/gi18n-lib.h>

#include "widgets/viewport/tools/mouse.h"

#define MOUSE_KEY "mouse"
#define ACTIONS "odl-actions" // of a row: those of its choices, a byte for each

typedef struct {
  OdlSettings *settings; // referenced
  void (*changed) (void *data);
  void *data;
  AdwPreferencesGroup *group;
  AdwComboRow *set;
  AdwComboRow *rows[ODL_MOUSE_ROWS];
  bool filling; // the program, not a person
} MouseGroup;

static void
mouse_group_free (void *data)
{
  MouseGroup *self = data;
  g_object_unref (self->settings);
  g_free (self);
}

static OdlMouseTable
read_table (const MouseGroup *self)
{
  g_autofree char *text = odl_settings_get_string (self->settings, MOUSE_KEY);
  OdlMouseTable table;
  odl_mouse_table_read (&table, text);
  return table;
}

// The set that the table is, or the entry after all sets.
static guint
index_of (const OdlMouseTable *table)
{
  const OdlMouseSet *set = odl_mouse_set_of (table);
  guint i = 0;
  while (odl_mouse_set_at (i) && odl_mouse_set_at (i) != set)
    i++;
  return i;
}

static const uint8_t *
actions_of (AdwComboRow *row)
{
  return g_object_get_data (G_OBJECT (row), ACTIONS);
}

static void
fill (MouseGroup *self)
{
  const OdlMouseTable table = read_table (self);
  const OdlMouseSet *set = odl_mouse_set_of (&table);
  self->filling = true;
  adw_combo_row_set_selected (self->set, index_of (&table));
  for (size_t i = 0; i < ODL_MOUSE_ROWS; i++) {
    const guint n = g_list_model_get_n_items (adw_combo_row_get_model (self->rows[i]));
    for (guint k = 0; k < n; k++)
      if (actions_of (self->rows[i])[k] == table.actions[i])
        adw_combo_row_set_selected (self->rows[i], k);
  }
  self->filling = false;
  adw_preferences_group_set_description (
      self->group,
      set ? _ (set->words) : _ ("The rows below, one by one. A set fills all of them."));
}

static void
keep (MouseGroup *self, const OdlMouseTable *table)
{
  g_autofree char *text = odl_mouse_table_to_text (table);
  odl_settings_set_string (self->settings, MOUSE_KEY, text);
  fill (self);
  self->changed (self->data);
}

// The entry after all sets says what is; it sets nothing.
static void
set_cb (AdwComboRow *row, GParamSpec *spec, MouseGroup *self)
{
  const OdlMouseSet *set = odl_mouse_set_at (adw_combo_row_get_selected (row));
  if (self->filling)
    return;
  const OdlMouseTable table = set ? set->table : read_table (self);
  keep (self, &table);
}

static void
row_cb (AdwComboRow *row, GParamSpec *spec, MouseGroup *self)
{
  if (self->filling)
    return;
  OdlMouseTable table = read_table (self);
  for (size_t i = 0; i < ODL_MOUSE_ROWS; i++)
    if (self->rows[i] == row)
      table.actions[i]
          = (OdlMouseAction) actions_of (row)[adw_combo_row_get_selected (row)];
  keep (self, &table);
}

static AdwComboRow *
combo_row (const char *title, GtkStringList *names)
{
  GtkWidget *row = adw_combo_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (names));
  return ADW_COMBO_ROW (row);
}

static AdwComboRow *
set_row (MouseGroup *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  for (size_t i = 0; odl_mouse_set_at (i); i++)
    gtk_string_list_append (names, _ (odl_mouse_set_at (i)->title));
  // Translators: a set of what the buttons of the mouse do, that is none of the
  // program's.
  gtk_string_list_append (names, _ ("My own"));
  AdwComboRow *row = combo_row (_ ("Buttons on the picture"), names);
  g_signal_connect (row, "notify::selected", G_CALLBACK (set_cb), self);
  return row;
}

static AdwComboRow *
action_row (MouseGroup *self, const OdlMouseRow *one)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autoptr (GByteArray) actions = g_byte_array_new ();
  for (uint8_t k = 0; k < ODL_MOUSE_ACTIONS; k++)
    if (odl_mouse_row_takes (one, (OdlMouseAction) k)) {
      gtk_string_list_append (names, odl_mouse_action_title ((OdlMouseAction) k));
      g_byte_array_append (actions, &k, 1);
    }
  AdwComboRow *row = combo_row (_ (one->title), names);
  g_object_set_data_full (G_OBJECT (row), ACTIONS,
                          g_byte_array_free (g_steal_pointer (&actions), FALSE), g_free);
  g_signal_connect (row, "notify::selected", G_CALLBACK (row_cb), self);
  return row;
}

GtkWidget *
odl_mouse_group_new (OdlSettings *settings, void (*changed) (void *data), void *data)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *each = adw_expander_row_new ();
  MouseGroup *self = g_new0 (MouseGroup, 1);
  *self = (MouseGroup){ .settings = g_object_ref (settings),
                        .changed = changed,
                        .data = data,
                        .group = ADW_PREFERENCES_GROUP (group),
                        .filling = true };
  g_object_set_data_full (G_OBJECT (group), "odl-mouse-group", self, mouse_group_free);
  adw_preferences_group_set_title (self->group, _ ("Mouse"));
  self->set = set_row (self);
  adw_preferences_group_add (self->group, GTK_WIDGET (self->set));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (each), _ ("Each button"));
  for (size_t i = 0; i < ODL_MOUSE_ROWS; i++) {
    self->rows[i] = action_row (self, odl_mouse_row_at (i));
    adw_expander_row_add_row (ADW_EXPANDER_ROW (each), GTK_WIDGET (self->rows[i]));
  }
  adw_preferences_group_add (self->group, each);
  fill (self);
  return group;
}
