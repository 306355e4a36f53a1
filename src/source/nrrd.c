// SPDX-License-Identifier: MIT
// NRRD files: pictures, volumes and sequences, decoded by the helper.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "source/helper/client.h"
#include "source/metaimage.h"

extern const OdlSourceClass odl_nrrd_source;

#define MAGIC "NRRD00"
#define MAX_LINE 65537
// As in decoder/nrrd/lines.c.
#define MAX_HEADER (256 << 20)

static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  g_autofree char *name = g_ascii_strdown (location, -1);

  return (n_head >= strlen (MAGIC) && memcmp (head, MAGIC, strlen (MAGIC)) == 0)
         || (n_head > 0
             && (g_str_has_suffix (name, ".nrrd") || g_str_has_suffix (name, ".nhdr")));
}

// ---- Files with samples ----

// The value of the field that names them; NULL for other lines.
static const char *
value_of (char *line)
{
  char *colon = strchr (line, ':');

  if (colon == NULL || colon[1] == '=')
    return NULL;
  *colon = '\0';
  return g_ascii_strcasecmp (line, "data file") == 0
                 || g_ascii_strcasecmp (line, "datafile") == 0
             ? g_strchug (colon + 1)
             : NULL;
}

static bool
is_list (const char *value)
{
  return g_str_has_prefix (value, "LIST")
         && (value[4] == '\0' || g_ascii_isspace (value[4]));
}

// Names are the value or, if it is LIST, the following lines. The header ends with an
// empty line.
static void
read_names (GPtrArray *files, const char *location, FILE *file)
{
  g_autofree char *line = g_malloc (MAX_LINE);
  bool listed = false;

  while (ftello (file) < MAX_HEADER && fgets (line, MAX_LINE, file) != NULL) {
    g_strchomp (line);
    if (listed) {
      odl_metaimage_add_files (files, location, g_strchug (line));
      continue;
    }
    if (line[0] == '\0')
      return;
    const char *value = value_of (line);
    if (value == NULL)
      continue;
    listed = is_list (value);
    if (!listed)
      odl_metaimage_add_files (files, location, value);
  }
}

static GStrv
list_files (const char *location)
{
  return odl_metaimage_list_files (location, read_names);
}

static OdlSource *
open_nrrd (const char *location, GCancellable *cancellable, GError **error)
{
  return odl_metaimage_open_with_files (&odl_nrrd_source, location, cancellable, error);
}

static const char *const examples[] = { "*.nrrd", "*.nhdr", NULL };

const OdlSourceClass odl_nrrd_source = {
  .name = "nrrd",
  .description = N_ ("NRRD: picture, volume or sequence"),
  .examples = examples,
  .probe = probe,
  .files = list_files,
  .open = open_nrrd,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
