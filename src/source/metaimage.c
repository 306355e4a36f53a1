// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/metaimage.h"

#include <string.h>

#include "base/text.h"
#include "source/decoder_client.h"

// ITK and PlusLib begin with the type of the object; by the name alone those are taken
// that begin with something else.
static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  static const char begin[] = "ObjectType";
  g_autofree char *name = g_ascii_strdown (location, -1);

  return (n_head >= strlen (begin) && memcmp (head, begin, strlen (begin)) == 0)
         || (n_head > 0
             && (g_str_has_suffix (name, ".mha") || g_str_has_suffix (name, ".mhd")));
}

static OdlSource *
open_metaimage (const char *location, GCancellable *cancellable, GError **error)
{
  OdlDecoderRequest request = { .location = location, .format = "metaimage" };

  return odl_decoded_source_open (&odl_metaimage_source, &request, cancellable, error);
}

static const char *const examples[] = { "*.mha", "*.mhd", NULL };

const OdlSourceClass odl_metaimage_source = {
  .name = "metaimage",
  .description = N_ ("MetaImage: picture, volume or sequence"),
  .examples = examples,
  .probe = probe,
  .open = open_metaimage,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
