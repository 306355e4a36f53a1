// SPDX-License-Identifier: MIT
#include "source/metaimage.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "source/helper/client.h"

// As in decoder/metaimage/header.c.
#define KEY "ElementDataFile"
#define MAX_LINE 65537
#define MAX_HEADER (256 << 20)

// ITK and PlusLib write the object type first; files that start otherwise are
// recognised by name.
static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  static const char begin[] = "ObjectType";
  g_autofree char *name = g_ascii_strdown (location, -1);

  return (n_head >= strlen (begin) && memcmp (head, begin, strlen (begin)) == 0)
         || (n_head > 0
             && (g_str_has_suffix (name, ".mha") || g_str_has_suffix (name, ".mhd")));
}

// ---- Files with samples ----

// Adds a file next to the header; the decoder gets no others.
static void
add_beside (GPtrArray *files, const char *location, const char *name)
{
  g_autofree char *folder = g_path_get_dirname (location);

  if (*name != '\0')
    g_ptr_array_add (files, g_build_filename (folder, name, NULL));
}

// Adds all files that match a pattern such as "slice%03d.raw 1 40 1": a superset of
// those that the decoder requests.
static void
add_numbered (GPtrArray *files, const char *location, const char *value)
{
  const size_t before = strcspn (value, "%");
  const char *letter = value + before + 1 + strspn (value + before + 1, "0123456789");
  g_autofree char *prefix = g_strndup (value, before);
  g_autofree char *suffix = g_strndup (letter + 1, strcspn (letter + 1, " \t"));
  g_autofree char *folder = g_path_get_dirname (location);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    const size_t length = strlen (name), after = strlen (suffix);
    if (length > before + after && g_str_has_prefix (name, prefix)
        && g_str_has_suffix (name, suffix)
        && strspn (name + before, " 0123456789") >= length - before - after)
      add_beside (files, location, name);
  }
}

void
odl_metaimage_add_files (GPtrArray *files, const char *location, const char *value)
{
  const char *plain = g_str_has_prefix (value, "./") ? value + 2 : value;
  const char *percent = strchr (plain, '%');
  const char *space = strpbrk (plain, " \t");

  add_beside (files, location, plain);
  if (percent == NULL || space == NULL || percent > space)
    return;
  const char *letter = percent + 1 + strspn (percent + 1, "0123456789");
  if (*letter != '\0' && strchr ("diu", *letter) != NULL)
    add_numbered (files, location, plain);
}

// The value of ElementDataFile; NULL for other keys.
static const char *
value_of (char *line)
{
  char *equals = strchr (line, '=');

  if (equals == NULL)
    return NULL;
  *equals = '\0';
  return g_str_equal (g_strchomp (line), KEY) ? g_strchug (equals + 1) : NULL;
}

// Names are the value or, if it is LIST, the following lines.
static void
read_names (GPtrArray *files, const char *location, FILE *file)
{
  g_autofree char *line = g_malloc (MAX_LINE);
  bool listed = false;

  while (ftello (file) < MAX_HEADER && fgets (line, MAX_LINE, file) != NULL) {
    const char *value = listed ? g_strstrip (line) : value_of (g_strstrip (line));
    if (value == NULL)
      continue;
    odl_metaimage_add_files (files, location, value);
    listed |= g_ascii_strncasecmp (value, "LIST", 4) == 0;
    if (!listed)
      return;
  }
}

GStrv
odl_metaimage_list_files (const char *location, OdlFileNamesFunc read)
{
  GPtrArray *files = g_ptr_array_new ();
  FILE *file = fopen (location, "re");

  if (file != NULL) {
    read (files, location, file);
    fclose (file);
  }
  g_ptr_array_add (files, NULL);
  return (GStrv) g_ptr_array_free (files, FALSE);
}

OdlSource *
odl_metaimage_open_with_files (const OdlSourceClass *klass,
                               const char *location,
                               GCancellable *cancellable,
                               GError **error)
{
  OdlDecoderRequest request = { .location = location, .format = klass->name };
  g_auto (GStrv) files = klass->files (location);

  for (char **file = files; *file != NULL; file++) {
    struct stat status;
    if (stat (*file, &status) == 0 && S_ISREG (status.st_mode))
      request.beside_bytes += (uint64_t) MAX (status.st_size, 0);
  }
  return odl_decoded_source_open (klass, &request, cancellable, error);
}

static GStrv
list_files (const char *location)
{
  return odl_metaimage_list_files (location, read_names);
}

static OdlSource *
open_metaimage (const char *location, GCancellable *cancellable, GError **error)
{
  return odl_metaimage_open_with_files (&odl_metaimage_source, location, cancellable,
                                        error);
}

static const char *const examples[] = { "*.mha", "*.mhd", NULL };

const OdlSourceClass odl_metaimage_source = {
  .name = "metaimage",
  .description = N_ ("MetaImage: picture, volume or sequence"),
  .examples = examples,
  .probe = probe,
  .files = list_files,
  .open = open_metaimage,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
