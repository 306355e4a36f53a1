// SPDX-License-Identifier: MIT
#include "video_decoder/type.h"

#include <gst/base/gsttypefindhelper.h>
#include <unistd.h>

// What GStreamer looks at. An MXF may begin with so many bytes of something else.
#define GUESS_BYTES (64 << 10)

// Of 100. Other files reach 50 (H.264 in a DICOM), the least sure video (a bare MPEG-4
// stream) 79.
#define SURE_ENOUGH 75

// Containers that are no video/…. Playlists (application/x-hls, dash+xml) and sdp are not
// among them: they would have GStreamer open other places, in the network too.
static const char *const containers[]
    = { "application/mxf", "application/ogg", "application/vnd.rn-realmedia" };

// Names say less than flags: that of a picture (image/jpeg) has the flag of a video, and
// video/x-ivf has none.
static bool
is_video (const GstCaps *caps)
{
  const char *name = gst_structure_get_name (gst_caps_get_structure (caps, 0));

  for (size_t i = 0; i < G_N_ELEMENTS (containers); i++)
    if (g_str_equal (name, containers[i]))
      return true;
  return g_str_has_prefix (name, "video/");
}

bool
odl_video_type_recognise (int fd)
{
  g_autofree guint8 *head = g_malloc (GUESS_BYTES);
  GstTypeFindProbability probability = GST_TYPE_FIND_NONE;
  const ssize_t n = pread (fd, head, GUESS_BYTES, 0);

  if (n <= 0)
    return false;
  g_autoptr (GstCaps) caps
      = gst_type_find_helper_for_data (NULL, head, (gsize) n, &probability);
  return caps != NULL && probability >= SURE_ENOUGH && is_video (caps);
}
