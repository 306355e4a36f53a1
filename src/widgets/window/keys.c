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

void
odl_window_add_keys (const OdlWindowParts *parts)
{
  static const OdlWindowAction entries[] = {
    { "key-picture", G_CALLBACK (mark_cb), .when = can_be_marked },
    { "next-key", G_CALLBACK (next_cb), "i", .when = can_be_marked },
  };
  odl_window_add_actions (parts, entries, G_N_ELEMENTS (entries), (void *) parts);
}
