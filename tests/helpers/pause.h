// SPDX-License-Identifier: MIT
// A cine of four frames, of which the second one stays for an hour.
#pragma once

#include <glib.h>

// Its path in `folder`. Transfer full.
static inline char *
odl_write_pause (const char *folder)
{
  static const char header[]
      = "ObjectType = Image\nNDims = 3\nDimSize = 64 48 4\nElementType = MET_UCHAR\n"
        "Seq_Frame0000_Timestamp = 0\nSeq_Frame0001_Timestamp = 0.1\n"
        "Seq_Frame0002_Timestamp = 3600.1\nSeq_Frame0003_Timestamp = 3600.2\n"
        "ElementDataFile = LOCAL\n";
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  char *path = g_build_filename (folder, "pause.mha", NULL);

  g_byte_array_append (bytes, (const guint8 *) header, sizeof header - 1);
  for (int i = 0; i < 64 * 48 * 4; i++)
    g_byte_array_append (bytes, &(guint8){ (guint8) (i / (64 * 48) * 60 + i % 64) }, 1);
  g_assert_true (
      g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  return path;
}
