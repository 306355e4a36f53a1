// SPDX-License-Identifier: MIT
#include "widgets/panels/history_list.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "plan/title.h"
#include "widgets/names.h"

#define LIST "list"
#define JOINT " + " // between the filters of a title
#define CHARS 40
#define SAME_ALPHA 0xa000 // of words that the step before had, too
#define WIDTH 320
#define HEIGHT 360

// Transfer full. Steps with the same filters as the one before are of measurements.
static char *
describe (OdlSession *session, const OdlHistory *history, guint i)
{
  const OdlRecipe *recipe = odl_history_recipe_at (history, i);
  if (i > 0 && odl_recipe_equal (recipe, odl_history_recipe_at (history, i - 1)))
    return g_strdup (_ ("Measurement or drawing"));
  const OdlRecipe told
      = odl_recipe_with_files_as (recipe, odl_names_word (odl_names_of (session)));
  char *title = odl_plan_title (&told, ODL_MAX_LEVELS);
  return title ? title : g_strdup (_ ("No filters"));
}

// Where the first filter begins that the step before had not: what a step changed often
// stands at the end.
static gsize
skip_filters (const char *text, const char *before)
{
  const char *from = text;
  for (const char *end; before && (end = strstr (from, JOINT));
       from = end + strlen (JOINT)) {
    const gsize length = (gsize) (end - text);
    if (strncmp (text, before, length) != 0
        || (before[length] != '\0' && !g_str_has_prefix (before + length, JOINT)))
      break;
  }
  return (gsize) (from - text);
}

// How far the words are those of the step before.
static gsize
skip_words (const char *text, const char *before)
{
  gsize same = 0, i = 0;
  for (; before && text[i] != '\0' && text[i] == before[i]; i++)
    if (text[i] == ' ')
      same = i + 1;
  const bool ends = before && strchr (" ", text[i]) && strchr (" ", before[i]);
  return ends ? i : same;
}

// Whole filters of the step before are left out, its words are dim.
static GtkWidget *
make_row (const char *text, const char *before, guint number, bool is_current)
{
  const gsize from = skip_filters (text, before);
  g_autofree char *head = g_strdup_printf ("%u  %s", number, from > 0 ? "… + " : "");
  g_autofree char *line = g_strconcat (head, text + from, NULL);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  PangoAttribute *same = pango_attr_foreground_alpha_new (SAME_ALPHA);
  same->start_index = (guint) strlen (head);
  same->end_index
      = same->start_index + (guint) (MAX (skip_words (text, before), from) - from);
  pango_attr_list_insert (attributes, same);
  GtkWidget *label = gtk_label_new (line);
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), CHARS);
  gtk_widget_set_tooltip_text (label, text);
  gtk_widget_add_css_class (label, "parameter");
  if (is_current)
    gtk_widget_add_css_class (label, "heading");
  return label;
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
    g_autofree char *text = describe (session, history, i);
    g_autofree char *before = i > 0 ? describe (session, history, i - 1) : NULL;
    gtk_list_box_append (list, make_row (text, before, i + 1, i == history->position));
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
