// SPDX-License-Identifier: MIT
#include "widgets/window/parts.h"

#include "config.h"

void *
odl_window_child (const OdlWindowParts *parts, const char *id)
{
  GObject *child = gtk_widget_get_template_child (GTK_WIDGET (parts->window),
                                                  ODL_TYPE_MAIN_WINDOW, id);
  g_assert (child);
  return child;
}

void
odl_window_add_actions (const OdlWindowParts *parts,
                        const GActionEntry *entries,
                        int n_entries,
                        void *data)
{
  g_action_map_add_action_entries (G_ACTION_MAP (parts->window), entries, n_entries,
                                   data);
}

void
odl_window_enable (const OdlWindowParts *parts, const char *name, bool enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (parts->window), name);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
odl_window_set_switch (const OdlWindowParts *parts, const char *name, bool on)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (parts->window), name);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (on));
}

void
odl_window_connect (const OdlWindowParts *parts,
                    void *object,
                    const char *signal,
                    GCallback cb,
                    void *data)
{
  GClosure *closure = g_cclosure_new_swap (cb, data, NULL);
  g_object_watch_closure (G_OBJECT (parts->window), closure);
  g_signal_connect_closure (object, signal, closure, FALSE);
}

bool
odl_window_shows_picture (const OdlWindowParts *parts)
{
  return odl_session_info (parts->session)->location && !odl_page_covers (parts->page);
}
