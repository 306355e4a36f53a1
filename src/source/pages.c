// SPDX-License-Identifier: MIT
#include "source/pages.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "source/helper/client.h"
#include "source/source_file.h"
#include "source/still.h"

#define PREFIX "pages:"

static const struct {
  const char *way;
  const char *format; // of the helper
} ways[] = { { "stack", "tiff-stack" },
             { "sequence", "tiff-sequence" },
             { "first", "tiff-first" } };

const char *
odl_pages_path (const char *location)
{
  const char *colon = g_str_has_prefix (location, PREFIX)
                          ? strchr (location + strlen (PREFIX), ':')
                          : NULL;

  return colon != NULL ? colon + 1 : NULL;
}

// NULL: there is no such way.
static const char *
format_for (const char *way)
{
  for (size_t i = 0; i < G_N_ELEMENTS (ways); i++)
    if (g_str_equal (ways[i].way, way))
      return ways[i].format;
  return NULL;
}

bool
odl_pages_is_way (const char *way)
{
  return format_for (way) != NULL;
}

static bool
is_tiff (const char *path, GError **error)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;

  if (!odl_source_file_read_head (path, head, &n_head, error))
    return false;
  if (g_strcmp0 (odl_still_format (head, n_head), "tiff") == 0)
    return true;
  odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                 _ ("only TIFF files have pages, and this is another one"));
  odl_source_file_name_error (path, error);
  return false;
}

char *
odl_pages_location (const char *location, const char *way)
{
  return is_tiff (location, NULL) ? g_strconcat (PREFIX, way, ":", location, NULL) : NULL;
}

static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  return g_str_has_prefix (location, PREFIX);
}

static OdlSource *
open_pages (const char *location, GCancellable *cancellable, GError **error)
{
  const char *path = odl_pages_path (location);
  g_autofree char *way = path != NULL
                             ? g_strndup (location + strlen (PREFIX),
                                          (gsize) (path - location) - strlen (PREFIX) - 1)
                             : NULL;
  OdlDecoderRequest request
      = { .location = path, .format = way != NULL ? format_for (way) : NULL };

  if (request.format == NULL || *path == '\0')
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                           _ ("Cannot open “%s”: name a way (stack, sequence or first) "
                              "and a file, as in %s"),
                           location, "pages:stack:FILE");
  if (!is_tiff (path, error))
    return NULL;
  OdlSource *source
      = odl_decoded_source_open (&odl_pages_source, &request, cancellable, error);
  if (source == NULL)
    return NULL;
  g_free (source->info.location);
  source->info.location = g_strdup (location);
  return source;
}

static GStrv
list_files (const char *location)
{
  const char *path = odl_pages_path (location);
  const char *const files[] = { path, NULL };

  return g_strdupv ((char **) files);
}

static const char *const examples[] = { "pages:stack:FILE.tif", NULL };

const OdlSourceClass odl_pages_source = {
  .name = "pages",
  .description = N_ ("The pages of a TIFF file as a stack, as a sequence, or the first"),
  .examples = examples,
  .probe = probe,
  .files = list_files,
  .open = open_pages,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
