// SPDX-License-Identifier: MIT
// Recipes in files.
#include <string.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/error.h"
#include "filter/recipe.h"

#define MAX_PRESET_BYTES 65536

static char *
folder_of (const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);

  return g_path_get_dirname (whole);
}

void
odl_recipe_resolve_files (OdlRecipe *recipe, int first, const char *folder)
{
  g_return_if_fail (recipe != NULL && g_path_is_absolute (folder));

  for (int i = first; i < recipe->n_items; i++) {
    const char *file = recipe->items[i].file;
    if (file == NULL || g_path_is_absolute (file))
      continue;
    g_autofree char *whole = g_canonicalize_filename (file, folder);
    odl_recipe_set_file (recipe, i, whole);
  }
}

static void
shorten_files (OdlRecipe *recipe, const char *path)
{
  g_autofree char *folder = folder_of (path);
  g_autofree char *beginning = g_build_filename (folder, "/", NULL);

  for (int i = 0; i < recipe->n_items; i++) {
    if (recipe->items[i].file == NULL)
      continue;
    g_autofree char *file = g_canonicalize_filename (recipe->items[i].file, NULL);
    odl_recipe_set_file (
        recipe, i, g_str_has_prefix (file, beginning) ? file + strlen (beginning) : file);
  }
}

// Blanks and comments alone: no recipe was ever written so, but cut files are.
static bool
says_nothing (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0' && *lines[i] != '#')
      return false;
  return true;
}

bool
odl_recipe_load (OdlRecipe *recipe, const char *path, GError **error)
{
  g_return_val_if_fail (recipe != NULL && path != NULL, false);

  g_autofree char *text = NULL;
  g_autoptr (GError) cause = NULL;
  GStatBuf status;
  gsize length = 0;

  if (g_stat (path, &status) != 0 || !S_ISREG (status.st_mode)
      || status.st_size > MAX_PRESET_BYTES)
    return odl_error_set (
        error, ODL_ERROR_IO,
        _ ("%s: this is not a preset: it is missing, no file, or larger than 64 KiB"),
        path);
  if (!g_file_get_contents (path, &text, &length, &cause))
    return odl_error_set (error, ODL_ERROR_IO, "%s: %s", path, cause->message);
  if (strlen (text) != length || !g_utf8_validate (text, length, NULL))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("%s: this is not a preset: it is not a text file"), path);
  const int before = recipe->n_items;
  g_autofree char *folder = folder_of (path);
  if (!odl_recipe_parse_in (recipe, text, folder, error)) {
    g_prefix_error (error, "%s: ", path);
    return false;
  }
  if (says_nothing (text)) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("%s: this preset is empty: it names no filter and no setting. Save "
                    "it again, or choose another file"),
                 path);
    return false;
  }
  odl_recipe_resolve_files (recipe, before, folder);
  return true;
}

bool
odl_recipe_save (const OdlRecipe *recipe, const char *path, GError **error)
{
  g_return_val_if_fail (recipe != NULL && path != NULL, false);

  OdlRecipe saved = *recipe;
  shorten_files (&saved, path);
  g_autofree char *words = odl_recipe_to_text (&saved, "\n");
  g_autofree char *text
      = g_strdup_printf ("# Ondelette recipe, format %d\n%s\n", ODL_RECIPE_FORMAT, words);
  g_autoptr (GError) cause = NULL;

  if (!g_file_set_contents (path, text, -1, &cause))
    return odl_error_set (error, ODL_ERROR_IO, "%s: %s", path, cause->message);
  return true;
}
