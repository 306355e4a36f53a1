// SPDX-License-Identifier: MIT
#include "widgets/window/parts.h"

void *
odl_window_child (const OdlWindowParts *parts, const char *id)
{
  GObject *child = gtk_widget_get_template_child (GTK_WIDGET (parts->window),
                                                  ODL_TYPE_MAIN_WINDOW, id);
  g_assert (child);
  return child;
}

bool
odl_window_is_closed (const OdlWindowParts *parts)
{
  return parts->session == NULL;
}

const OdlWindowParts *
odl_main_window_parts (OdlMainWindow *window)
{
  return g_object_get_data (G_OBJECT (window), ODL_WINDOW_PARTS);
}

bool
odl_main_window_is_empty (OdlMainWindow *window)
{
  OdlSession *session = odl_main_window_parts (window)->session;

  return !odl_session_info (session)->location && !odl_session_opening (session);
}

// ---- what is told --------------------------------------------------------------------

void
odl_window_tell (const OdlWindowParts *parts, const char *what, const void *about)
{
  g_signal_emit (parts->window, g_signal_lookup ("told", ODL_TYPE_MAIN_WINDOW),
                 g_quark_from_static_string (what), about);
}

void
odl_window_update_actions (const OdlWindowParts *parts)
{
  odl_window_tell (parts, "actions", NULL);
}

void
odl_window_update_title (const OdlWindowParts *parts)
{
  odl_window_tell (parts, "title", NULL);
}

void
odl_window_update_presets (const OdlWindowParts *parts)
{
  odl_window_tell (parts, "presets", NULL);
}

void
odl_main_window_open (OdlMainWindow *window,
                      const char *location,
                      const OdlRecipe *recipe)
{
  const OdlWindowRequest request = { location, recipe };

  odl_window_tell (odl_main_window_parts (window), "open", &request);
}

void
odl_main_window_end (OdlMainWindow *window)
{
  odl_window_tell (odl_main_window_parts (window), "end", NULL);
}

// ---- actions -------------------------------------------------------------------------

static void
acting_cb (const OdlWindowParts *parts)
{
  odl_window_tell (parts, "acting", NULL);
}

#define ROW "odl-row" // of an action
#define CONDITIONAL "odl-conditional"

// An action whose row says when it is enabled.
typedef struct {
  GSimpleAction *action;
  const OdlWindowAction *row;
} Conditional;

// What the window holds under that name, an empty list at first.
static GArray *
find_list (const OdlWindowParts *parts, const char *name, guint item_size)
{
  GArray *list = g_object_get_data (G_OBJECT (parts->window), name);
  if (!list) {
    list = g_array_new (FALSE, FALSE, item_size);
    odl_window_own (parts, name, list, (GDestroyNotify) g_array_unref);
  }
  return list;
}

static void
part_cb (const OdlWindowParts *parts, GVariant *parameter, GObject *action)
{
  const OdlWindowAction *row = g_object_get_data (action, ROW);
  void *part = *(void *const *) ((const char *) parts + row->part - 1);
  void (*activate) (void *part, GVariant *parameter)
      = (void (*) (void *, GVariant *)) row->activate;
  activate (part, parameter);
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
    g_signal_connect_swapped (action, "activate", G_CALLBACK (acting_cb), (void *) parts);
    if (row->part > 0)
      g_signal_connect_swapped (action, "activate", G_CALLBACK (part_cb), (void *) parts);
    else
      g_signal_connect_swapped (action, "activate", row->activate, object);
    g_object_set_data (G_OBJECT (action), ROW, (void *) row);
    const Conditional conditional = { action, row };
    if (row->when)
      g_array_append_val (find_list (parts, CONDITIONAL, sizeof (Conditional)),
                          conditional);
    g_action_map_add_action (G_ACTION_MAP (parts->window), G_ACTION (action));
  }
}

void
odl_window_enable_actions (const OdlWindowParts *parts, bool covered)
{
  const GArray *conditional = find_list (parts, CONDITIONAL, sizeof (Conditional));
  for (guint i = 0; i < conditional->len; i++) {
    const Conditional *item = &g_array_index (conditional, Conditional, i);
    g_simple_action_set_enabled (item->action, !covered && item->row->when (parts));
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

// ---- signals -------------------------------------------------------------------------

// A signal of what the active pane has.
typedef struct {
  bool of_viewport; // else of the session
  const char *signal;
  GCallback cb;
  void *data;
  gulong handler;
} Followed;

#define FOLLOWED "odl-followed"

static gulong
connect_until_disposed (const OdlWindowParts *parts,
                        void *object,
                        const char *signal,
                        GCallback cb,
                        void *data)
{
  GClosure *closure = g_cclosure_new_swap (cb, data, NULL);
  g_object_watch_closure (G_OBJECT (parts->window), closure);
  return g_signal_connect_closure (object, signal, closure, FALSE);
}

void
odl_window_connect (const OdlWindowParts *parts,
                    void *object,
                    const char *signal,
                    GCallback cb,
                    void *data)
{
  const gulong handler = connect_until_disposed (parts, object, signal, cb, data);
  if (object != parts->session && object != parts->viewport)
    return;
  const Followed followed
      = { object == parts->viewport, g_intern_string (signal), cb, data, handler };
  g_array_append_val (find_list (parts, FOLLOWED, sizeof (Followed)), followed);
}

void
odl_window_follow (const OdlWindowParts *parts,
                   OdlSession *session,
                   OdlViewport *viewport)
{
  GArray *all = find_list (parts, FOLLOWED, sizeof (Followed));
  for (guint i = 0; i < all->len; i++) {
    Followed *followed = &g_array_index (all, Followed, i);
    void *before = followed->of_viewport ? (void *) viewport : (void *) session;
    void *now
        = followed->of_viewport ? (void *) parts->viewport : (void *) parts->session;
    g_signal_handler_disconnect (before, followed->handler);
    followed->handler = connect_until_disposed (parts, now, followed->signal,
                                                followed->cb, followed->data);
  }
}

void
odl_window_own (const OdlWindowParts *parts,
                const char *name,
                void *part,
                GDestroyNotify free_part)
{
  g_object_set_data_full (G_OBJECT (parts->window), name, part, free_part);
}
