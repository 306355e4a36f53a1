// SPDX-License-Identifier: MIT
#include "decoder/nrrd/files.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "decoder/metaimage/files.h"

#define MAX_FILES (1 << 16)

static bool
fill (const OdlNrrdHeader *header, const char *value, GPtrArray *names, GError **error)
{
  if (odl_meta_files_is_pattern (value))
    return odl_meta_files_expand (names, value, 1, MAX_FILES, error);
  if (g_str_has_prefix (value, "LIST")
      && (value[4] == '\0' || g_ascii_isspace (value[4]))) {
    for (guint i = 0; i < header->lines.names->len; i++)
      g_ptr_array_add (names, g_strdup (header->lines.names->pdata[i]));
    return names->len > 0
           || odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its list of files is empty"));
  }
  g_ptr_array_add (names, g_strdup (value));
  return true;
}

bool
odl_nrrd_files_find (const OdlNrrdHeader *header, GPtrArray **names, GError **error)
{
  g_autofree char *value = odl_nrrd_field (&header->lines, "data file");
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  *names = NULL;
  if (value == NULL)
    return header->lines.end > 0
           || odl_error_set (error, ODL_ERROR_CORRUPT,
                             _ ("its header ends without saying where the samples are "
                                "(an empty line, or data file)"));
  if (!fill (header, value, found, error))
    return false;
  for (guint i = 0; i < found->len; i++)
    if (!odl_meta_files_check (found->pdata[i], error))
      return false;
  if (header->n_samples % found->len != 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its samples cannot lie in %u files of one size"),
                          found->len);
  *names = g_steal_pointer (&found);
  return true;
}
