// SPDX-License-Identifier: MIT
#include "decoder/metaimage/files.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

#define MAX_DIGITS 12
#define MAX_FILES (1 << 20)

bool
odl_meta_files_check (char *name, GError **error)
{
  if (g_str_has_prefix (name, "./"))
    memmove (name, name + 2, strlen (name) - 1);
  if (name[0] == '\0')
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its header does not name the file of the samples"));
  if (strpbrk (name, "/\\") == NULL && !g_str_equal (name, ".")
      && !g_str_equal (name, ".."))
    return true;
  return odl_error_set (
      error, ODL_ERROR_UNSUPPORTED,
      _ ("its samples lie in another folder (“%.200s”), which is not opened; put the "
         "file beside the header and its plain name into it"),
      name);
}

// Position of the number in "slice%03d.raw 1 40 1"; NULL for a plain name, which may
// contain spaces and per cent signs.
static const char *
find_number (const char *value)
{
  const char *space = strpbrk (value, " \t");
  const char *percent = strchr (value, '%');

  if (space == NULL || percent == NULL || percent > space)
    return NULL;
  const char *end = percent + 1 + strspn (percent + 1, "0123456789");
  space += strspn (space, " \t");
  return *end != '\0' && strchr ("diu", *end) != NULL && g_ascii_isdigit (*space)
             ? percent
             : NULL;
}

bool
odl_meta_files_is_pattern (const char *value)
{
  return find_number (value) != NULL;
}

// Never passes the file's text to printf as format.
bool
odl_meta_files_expand (GPtrArray *names,
                       const char *value,
                       uint32_t n_names,
                       int64_t most,
                       GError **error)
{
  const char *percent = find_number (value);
  const char *space = strpbrk (value, " \t");
  char *end = NULL;
  const bool zeros = percent[1] == '0';
  const uint64_t width = g_ascii_strtoull (percent + 1, &end, 10);
  const int64_t first = g_ascii_strtoll (space, &end, 10);
  const char *rest = end;
  int64_t last = g_ascii_strtoll (rest, &end, 10);
  const int64_t given = g_ascii_strtoll (end, NULL, 10);
  const int64_t step = given != 0 ? given : 1;
  const char *tail = strpbrk (percent, "diu") + 1;

  if (rest == end)
    last = first + n_names - 1;
  if (width > MAX_DIGITS || first < 0 || last < 0 || first > G_MAXINT32
      || last > G_MAXINT32 || step < -G_MAXINT32 || (last - first) / step < 0
      || (first != last && (last > first) != (step > 0)) || (last - first) / step >= most)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its pattern of file names is invalid (“%.200s”)"), value);
  for (int64_t i = first; step > 0 ? i <= last : i >= last; i += step) {
    g_autofree char *digits = g_strdup_printf ("%" G_GINT64_FORMAT, i);
    g_autofree char *fill
        = g_strnfill (width - MIN (strlen (digits), width), zeros ? '0' : ' ');
    g_ptr_array_add (names,
                     g_strdup_printf ("%.*s%s%s%.*s", (int) (percent - value), value,
                                      fill, digits, (int) (space - tail), tail));
  }
  return true;
}

// Number of frames per file.
static uint32_t
frames_below (const uint64_t *extent, size_t n_extents, size_t n_axes)
{
  uint64_t frames = 1;

  for (size_t i = 2; i < MIN (n_axes, n_extents); i++)
    frames *= extent[i];
  return (uint32_t) frames;
}

bool
odl_meta_files_find (OdlMetaHeader *header,
                     const uint64_t *extent,
                     size_t n_extents,
                     const char *value,
                     GError **error)
{
  size_t n_axes = n_extents - MIN (n_extents, 1);

  if (header->files->len > 0) {
    const uint64_t said = g_ascii_strtoull (value + strlen ("LIST"), NULL, 10);
    n_axes = said > 0 ? MIN (said, n_extents) : n_axes;
  } else if (odl_meta_files_is_pattern (value)) {
    if (!odl_meta_files_expand (header->files, value, header->n_frames, MAX_FILES, error))
      return false;
  } else {
    g_ptr_array_add (header->files, g_strdup (value));
    n_axes = n_extents;
  }
  header->frames_per_file = frames_below (extent, n_extents, n_axes);
  for (guint i = 0; i < header->files->len; i++)
    if (!odl_meta_files_check (header->files->pdata[i], error))
      return false;
  return true;
}
