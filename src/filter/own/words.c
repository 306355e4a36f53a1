// SPDX-License-Identifier: MIT
#include "filter/own/words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "filter/quoted.h"

#define FILE_KEY "file="
#define HASH_KEY "sha256="
#define BYPASS_KEY "bypass="

typedef struct {
  char *file, *hash; // NULL: not there
  GString *rest;
} Words;

static void
clear_words (Words *words)
{
  g_free (words->file);
  g_free (words->hash);
  if (words->rest != NULL)
    g_string_free (words->rest, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Words, clear_words)

static bool
take_apart (const char *text, Words *words, GError **error)
{
  words->rest = g_string_new (NULL);
  for (;; text++) {
    const int n = odl_quoted_span_to (text, ",");
    g_autofree char *word = g_strndup (text, (gsize) MAX (n, 0));
    if (g_str_has_prefix (word, FILE_KEY)) {
      g_free (words->file);
      words->file = odl_quoted_parse (word + strlen (FILE_KEY), error);
      if (words->file == NULL)
        return false;
    } else if (g_str_has_prefix (word, HASH_KEY)) {
      g_free (words->hash);
      words->hash = g_ascii_strdown (word + strlen (HASH_KEY), -1);
    } else {
      g_string_append_printf (words->rest, "%s%s", words->rest->len > 0 ? "," : "", word);
    }
    text += n;
    if (n < 0 || *text == '\0')
      return true;
  }
}

bool
odl_own_is_filter (const OdlFilter *filter)
{
  g_return_val_if_fail (filter != NULL, false);
  return filter->kind == ODL_FILTER_GLSL || filter->kind == ODL_FILTER_PYTHON;
}

bool
odl_own_needs_file (const OdlFilter *filter, GError **error)
{
  return odl_error_set (
      error, ODL_ERROR_USAGE,
      filter->kind == ODL_FILTER_PYTHON
          ? _ ("filter “python” needs the file with its code: file=NAME.py")
          : _ ("filter “glsl” needs the file with its code: file=NAME.glsl"));
}

// Whether the file is one for the filter.
static bool
check_language (const OdlFilter *filter, const char *file, GError **error)
{
  const char *wanted = odl_own_filter_name (odl_own_language (file));

  if (g_str_equal (filter->name, wanted))
    return true;
  return odl_error_set (
      error, ODL_ERROR_USAGE,
      filter->kind == ODL_FILTER_PYTHON
          ? _ ("%s: the name of a file of Python ends with .py; code in "
               "GLSL is for “glsl:file=…”")
          : _ ("%s: this is a file of Python; write “python:file=…”"),
      file);
}

// What is asked for, in a form that is no path.
static const OdlOwnCode *
known (const Words *words)
{
  g_autofree char *name = odl_text_in_one_line (words->file);

  return words->hash != NULL ? odl_own_code_find (name, words->hash) : NULL;
}

static const OdlOwnCode *
load (const char *path, const Words *words, GError **error)
{
  const OdlOwnCode *code = odl_own_code_load (path, error);

  if (code == NULL || words->hash == NULL || g_str_equal (code->hash, words->hash))
    return code;
  g_autofree char *shown = odl_text_in_one_line (words->file);
  return odl_error_null (
      error, ODL_ERROR_DENIED,
      _ ("%s: this is not the code that the recipe names: its SHA-256 is %s. Look at "
         "the file; if you want it, write its name without a hash"),
      shown, code->hash);
}

// Code with a hash is looked for beside the recipe, among what presets keep there, and
// where the program runs; that without one beside the recipe alone. What is told is why
// the first place has none.
static const OdlOwnCode *
find (const Words *words, const char *folder, GError **error)
{
  const bool searches = words->hash != NULL && folder != NULL
                        && strchr (words->file, G_DIR_SEPARATOR) == NULL;
  g_autofree char *beside
      = folder != NULL ? g_canonicalize_filename (words->file, folder) : NULL;
  const OdlOwnCode *code = load (beside != NULL ? beside : words->file, words, error);
  if (code != NULL || !searches)
    return code;
  g_autofree char *kept
      = g_build_filename (folder, ODL_OWN_KEPT, words->hash, words->file, NULL);
  code = load (kept, words, NULL);
  if (code == NULL)
    code = load (words->file, words, NULL);
  if (code != NULL)
    g_clear_error (error);
  return code;
}

const OdlFilter *
odl_own_filter (const OdlFilter *filter,
                const char *text,
                const char *folder,
                bool trusted,
                char **rest,
                GError **error)
{
  g_auto (Words) words = { 0 };

  if (!take_apart (text, &words, error))
    return NULL;
  if (words.file == NULL && words.hash == NULL && g_str_has_prefix (text, BYPASS_KEY)) {
    *rest = g_strdup (text);
    return filter;
  }
  if (words.file == NULL || *words.file == '\0') {
    odl_own_needs_file (filter, error);
    return NULL;
  }
  if (words.hash != NULL && !odl_own_is_hash (words.hash))
    return odl_error_null (error, ODL_ERROR_USAGE,
                           _ ("“%s” is no SHA-256, which has 64 digits from 0 to f"),
                           words.hash);
  g_autofree char *shown = odl_text_in_one_line (words.file);
  if (!check_language (filter, shown, error))
    return NULL;
  if (!trusted && !odl_own_asks ())
    return odl_error_null (
        error, ODL_ERROR_DENIED,
        _ ("filter “%s” runs the code in “%s”, and nobody has said that it may. Look at "
           "the file; if you trust it, give --trust-code to “ondelette-cli process” (or "
           "“measure”, “sweep”, “optimise”, “verify”, “merge”). The window shows it and "
           "asks"),
        filter->name, shown);
  const OdlOwnCode *code = known (&words);
  if (code == NULL)
    code = find (&words, folder, error);
  if (code == NULL)
    return NULL;
  *rest = g_string_free (g_steal_pointer (&words.rest), FALSE);
  return &code->filter;
}

void
odl_own_append_words (GString *text, const OdlOwnCode *code)
{
  g_string_append (text, FILE_KEY);
  odl_quoted_append (text, code->name);
  g_string_append_printf (text, "," HASH_KEY "%s", code->hash);
}
