// SPDX-License-Identifier: MIT
// A clean picture beside the one in the window: what the result is measured against.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/window/private.h"

#define STOP "stop-comparing"

static void
changed_cb (const char *message, void *data)
{
  OdlMainWindow *self = data;
  GAction *stop = g_action_map_lookup_action (G_ACTION_MAP (self), STOP);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (stop),
                               odl_reference_file (self->reference) != NULL);
  if (message)
    odl_main_window_say (self, message);
  odl_main_window_update_line (self);
}

void
odl_main_window_set_reference (OdlMainWindow *self, const char *file)
{
  odl_reference_set_file (self->reference, file);
}

static void
chosen (OdlMainWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  if (path)
    odl_main_window_set_reference (self, path);
}

static void
choose_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_main_window_choose (data, _ ("Compare with a Reference"),
                          GTK_FILE_CHOOSER_ACTION_OPEN, NULL, chosen);
}

static void
stop_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_main_window_set_reference (data, NULL);
}

void
odl_main_window_add_reference (OdlMainWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "compare-reference", .activate = choose_cb },
    { .name = STOP, .activate = stop_cb },
  };
  self->reference = odl_reference_new (changed_cb, self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries),
                                   self);
  GAction *stop = g_action_map_lookup_action (G_ACTION_MAP (self), STOP);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (stop), FALSE);
}

char *
odl_main_window_reference_words (OdlMainWindow *self, const char *others)
{
  const char *text = odl_reference_text (self->reference);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->window_line),
                               odl_reference_details (self->reference));
  return text ? g_strdup_printf ("%s · %s", text, others) : g_strdup (others);
}
