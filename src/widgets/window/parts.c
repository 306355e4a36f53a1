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
                        const OdlWindowAction *actions,
                        int n_actions,
                        void *object)
{
  for (int i = 0; i < n_actions; i++) {
    const OdlWindowAction *row = &actions[i];
    g_autoptr (GVariantType) type
        = row->parameter ? g_variant_type_new (row->parameter) : NULL;
    GVariant *state = row->state ? g_variant_new_parsed (row->state) : NULL; // floating
    g_autoptr (GSimpleAction) action
        = state ? g_simple_action_new_stateful (row->name, type, state)
                : g_simple_action_new (row->name, type);
    g_signal_connect_swapped (action, "activate", row->activate, object);
    g_action_map_add_action (G_ACTION_MAP (parts->window), G_ACTION (action));
  }
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

void
odl_window_own (const OdlWindowParts *parts,
                const char *name,
                void *part,
                GDestroyNotify free_part)
{
  g_object_set_data_full (G_OBJECT (parts->window), name, part, free_part);
}

bool
odl_window_shows_picture (const OdlWindowParts *parts)
{
  return odl_session_info (parts->session)->location && !odl_page_covers (parts->page);
}
