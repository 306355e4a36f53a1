// SPDX-License-Identifier: MIT
// How somebody saved that the picture of a pane is to be looked at (presentation states):
// looked for when a DICOM picture has been shown for a moment, offered among the grey
// levels, and applied on request alone. A pane that follows another one takes away what
// is drawn on one frame, too, when it goes to the next.
#include <glib/gi18n-lib.h>

#include "session/browse/presentations.h"
#include "widgets/window/parts.h"

// A picture that is leafed over needs none.
#define REST_MS 400

struct _OdlPaneSaved {
  OdlPane *pane;
  char *path; // of the picture that they are of; NULL: none
  GPtrArray *list; // OdlPresentation; NULL: none
  GCancellable *search; // NULL: none is under way
  guint rest;
  int applied; // of the list; −1: none
  int64_t applied_frame; // its drawings are of that one
};

typedef OdlPaneSaved Saved;

static void
forget (Saved *saved)
{
  g_clear_handle_id (&saved->rest, g_source_remove);
  if (saved->search)
    g_cancellable_cancel (saved->search);
  g_clear_object (&saved->search);
  g_clear_pointer (&saved->list, g_ptr_array_unref);
  saved->applied = -1;
}

// Of the active pane.
static Saved *
saved_of (const OdlWindowParts *parts)
{
  const OdlPane *pane = parts->state->active;
  return pane ? pane->saved : NULL;
}

// ---- looking for them ----------------------------------------------------------------

// The one that asked; NULL: its pane or its window has gone, or it wants something else
// now.
static Saved *
find_asking (const OdlWindowParts *parts, GAsyncResult *result)
{
  GCancellable *asked = g_task_get_cancellable (G_TASK (result));
  if (odl_window_is_closed (parts))
    return NULL;
  for (guint i = 0; i < parts->state->panes->len; i++) {
    const OdlPane *pane = parts->state->panes->pdata[i];
    if (pane->saved->search == asked)
      return pane->saved;
  }
  return NULL;
}

static void
found_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (OdlMainWindow) window = data;
  g_autoptr (GPtrArray) list = odl_presentations_list_finish (result);
  Saved *saved = find_asking (odl_main_window_parts (window), result);
  if (!saved)
    return;
  g_clear_object (&saved->search);
  saved->list = list && list->len > 0 ? g_steal_pointer (&list) : NULL;
  odl_viewport_set_saved_states (saved->pane->viewport,
                                 saved->list ? (int) saved->list->len : 0);
  odl_window_update_presets (saved->pane->parts);
}

static gboolean
rest_cb (void *data)
{
  Saved *saved = data;
  saved->rest = 0;
  if (!saved->pane->session) // the window was closed
    return G_SOURCE_REMOVE;
  saved->search = g_cancellable_new ();
  odl_presentations_list (saved->path, saved->search, found_cb,
                          g_object_ref (saved->pane->parts->window));
  return G_SOURCE_REMOVE;
}

static void follow_frame (Saved *saved);

static void
frame_cb (OdlPane *pane)
{
  Saved *saved = pane->saved;
  OdlSession *session = pane->session;
  const char *file
      = odl_session_detail (session, "sop-instance") ? odl_session_file (session) : NULL;
  if (g_strcmp0 (file, saved->path) == 0) {
    follow_frame (saved);
    return;
  }
  const bool had = saved->list != NULL;
  forget (saved);
  odl_viewport_set_graphics (pane->viewport, NULL);
  odl_viewport_set_saved_states (pane->viewport, 0);
  g_free (saved->path);
  saved->path = g_strdup (file);
  if (had)
    odl_window_update_presets (pane->parts);
  if (file)
    saved->rest = g_timeout_add (REST_MS, rest_cb, saved);
}

// ---- the menu ------------------------------------------------------------------------

// Labels may have names in them.
static char *
name_of (const Saved *saved, guint index)
{
  const OdlPresentation *one = saved->list->pdata[index];
  if (odl_viewport_masks_names (saved->pane->viewport) || !*one->label)
    return g_strdup_printf ("%u", index + 1);
  return g_strdup (one->label);
}

void
odl_window_append_presentations (const OdlWindowParts *parts, GMenu *menu)
{
  const Saved *saved = saved_of (parts);
  for (guint i = 0; saved && saved->list && i < saved->list->len; i++) {
    g_autofree char *name = name_of (saved, i);
    g_auto (GStrv) words = g_strsplit (name, "_", -1);
    g_autofree char *plain = g_strjoinv ("__", words);
    g_autofree char *action = g_strdup_printf ("win.presentation(%u)", i);
    // Translators: an entry of a menu: how somebody saved that a picture is looked at.
    g_autofree char *label = g_strdup_printf (_ ("As Saved: %s"), plain);
    g_menu_append (menu, label, action);
  }
}

// ---- applying one --------------------------------------------------------------------

static void
apply_window (const OdlWindowParts *parts,
              const OdlPresentation *one,
              const OdlImageInfo *info)
{
  OdlWindow window = odl_viewport_window (parts->viewport);
  odl_presentation_window (one, &info->value_map, &window);
  odl_viewport_set_invert (parts->viewport, window.invert);
  if (one->has_window && window.mode == ODL_WINDOW_TABLE)
    odl_viewport_set_table (parts->viewport, window.table, window.table_first,
                            window.table_last);
  else if (one->has_window)
    odl_viewport_set_window (parts->viewport, window.centre, window.width);
}

static void
apply_view (const OdlWindowParts *parts, const OdlPresentation *one)
{
  const OdlShownArea area = { .quarter_turns = one->quarter_turns,
                              .flip = one->flip,
                              .has_area = one->has_area,
                              .left = one->left,
                              .top = one->top,
                              .right = one->right,
                              .bottom = one->bottom,
                              .magnification = one->magnification,
                              .pixel_aspect = one->pixel_aspect };
  odl_viewport_show_area (parts->viewport, &area);
}

// Drawings and shutter. False: there is something that is not shown.
static bool
apply_graphics (const OdlPane *pane, const OdlPresentation *one, const OdlImageInfo *info)
{
  bool is_partial = false;
  g_autoptr (OdlGraphics) graphics = odl_presentation_graphics (
      one, info->extent.x, info->extent.y, info->pixel_aspect, &is_partial);
  odl_viewport_set_graphics (pane->viewport, graphics);
  return !is_partial && !one->is_partial;
}

// For the frame that is shown; NULL: it is of others.
static OdlPresentation *
of_frame (const Saved *saved, guint index)
{
  const OdlFrame *frame = odl_session_frame (saved->pane->session);
  const bool one_of_many = odl_session_info (saved->pane->session)->files != NULL;
  return odl_presentation_of_frame (saved->list->pdata[index],
                                    one_of_many ? 0 : frame->index);
}

// What is drawn on one frame is not left on the next.
static void
follow_frame (Saved *saved)
{
  const OdlFrame *frame = odl_session_frame (saved->pane->session);
  if (saved->applied < 0 || !frame || frame->index == saved->applied_frame)
    return;
  saved->applied_frame = frame->index;
  g_autoptr (OdlPresentation) one = of_frame (saved, (guint) saved->applied);
  if (one)
    apply_graphics (saved->pane, one, odl_image_info (frame->input));
  else
    odl_viewport_set_graphics (saved->pane->viewport, NULL);
}

static void
presentation_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  Saved *saved = saved_of (parts);
  const OdlFrame *frame = odl_session_frame (parts->session);
  const int index = g_variant_get_int32 (parameter);
  if (!odl_window_shows_picture (parts) || !frame || !saved->list || index < 0
      || index >= (int) saved->list->len
      || g_strcmp0 (odl_session_file (parts->session), saved->path) != 0)
    return;
  g_autoptr (OdlPresentation) one = of_frame (saved, (guint) index);
  g_autofree char *name = name_of (saved, (guint) index);
  if (!one) {
    odl_messages_say_of_state (parts->messages,
                               _ ("That was saved for other frames than this one."));
    return;
  }
  if (((const OdlPresentation *) saved->list->pdata[index])->of_other) {
    odl_messages_say_of_state (parts->messages,
                               _ ("That has the number of another patient than the "
                                  "picture, and is not applied."));
    return;
  }
  const OdlImageInfo *info = odl_image_info (frame->input);
  apply_window (parts, one, info);
  apply_view (parts, one);
  saved->applied = index;
  saved->applied_frame = frame->index;
  g_autofree char *text = g_strdup_printf (
      apply_graphics (saved->pane, one, info)
          ? _ ("Shown as saved: %s")
          : _ ("Shown as saved: %s. It has more, which is not shown: such as masks, the "
               "true size or damaged drawings."),
      name);
  odl_messages_say_of_state (parts->messages, text);
}

// ---- life ----------------------------------------------------------------------------

OdlPaneSaved *
odl_pane_saved_new (OdlPane *pane)
{
  Saved *saved = g_new0 (Saved, 1);
  saved->pane = pane;
  saved->applied = -1;
  g_signal_connect_swapped (pane->session, "frame-ready", G_CALLBACK (frame_cb), pane);
  return saved;
}

void
odl_pane_saved_free (OdlPaneSaved *saved)
{
  forget (saved);
  g_free (saved->path);
  g_free (saved);
}

void
odl_window_add_presentations (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[]
      = { { "presentation", G_CALLBACK (presentation_cb), "i", NULL } };
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
}
