// SPDX-License-Identifier: MIT
#include "engine/environment.h"

#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "base/error.h"
#include "engine/cpu/kernels/variant.h"
#include "engine/engine.h"

static const char *const tune_words[] = { "off", "again", NULL };
static const char *const price_words[] = { "shipped", "again", NULL };
static const char *const sandbox_words[] = { "required", "optional", NULL };

// The faults that odl_debug_fault knows, of every engine and besides.
static const char *const engine_calls[] = { "open", "prepare", "run" };
static const char *const other_calls[]
    = { "thread/new", "canvas/upload", "canvas/program", "canvas/rays", "canvas/draw" };

static bool
check_word (const char *variable,
            const char *word,
            const char *const *allowed,
            GError **error)
{
  if (g_strv_contains (allowed, word))
    return true;
  g_autofree char *names = g_strjoinv (", ", (char **) allowed);
  // Translators: an environment variable, a word in it, and the words that it may hold.
  return odl_error_set (error, ODL_ERROR_USAGE, _ ("%s: there is no “%s”; there are %s"),
                        variable, word, names);
}

// `text` may be NULL; each character of `separators` separates words.
static bool
check_words (const char *variable,
             const char *text,
             const char *separators,
             const char *const *allowed,
             GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (text != NULL ? text : "", separators, -1);

  for (char **word = words; *word != NULL; word++)
    if (**word != '\0' && !check_word (variable, *word, allowed, error))
      return false;
  return true;
}

// As GLib reads it: in any case, and “all” and “help” are words, too.
static bool
check_debug (GError **error)
{
  const char *text = g_getenv ("ODL_DEBUG");
  g_autofree char *lower = text != NULL ? g_ascii_strdown (text, -1) : NULL;
  g_auto (GStrv) allowed = odl_debug_words ();

  return check_words ("ODL_DEBUG", lower, ":;, \t", (const char *const *) allowed, error);
}

// "PART/CALL" for every call that can be made to fail. Transfer full.
static char **
fault_names (void)
{
  GPtrArray *names = g_ptr_array_new ();

  for (size_t i = 0; i < odl_engine_count (); i++)
    for (size_t k = 0; k < G_N_ELEMENTS (engine_calls); k++)
      g_ptr_array_add (names,
                       g_strjoin ("/", odl_engine_at (i)->name, engine_calls[k], NULL));
  for (size_t i = 0; i < G_N_ELEMENTS (other_calls); i++)
    g_ptr_array_add (names, g_strdup (other_calls[i]));
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

static bool
check_fault (GError **error)
{
  const char *text = g_getenv ("ODL_FAULT");
  g_auto (GStrv) names = fault_names ();
  g_auto (GStrv) kinds = odl_debug_fault_kinds ();
  g_auto (GStrv) entries = g_strsplit (text != NULL ? text : "", ",", -1);

  for (char **entry = entries; *entry != NULL; entry++) {
    g_auto (GStrv) words = g_strsplit (*entry, "=", 2);
    if (words[0] == NULL)
      continue;
    if (!check_word ("ODL_FAULT", words[0], (const char *const *) names, error)
        || (words[1] != NULL
            && !check_word ("ODL_FAULT", words[1], (const char *const *) kinds, error)))
      return false;
  }
  return true;
}

bool
odl_environment_check (GError **error)
{
  // A value of these but ODL_CPU is one word.
  return check_debug (error)
         && check_words ("ODL_CPU", g_getenv ("ODL_CPU"), ",", odl_cpu_words, error)
         && check_words ("ODL_TUNE", g_getenv ("ODL_TUNE"), "", tune_words, error)
         && check_words ("ODL_PRICES", g_getenv ("ODL_PRICES"), "", price_words, error)
         && check_words ("ODL_SANDBOX", g_getenv ("ODL_SANDBOX"), "", sandbox_words,
                         error)
         && check_fault (error);
}
