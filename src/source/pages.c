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

#define LEVEL "level="

// What the words before the file say: a way, a level, or both.
typedef struct {
  const char *way; // "itself": the description says it
  const char *format; // of the helper; NULL: there are no such words
  char *choice; // for that; NULL: none
} Words;

static bool
read_way (Words *words, const char *word)
{
  for (size_t i = 0; i < G_N_ELEMENTS (ways); i++)
    if (g_str_equal (ways[i].way, word)) {
      words->way = ways[i].way;
      words->format = ways[i].format;
      return true;
    }
  return false;
}

static Words
read_words (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", 3);
  const guint n = g_strv_length (parts);
  Words words = { "itself", NULL, NULL };
  const bool has_way = n > 0 && read_way (&words, parts[0]);
  const char *level = n == (has_way ? 2 : 1) ? parts[n - 1] : NULL;
  guint64 number;

  if (has_way && n == 1)
    return words;
  words.format = NULL;
  if (level != NULL && g_str_has_prefix (level, LEVEL)
      && g_ascii_string_to_unsigned (level + strlen (LEVEL), 10, 0, G_MAXUINT16, &number,
                                     NULL)) {
    words.format = "tiff-level";
    words.choice = g_strdup_printf ("%s %u", words.way, (unsigned) number);
  }
  return words;
}

bool
odl_pages_is_way (const char *way)
{
  const Words words = read_words (way);

  g_free (words.choice);
  return words.format != NULL;
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
  g_autofree char *text
      = path != NULL ? g_strndup (location + strlen (PREFIX),
                                  (gsize) (path - location) - strlen (PREFIX) - 1)
                     : NULL;
  const Words words = read_words (text != NULL ? text : "");
  g_autofree char *choice = words.choice;
  const OdlDecoderRequest request
      = { .location = path, .format = words.format, .choice = choice };

  if (request.format == NULL || path == NULL || *path == '\0')
    return odl_error_null (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("Cannot open “%s”: name a way (stack, sequence or first), a "
           "level of a pyramid (level=0), or both, and a file, as in %s"),
        location, "pages:stack,level=0:FILE");
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

static const char *const examples[]
    = { "pages:stack:FILE.tif", "pages:level=0:FILE.tif", NULL };

const OdlSourceClass odl_pages_source = {
  .name = "pages",
  .description
  = N_ ("The pages of a TIFF file as a stack, as a sequence, or the first, or a level "
        "of its pyramid"),
  .examples = examples,
  .probe = probe,
  .files = list_files,
  .open = open_pages,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
