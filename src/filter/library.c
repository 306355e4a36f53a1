// SPDX-License-Identifier: MIT
#include "filter/library.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/cache_file.h"
#include "base/error.h"
#include "filter/own/own.h"
#include "filter/own/words.h"
#include "filter/presets.h"

#define ENDING ".txt"
#define MOST_CHARACTERS 60
#define MOST_STEM_CHARACTERS 40 // of a name that gets a number
#define MOST_PRESETS 1000
#define DEFAULTS "defaults"
#define MOST_DEFAULT_BYTES 65536
#define MOST_KIND 400 // bytes

static char *
folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "ondelette", "presets", NULL);
}

static char *
path_of (const char *name)
{
  g_autofree char *within = folder ();
  g_autofree char *file = g_strconcat (name, ENDING, NULL);

  return g_build_filename (within, file, NULL);
}

static bool
is_plain (const char *name)
{
  if (!g_utf8_validate (name, -1, NULL) || *name == '\0' || *name == '.' || *name == ' '
      || g_str_has_suffix (name, " ") || g_utf8_strlen (name, -1) > MOST_CHARACTERS)
    return false;
  for (const char *c = name; *c != '\0'; c = g_utf8_next_char (c))
    if (*c == '/' || !g_unichar_isprint (g_utf8_get_char (c)))
      return false;
  return true;
}

bool
odl_library_check_name (const char *name, GError **error)
{
  g_return_val_if_fail (name != NULL, false);

  if (!is_plain (name))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("“%s” cannot be the name of a preset: it has 1 to %d "
                             "characters, no slash, and no dot or blank at its "
                             "beginning or blank at its end"),
                          name, MOST_CHARACTERS);
  if (odl_preset_find (name) != NULL)
    return odl_usage_error (
        error, _ ("“%s” is a preset that comes with the program; choose another name"),
        name);
  return true;
}

static int
compare (const void *a, const void *b)
{
  return g_utf8_collate (*(char *const *) a, *(char *const *) b);
}

GStrv
odl_library_names (void)
{
  g_autofree char *within = folder ();
  g_autoptr (GDir) files = g_dir_open (within, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *file;

  while (files != NULL && names->len < MOST_PRESETS
         && (file = g_dir_read_name (files)) != NULL) {
    if (!g_str_has_suffix (file, ENDING))
      continue;
    g_autofree char *name = g_strndup (file, strlen (file) - strlen (ENDING));
    if (odl_library_check_name (name, NULL))
      g_ptr_array_add (names, g_steal_pointer (&name));
  }
  g_ptr_array_sort (names, compare);
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

bool
odl_library_has (const char *name)
{
  g_autofree char *path = is_plain (name) ? path_of (name) : NULL;

  return path != NULL && g_file_test (path, G_FILE_TEST_EXISTS);
}

static bool
say_unknown (const char *name, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  g_auto (GStrv) own = odl_library_names ();

  for (size_t i = 0; i < odl_preset_count (); i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", odl_preset_at (i)->name);
  for (int i = 0; own[i] != NULL; i++)
    g_string_append_printf (known, ", %s", own[i]);
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("there is no preset “%s”; there are: %s"), name, known->str);
}

bool
odl_library_load (OdlRecipe *recipe, const char *name, GError **error)
{
  g_return_val_if_fail (recipe != NULL && name != NULL, false);

  if (odl_library_has (name)) {
    g_autofree char *path = path_of (name);
    return odl_recipe_load (recipe, path, error);
  }
  if (odl_preset_find (name) == NULL)
    return say_unknown (name, error);
  return odl_recipe_parse (recipe, name, error);
}

// The code that the recipe names, as it was when it was saved, so that it is there
// wherever the program runs, whatever becomes of the author's file.
static bool
keep_code (const OdlRecipe *recipe, GError **error)
{
  g_autofree char *within = folder ();

  for (int i = 0; i < recipe->n_items; i++) {
    const OdlOwnCode *code = recipe->items[i].filter->code;
    g_autoptr (GError) cause = NULL;
    if (code == NULL || code->call != NULL)
      continue;
    g_autofree char *own = g_build_filename (within, ODL_OWN_KEPT, code->hash, NULL);
    g_autofree char *path = g_build_filename (own, code->name, NULL);
    if (g_mkdir_with_parents (own, 0700) != 0)
      return odl_error_set (error, ODL_ERROR_IO, "%s: %s", own, g_strerror (errno));
    if (!g_file_set_contents (path, code->bytes, (gssize) code->length, &cause))
      return odl_error_set (error, ODL_ERROR_IO, "%s: %s", path, cause->message);
  }
  return true;
}

// Whether a preset names the code with that hash.
static bool
is_named (const char *hash)
{
  g_auto (GStrv) names = odl_library_names ();
  bool named = false;

  for (int i = 0; names[i] != NULL && !named; i++) {
    g_autofree char *path = path_of (names[i]);
    g_autofree char *text = NULL;
    // What cannot be read may name it.
    named = !g_file_get_contents (path, &text, NULL, NULL) || strstr (text, hash) != NULL;
  }
  return named;
}

// Code that no preset names any more.
static void
drop_code (void)
{
  g_autofree char *within = folder ();
  g_autofree char *kept = g_build_filename (within, ODL_OWN_KEPT, NULL);
  g_autoptr (GDir) all = g_dir_open (kept, 0, NULL);
  const char *hash, *name;

  while (all != NULL && (hash = g_dir_read_name (all)) != NULL) {
    if (!odl_own_is_hash (hash) || is_named (hash))
      continue;
    g_autofree char *own = g_build_filename (kept, hash, NULL);
    g_autoptr (GDir) files = g_dir_open (own, 0, NULL);
    while (files != NULL && (name = g_dir_read_name (files)) != NULL) {
      g_autofree char *path = g_build_filename (own, name, NULL);
      g_unlink (path);
    }
    g_rmdir (own);
  }
}

bool
odl_library_save (const OdlRecipe *recipe, const char *name, GError **error)
{
  g_return_val_if_fail (recipe != NULL && name != NULL, false);

  if (!odl_library_check_name (name, error))
    return false;
  g_autofree char *within = folder ();
  g_autofree char *path = path_of (name);
  if (g_mkdir_with_parents (within, 0700) != 0)
    return odl_error_set (error, ODL_ERROR_IO, "%s: %s", within, g_strerror (errno));
  if (!keep_code (recipe, error) || !odl_recipe_save (recipe, path, error))
    return false;
  drop_code ();
  return true;
}

// A file of that name comes first.
bool
odl_recipe_load_or_preset (OdlRecipe *recipe, const char *name, GError **error)
{
  g_return_val_if_fail (recipe != NULL && name != NULL, false);
  return g_file_test (name, G_FILE_TEST_EXISTS)
                 || (odl_preset_find (name) == NULL && !odl_library_has (name))
             ? odl_recipe_load (recipe, name, error)
             : odl_library_load (recipe, name, error);
}

// ---- defaults ------------------------------------------------------------------------

static char *
defaults_path (void)
{
  g_autofree char *within = folder ();

  return g_build_filename (within, "defaults.ini", NULL);
}

static bool
save_defaults (GKeyFile *file, GError **error)
{
  g_autofree char *path = defaults_path ();

  return odl_cache_file_save (file, path, _ ("the default preset cannot be kept"), error);
}

static GKeyFile *
open_defaults (void)
{
  g_autofree char *path = defaults_path ();

  return odl_cache_file_open (path, MOST_DEFAULT_BYTES);
}

// Modalities and devices of files may be any text; keys of such files may not. NULL: no
// kind. Transfer full.
static char *
key_of (const char *kind)
{
  const bool device = g_str_has_prefix (kind, ODL_LIBRARY_DEVICE);
  const char *name = device ? kind + strlen (ODL_LIBRARY_DEVICE) : kind;

  if (*name == '\0' || strlen (name) > MOST_KIND)
    return NULL;
  for (const char *c = name; !device && *c != '\0'; c++)
    if (!g_ascii_isalnum (*c))
      return NULL;
  return g_uri_escape_string (kind, NULL, false);
}

char *
odl_library_default (const char *kind)
{
  g_return_val_if_fail (kind != NULL, NULL);

  g_autoptr (GKeyFile) file = open_defaults ();
  g_autofree char *key = key_of (kind);
  return key != NULL ? g_key_file_get_string (file, DEFAULTS, key, NULL) : NULL;
}

bool
odl_library_set_default (const char *kind, const char *name, GError **error)
{
  g_return_val_if_fail (kind != NULL, false);

  g_autoptr (GKeyFile) file = open_defaults ();
  g_autofree char *key = key_of (kind);
  if (key == NULL)
    return odl_error_set (error, ODL_ERROR_USAGE, _ ("“%s” is no kind of picture"), kind);
  if (name != NULL)
    g_key_file_set_string (file, DEFAULTS, key, name);
  else
    g_key_file_remove_key (file, DEFAULTS, key, NULL);
  return save_defaults (file, error);
}

// Where `name` is a default, `to` becomes it; NULL: nothing does.
static bool
change_defaults (const char *name, const char *to, GError **error)
{
  g_autoptr (GKeyFile) file = open_defaults ();
  g_auto (GStrv) kinds = g_key_file_get_keys (file, DEFAULTS, NULL, NULL);
  bool changed = false;

  for (int i = 0; kinds != NULL && kinds[i] != NULL; i++) {
    g_autofree char *value = g_key_file_get_string (file, DEFAULTS, kinds[i], NULL);
    if (g_strcmp0 (value, name) != 0)
      continue;
    changed = true;
    if (to != NULL)
      g_key_file_set_string (file, DEFAULTS, kinds[i], to);
    else
      g_key_file_remove_key (file, DEFAULTS, kinds[i], NULL);
  }
  return !changed || save_defaults (file, error);
}

// ---- files ---------------------------------------------------------------------------

bool
odl_library_rename (const char *name, const char *to, GError **error)
{
  g_return_val_if_fail (name != NULL && to != NULL, false);

  if (!odl_library_check_name (to, error))
    return false;
  if (!odl_library_has (name))
    return say_unknown (name, error);
  if (odl_library_has (to))
    return odl_error_set (error, ODL_ERROR_USAGE, _ ("there is a preset “%s” already"),
                          to);
  g_autofree char *before = path_of (name);
  g_autofree char *after = path_of (to);
  if (g_rename (before, after) != 0)
    return odl_error_set (error, ODL_ERROR_IO, "%s: %s", before, g_strerror (errno));
  return change_defaults (name, to, error);
}

bool
odl_library_remove (const char *name, GError **error)
{
  g_return_val_if_fail (name != NULL, false);

  if (!odl_library_has (name))
    return say_unknown (name, error);
  g_autofree char *path = path_of (name);
  if (g_unlink (path) != 0)
    return odl_error_set (error, ODL_ERROR_IO, "%s: %s", path, g_strerror (errno));
  drop_code ();
  return change_defaults (name, NULL, error);
}

// A name for the preset of a file that is nobody else's.
static char *
name_for (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *text = g_filename_to_utf8 (base, -1, NULL, NULL, NULL);
  char *dot = text != NULL ? strrchr (text, '.') : NULL;

  if (dot != NULL && dot != text)
    *dot = '\0';
  // "Filters", where the name of the file cannot be one.
  g_autofree char *first
      = g_strdup (text != NULL && is_plain (text) ? text : _ ("Filters"));
  // Whole characters, else no name would ever do.
  g_autofree char *stem = g_utf8_substring (
      first, 0, MIN (g_utf8_strlen (first, -1), MOST_STEM_CHARACTERS));
  for (int i = 1;; i++) {
    g_autofree char *name
        = i == 1 ? g_strdup (first) : g_strdup_printf ("%s %d", stem, i);
    if (!odl_library_has (name) && odl_library_check_name (name, NULL))
      return g_steal_pointer (&name);
  }
}

char *
odl_library_import (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (!odl_recipe_load (&recipe, path, error))
    return NULL;
  g_autofree char *name = name_for (path);
  return odl_library_save (&recipe, name, error) ? g_steal_pointer (&name) : NULL;
}
