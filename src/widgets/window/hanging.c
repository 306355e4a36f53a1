// SPDX-License-Identifier: MIT
// Hanging rules: the next one that suits the series that is shown lays out the panes.
#include <glib/gi18n-lib.h>

#include "session/browse/hanging.h"
#include "widgets/panels/sources/study_rows.h"
#include "widgets/window/files/workspaces.h"
#include "widgets/window/parts.h"

#define LAST "odl-hanging" // of a window: the name of the rule that was applied last

// The place of the active pane's series in the list; −1: it is none of it.
static int
find_shown (const OdlWindowParts *parts, const GPtrArray *list)
{
  const char *file = odl_session_file (parts->session);
  const char *uid = odl_session_detail (parts->session, "series-instance");
  const char *location
      = list && file && uid ? odl_study_rows_find (list, file, uid) : NULL;
  for (guint i = 0; location && i < list->len; i++)
    if (g_str_equal (((const OdlSeries *) list->pdata[i])->location, location))
      return (int) i;
  return -1;
}

// Filters that somebody chose for the series, and the slice that is looked at, stay with
// it.
static void
keep_look (const OdlWindowParts *parts, OdlWorkspace *workspace, const char *location)
{
  for (int i = 0; i < workspace->n_panes; i++) {
    OdlWorkspacePane *pane = &workspace->panes[i];
    if (!g_str_equal (pane->location, location))
      continue;
    pane->position = odl_playback_position (odl_session_playback (parts->session));
    if (!pane->recipe)
      pane->recipe = odl_recipe_to_text (odl_session_recipe (parts->session), " ");
  }
}

// Those that suit, in order; the names are those of `rules`.
static GPtrArray *
lay_all (const GPtrArray *rules, const GPtrArray *list, guint shown, GPtrArray *names)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_workspace_free);
  for (guint i = 0; i < rules->len; i++) {
    OdlWorkspace *one = odl_hanging_lay (rules->pdata[i], list, shown);
    if (!one)
      continue;
    g_ptr_array_add (all, one);
    g_ptr_array_add (names, (void *) odl_hanging_name (rules->pdata[i]));
  }
  return all;
}

static guint
index_after (const GPtrArray *names, const char *last)
{
  for (guint i = 0; i < names->len; i++)
    if (g_strcmp0 (names->pdata[i], last) == 0)
      return (i + 1) % names->len;
  return 0;
}

static void
next_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const GPtrArray *list = odl_source_panel_studies (parts->source_panel);
  const int shown = find_shown (parts, list);
  if (shown < 0) {
    odl_messages_say (parts->messages,
                      _ ("Hanging is for series of the list of patients and studies: "
                         "open a folder with DICOM files, or list it by studies."));
    return;
  }
  g_autoptr (GPtrArray) faults = NULL;
  g_autoptr (GPtrArray) rules = odl_hangings_read (&faults);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) all = lay_all (rules, list, (guint) shown, names);
  for (guint i = 0; i < faults->len; i++)
    odl_messages_say (parts->messages, faults->pdata[i]);
  if (all->len == 0) {
    odl_messages_say (parts->messages, _ ("No hanging rule suits this series."));
    return;
  }
  GObject *window = G_OBJECT (parts->window);
  const guint index = index_after (names, g_object_get_data (window, LAST));
  g_object_set_data_full (window, LAST, g_strdup (names->pdata[index]), g_free);
  const OdlSeries *series = list->pdata[shown];
  keep_look (parts, all->pdata[index], series->location);
  if (!odl_workspaces_bring (parts, all->pdata[index]))
    return;
  // Translators: a way to lay out the series of a study: its number, how many suit, name.
  g_autofree char *text = g_strdup_printf (_ ("Hanging %u of %u: %s"), index + 1,
                                           all->len, (const char *) names->pdata[index]);
  odl_messages_say_of_layout (parts->messages, text);
}

void
odl_window_add_hanging (const OdlWindowParts *parts)
{
  static const OdlWindowAction entry = { "next-hanging", G_CALLBACK (next_cb) };
  odl_window_add_actions (parts, &entry, 1, (void *) parts);
}
