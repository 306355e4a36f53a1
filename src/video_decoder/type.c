// SPDX-License-Identifier: MIT
#include "video_decoder/type.h"

#include <gst/base/gsttypefindhelper.h>
#include <unistd.h>

// Bytes that GStreamer examines. An MXF file may start with this much other data.
#define GUESS_BYTES (64 << 10)

// Percentage. Other files reach 50 (H.264 in a DICOM file); the least certain video
// (raw MPEG-4) has 79.
#define SURE_ENOUGH 75

// Containers not named video/…. Playlists (application/x-hls, dash+xml) and sdp are
// excluded: GStreamer would open other locations, including the network.
static const char *const containers[]
    = { "application/mxf", "application/ogg", "application/vnd.rn-realmedia" };

// Names are less reliable than flags: image/jpeg has the flag of a video, video/x-ivf
// has none.
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
