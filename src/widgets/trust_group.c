// SPDX-License-Identifier: MIT
#include "widgets/trust_group.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "session/trust.h"
#include "widgets/panels/parameters/control.h"

#define ROWS "odl-trust-rows"
#define SHOWN_DIGITS 16

static void
revoke_cb (GtkWidget *button, gpointer code)
{
  odl_trust_refuse (odl_trust_of_program (), code);
}

static GtkWidget *
make_row (const OdlTrusted *trusted)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_with_label (_ ("Revoke"));
  g_autoptr (GDateTime) since = g_date_time_new_from_unix_local (trusted->since);
  g_autofree char *day = since ? g_date_time_format (since, "%x") : g_strdup ("");
  g_autofree char *digits = g_strndup (trusted->code->hash, SHOWN_DIGITS);
  // Translators: since when code is allowed (a date), and the beginning of its SHA-256.
  g_autofree char *subtitle = g_strdup_printf (_ ("Allowed on %s · %s…"), day, digits);
  g_autofree char *title = g_markup_escape_text (trusted->code->name, -1);
  g_autofree char *name = g_strdup_printf (_ ("Revoke “%s”"), trusted->code->name);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  odl_control_name (button, name);
  g_signal_connect (button, "clicked", G_CALLBACK (revoke_cb), (void *) trusted->code);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  return row;
}

static GtkWidget *
make_empty_row (void)
{
  GtkWidget *row = adw_action_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("None"));
  gtk_widget_add_css_class (row, "dim-label");
  return row;
}

static void
fill (GtkWidget *group)
{
  GPtrArray *rows = g_object_get_data (G_OBJECT (group), ROWS);
  g_autoptr (GArray) list = odl_trust_list (odl_trust_of_program ());
  for (guint i = 0; i < rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (group), rows->pdata[i]);
  g_ptr_array_set_size (rows, 0);
  for (guint i = 0; i < list->len; i++)
    g_ptr_array_add (rows, make_row (&g_array_index (list, OdlTrusted, i)));
  if (list->len == 0)
    g_ptr_array_add (rows, make_empty_row ());
  for (guint i = 0; i < rows->len; i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), rows->pdata[i]);
}

GtkWidget *
odl_trust_group_new (void)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_object_set_data_full (G_OBJECT (group), ROWS, g_ptr_array_new (),
                          (GDestroyNotify) g_ptr_array_unref);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Own Filters"));
  adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (group),
      _ ("Code that you have allowed to filter pictures, by its contents. What is "
         "revoked "
         "is passed over in all chains, until you allow it again."));
  fill (group);
  g_signal_connect_object (odl_trust_of_program (), "changed", G_CALLBACK (fill), group,
                           G_CONNECT_SWAPPED);
  return group;
}
