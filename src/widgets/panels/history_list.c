// SPDX-License-Identifier: MIT
#include "widgets/panels/history_list.h"

#include <glib/gi18n-lib.h>

#include "filter/strength.h"
#include "plan/title.h"
#include "widgets/names.h"
#include "widgets/panels/step_words.h"
#include "widgets/units.h"

#define LIST "list"
#define CHARS 40
#define WIDTH 320
#define HEIGHT 360

// `at_strength`: numbers as they act. Names of files only as they may be shown, numbers
// in the unit in which they are read.
static OdlRecipe
recipe_at (OdlSession *session, guint i, bool at_strength)
{
  const OdlRecipe *recipe = odl_history_recipe_at (odl_session_history (session), i);
  OdlRecipe told
      = odl_recipe_with_files_as (recipe, odl_names_word (odl_names_of (session)));
  if (at_strength)
    told = odl_recipe_at_strength (&told);
  odl_units_tell (session, &told);
  return told;
}

// What a step did. Steps with the same filters as the one before are of measurements.
// Transfer full.
static char *
describe (OdlSession *session, guint i)
{
  const OdlRecipe now = recipe_at (session, i, false);
  if (i == 0)
    return g_strdup (now.n_items > 0 ? _ ("Filters at first") : _ ("No filters"));
  const OdlRecipe before = recipe_at (session, i - 1, false);
  return odl_recipe_equal (&before, &now) ? g_strdup (_ ("Measurement or drawing"))
                                          : odl_step_words (&before, &now);
}

static GtkWidget *
make_label (const char *text, bool is_current, bool is_below)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), CHARS);
  if (is_current)
    gtk_widget_add_css_class (label, "heading");
  if (is_below) {
    gtk_widget_add_css_class (label, "dim-label");
    gtk_widget_add_css_class (label, "caption");
  }
  return label;
}

// What was done, and below it all filters that there were then.
static GtkWidget *
make_row (OdlSession *session, guint i, bool is_current)
{
  const OdlRecipe recipe = recipe_at (session, i, true);
  g_autofree char *title = odl_plan_title (&recipe, ODL_MAX_LEVELS);
  g_autofree char *words = describe (session, i);
  g_autofree char *line = g_strdup_printf ("%u  %s", i + 1, words);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), make_label (line, is_current, false));
  if (title)
    gtk_box_append (GTK_BOX (box), make_label (title, false, true));
  gtk_widget_add_css_class (box, "parameter");
  return box;
}

// The newest step is the first one, and the current one has the focus.
static void
fill_cb (GtkWidget *popover, OdlSession *session)
{
  GtkListBox *list = g_object_get_data (G_OBJECT (popover), LIST);
  const OdlHistory *history = odl_session_history (session);
  GtkWidget *child, *current = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (list))))
    gtk_list_box_remove (list, child);
  for (guint i = history->steps->len; i-- > 0;) {
    gtk_list_box_append (list, make_row (session, i, i == history->position));
    if (i == history->position)
      current = gtk_widget_get_last_child (GTK_WIDGET (list));
  }
  gtk_list_box_select_row (list, GTK_LIST_BOX_ROW (current));
  gtk_widget_grab_focus (current);
}

static void
chosen_cb (GtkWidget *popover, GtkListBoxRow *row, GtkListBox *list)
{
  OdlSession *session = g_object_get_data (G_OBJECT (list), LIST);
  const guint n = odl_session_history (session)->steps->len;
  const guint index = (guint) gtk_list_box_row_get_index (row);
  gtk_popover_popdown (GTK_POPOVER (popover));
  if (index < n)
    odl_session_go_to_step (session, n - 1 - index);
}

GtkWidget *
odl_history_list_new (OdlSession *session)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *window = gtk_scrolled_window_new ();
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Steps that can be undone"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (window), list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (window), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (window), HEIGHT);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (window), TRUE);
  gtk_widget_set_size_request (window, WIDTH, -1);
  gtk_popover_set_child (GTK_POPOVER (popover), window);
  g_object_set_data (G_OBJECT (popover), LIST, list);
  g_object_set_data_full (G_OBJECT (list), LIST, g_object_ref (session), g_object_unref);
  g_signal_connect_object (popover, "show", G_CALLBACK (fill_cb), session, 0);
  g_signal_connect_object (list, "row-activated", G_CALLBACK (chosen_cb), popover,
                           G_CONNECT_SWAPPED);
  return popover;
}
