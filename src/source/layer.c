// SPDX-License-Identifier: MIT
#include "source/layer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "source/helper/client.h"
#include "source/source_file.h"
#include "source/still.h"

#define PREFIX "layer:"

const char *
odl_layer_path (const char *location)
{
  const char *colon = g_str_has_prefix (location, PREFIX)
                          ? strchr (location + strlen (PREFIX), ':')
                          : NULL;

  return colon != NULL ? colon + 1 : NULL;
}

static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  return g_str_has_prefix (location, PREFIX);
}

static bool
is_exr (const char *path, GError **error)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;

  if (!odl_source_file_read_head (path, head, &n_head, error))
    return false;
  if (g_strcmp0 (odl_still_format (head, n_head), "exr") == 0)
    return true;
  odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                 _ ("only OpenEXR files have layers, and this is another one"));
  odl_source_file_name_error (path, error);
  return false;
}

// Which of the pictures the helper counts has that name, from what it told of the file;
// −1: none.
static int
find (const OdlSource *main, const char *name)
{
  const char *others = odl_source_detail (main, "other-layers");
  g_auto (GStrv) names = g_strsplit (others != NULL ? others : "", ", ", -1);

  if (g_strcmp0 (odl_source_detail (main, "layer"), name) == 0)
    return 0;
  for (int i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return i + 1;
  return -1;
}

static OdlSource *
open_layer (const char *location, GCancellable *cancellable, GError **error)
{
  const char *path = odl_layer_path (location);

  if (path == NULL || *path == '\0')
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                           _ ("Cannot open “%s”: name layer and file, as in %s"),
                           location, "layer:NAME:FILE");
  if (!is_exr (path, error))
    return NULL;
  g_autofree char *name = g_strndup (location + strlen (PREFIX),
                                     (gsize) (path - location) - strlen (PREFIX) - 1);
  OdlDecoderRequest request = { .location = path, .format = "exr" };
  g_autoptr (OdlSource) main
      = odl_decoded_source_open (&odl_layer_source, &request, cancellable, error);
  if (main == NULL)
    return NULL;
  const int index = find (main, name);
  if (index < 0) {
    const char *others = odl_source_detail (main, "other-layers");
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("it has no layer “%s”; besides the one that is shown without a name "
                    "it has: %s"),
                 name, others != NULL ? others : _ ("none"));
    odl_source_file_name_error (path, error);
    return NULL;
  }
  request.frame = (uint32_t) index;
  OdlSource *source
      = odl_decoded_source_open (&odl_layer_source, &request, cancellable, error);
  if (source == NULL)
    return NULL;
  g_autofree char *file = source->info.name;
  source->info.name = g_strdup_printf ("%s, %s", file, name);
  g_free (source->info.location);
  source->info.location = g_strdup (location);
  return source;
}

static GStrv
list_files (const char *location)
{
  const char *const files[] = { odl_layer_path (location), NULL };

  return g_strdupv ((char **) files);
}

static const char *const examples[] = { "layer:NAME:FILE.exr", NULL };

const OdlSourceClass odl_layer_source = {
  .name = "layer",
  .description = N_ ("A layer of an OpenEXR file, by its name"),
  .examples = examples,
  .probe = probe,
  .files = list_files,
  .open = open_layer,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
