// SPDX-License-Identifier: MIT
// The header of a MetaImage for people.
#include <string.h>

#include "decoder/formats.h"
#include "decoder/metaimage/header.h"
#include "decoder/told.h"

#define PLUS "Seq_Frame"

static void
tell (const char *key, const char *value, void *data)
{
  OdlTold *told = data;
  char *end = NULL;
  const bool of_frame = g_str_has_prefix (key, PLUS);
  const uint64_t frame = of_frame ? g_ascii_strtoull (key + strlen (PLUS), &end, 10) : 0;

  if (of_frame && *end == '_' && frame < ODL_DECODER_MAX_FRAMES)
    odl_told_add_item (told, (uint32_t) frame, end + 1, value);
  else
    odl_told_add (told, key, value);
}

bool
odl_dump_metaimage (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  OdlTold *told = odl_told_new ();

  odl_meta_header_walk (input->data, input->size, tell, told);
  const bool done = odl_told_finish (told, picture, error);
  odl_told_free (told);
  return done;
}
