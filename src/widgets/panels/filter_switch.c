// SPDX-License-Identifier: MIT
#include "widgets/panels/filter_switch.h"

#include <glib/gi18n-lib.h>

#include "filter/received.h"
#include "widgets/panels/code_note.h"
#include "widgets/panels/parameters/control.h"

#define ITEM "filter-item"
#define SESSION "filter-session"

static void
switched_cb (GtkSwitch *toggle)
{
  OdlSession *session = g_object_get_data (G_OBJECT (toggle), SESSION);
  const int item = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (toggle), ITEM));
  OdlRecipe recipe = *odl_session_recipe (session);
  const bool bypassed = !gtk_switch_get_active (toggle);
  if (item >= recipe.n_items || recipe.items[item].bypassed == bypassed)
    return;
  recipe.items[item].bypassed = bypassed;
  odl_session_set_recipe (session, &recipe, NULL);
}

GtkWidget *
odl_filter_switch_new (OdlSession *session, int item)
{
  GtkWidget *toggle = gtk_switch_new ();
  g_object_set_data (G_OBJECT (toggle), ITEM, GINT_TO_POINTER (item));
  g_object_set_data_full (G_OBJECT (toggle), SESSION, g_object_ref (session),
                          g_object_unref);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (toggle, _ ("Use this filter"));
  odl_control_name (toggle, _ ("Use this filter"));
  odl_filter_switch_update (toggle);
  g_signal_connect (toggle, "notify::active", G_CALLBACK (switched_cb), NULL);
  return toggle;
}

void
odl_filter_switch_update (GtkWidget *toggle)
{
  OdlSession *session = g_object_get_data (G_OBJECT (toggle), SESSION);
  const int item = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (toggle), ITEM));
  const OdlRecipe *recipe = odl_session_recipe (session);
  if (item < recipe->n_items)
    gtk_switch_set_active (GTK_SWITCH (toggle), !recipe->items[item].bypassed);
}

bool
odl_filter_is_still (OdlSession *session, const OdlFilter *filter)
{
  return filter->domain == ODL_DOMAIN_TEMPORAL && odl_session_info (session)->location
         && !odl_playback_is_moving (odl_session_playback (session));
}

const char *
odl_filter_note_still (void)
{
  return _ ("A still has no frames before it: it stays as it is.");
}

const char *
odl_filter_note_before (void)
{
  return _ ("Measured before this: a filter above has changed since.");
}

const char *
odl_filter_note (OdlSession *session, int item)
{
  const OdlRecipe *recipe = odl_session_recipe (session);
  if (item >= recipe->n_items)
    return NULL;
  const OdlOwnCode *code = recipe->items[item].filter->code;
  g_autofree char *said = code ? odl_code_note_text (code) : NULL;
  if (said)
    return g_intern_string (said);
  return odl_filter_is_still (session, recipe->items[item].filter)
             ? odl_filter_note_still ()
         : odl_recipe_measured_before (recipe, item) ? odl_filter_note_before ()
                                                     : NULL;
}
