// SPDX-License-Identifier: MIT
// Key pictures: marked, and gone to one after the other.
#include <glib/gi18n-lib.h>

#include "widgets/window/parts.h"

// Whether the frame that is shown can be marked: it comes back, and is no plane.
static bool
can_be_marked (const OdlWindowParts *parts)
{
  return odl_window_shows_picture (parts) && odl_session_identity (parts->session)
         && !odl_session_info (parts->session)->live
         && !odl_session_shows_planes (parts->session);
}

static void
mark_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const OdlFrame *frame = odl_session_frame (parts->session);
  bool by_others;
  if (!frame)
    return;
  odl_session_mark_key (parts->session, frame->index);
  const bool is_key = odl_session_is_key (parts->session, frame->index, &by_others);
  odl_messages_say_of_state (
      parts->messages,
      by_others ? _ ("A key object beside the file names this picture, too: it stays "
                     "a key picture.")
      : is_key ? _ ("Key picture. “Save Key Pictures…” in the menu of measuring writes "
                    "them as DICOM.")
               : _ ("No key picture any more"));
  odl_window_update_actions (parts);
}

static void
next_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const OdlFrame *frame = odl_session_frame (parts->session);
  const int64_t next = frame ? odl_session_next_key (parts->session, frame->index,
                                                     g_variant_get_int32 (parameter))
                             : -1;
  if (next < 0)
    odl_messages_say_of_state (
        parts->messages,
        _ ("No picture is marked as a key picture (Shift+K marks one)."));
  else if (next == frame->index)
    odl_messages_say_of_state (parts->messages, _ ("This is the only key picture."));
  else
    odl_playback_seek (odl_session_playback (parts->session), next);
}

// ---- chosen in the list of studies ---------------------------------------------------

#define AWAITED "odl-keys-awaited" // of a session: the location whose first one is wanted

// Goes to the first one as soon as it is known.
static void
arrived_cb (const OdlWindowParts *parts)
{
  OdlSession *session = parts->session;
  const char *awaited = g_object_get_data (G_OBJECT (session), AWAITED);
  const char *opening = odl_session_opening (session);
  const bool there = g_strcmp0 (odl_session_info (session)->location, awaited) == 0;
  if (!awaited || (!there && g_strcmp0 (opening, awaited) == 0))
    return;
  const int n = odl_session_info (session)->n_frames;
  const int64_t first = there ? odl_session_next_key (session, n - 1, 1) : -1;
  // A stack shows a picture before all of it is read.
  if (there && (opening || odl_session_count_keys (session) < 0))
    return;
  g_object_set_data (G_OBJECT (session), AWAITED, NULL);
  if (first >= 0)
    odl_playback_seek (odl_session_playback (session), first);
}

static void
show_keys_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  OdlSession *session = parts->session;
  const char *path, *location;
  g_variant_get (parameter, "(&s&s)", &path, &location);
  g_object_set_data_full (G_OBJECT (session), AWAITED, g_strdup (location), g_free);
  if (g_strcmp0 (odl_session_info (session)->location, location) != 0
      || !odl_window_is_uncovered (parts))
    odl_main_window_open (parts->window, location, NULL);
  else
    arrived_cb (parts);
}

void
odl_window_add_keys (const OdlWindowParts *parts)
{
  static const OdlWindowAction entries[] = {
    { "key-picture", G_CALLBACK (mark_cb), .when = can_be_marked },
    { "next-key", G_CALLBACK (next_cb), "i", .when = can_be_marked },
    { "show-keys", G_CALLBACK (show_keys_cb), "(ss)" },
  };
  odl_window_add_actions (parts, entries, G_N_ELEMENTS (entries), (void *) parts);
  odl_window_connect (parts, parts->session, "frame-ready", G_CALLBACK (arrived_cb),
                      (void *) parts);
  odl_window_connect (parts, parts->session, "annotations-changed",
                      G_CALLBACK (arrived_cb), (void *) parts);
}
