// SPDX-License-Identifier: MIT
#include "filter/own/header.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define PARAMETER "parameter:"
#define MOST_KEY 24 // bytes
#define MOST_WORDS 60 // characters
#define LARGEST 1e6

// What other words of a filter mean in recipes.
static const char *const taken[]
    = { "file", "sha256", "with", "at", "bypass", "dimensions", NULL };

bool
odl_own_header_fail (const OdlOwnHeader *h, const char *word, const char *what)
{
  g_autofree char *shown = odl_text_in_one_line (word);

  // Translators: a file, the number of a line, a word there, and what is wrong with it.
  return odl_error_set (h->error, ODL_ERROR_USAGE, _ ("%s, line %d: “%s” %s"), h->name,
                        h->line, shown, what);
}

bool
odl_own_header_is_key (const char *word)
{
  const size_t n = strlen (word);

  return n > 0 && n <= MOST_KEY && g_ascii_islower (*word)
         && strspn (word, "abcdefghijklmnopqrstuvwxyz0123456789-") == n
         && word[n - 1] != '-' && strstr (word, "--") == NULL;
}

static bool
has_key (const OdlOwnHeader *h, const char *key)
{
  for (guint i = 0; i < h->parameters->len; i++)
    if (g_str_equal (g_array_index (h->parameters, OdlParameter, i).key, key))
      return true;
  return false;
}

// “0..4”
bool
odl_own_header_range (const OdlOwnHeader *h, const char *word, OdlParameter *parameter)
{
  const char *dots = strstr (word, "..");
  g_autofree char *from = dots != NULL ? g_strndup (word, (gsize) (dots - word)) : NULL;

  if (dots == NULL || !odl_number_from_text (from, &parameter->minimum)
      || !odl_number_from_text (dots + 2, &parameter->maximum)
      || parameter->minimum >= parameter->maximum
      || MAX (fabs (parameter->minimum), fabs (parameter->maximum)) > LARGEST)
    return odl_own_header_fail (
        h, word, _ ("is no range such as 0..4, upwards and within a million"));
  return true;
}

// A step of the slider: about a hundred of them.
static double
step_of (const OdlParameter *parameter)
{
  return pow (10, floor (log10 ((parameter->maximum - parameter->minimum) / 100)));
}

// The unit is what stands before two blanks, and may be missing.
static bool
read_words (const OdlOwnHeader *h, char *rest, OdlParameter *parameter)
{
  char *words = strstr (rest, "  ");

  if (words != NULL)
    *words = '\0';
  g_strchomp (rest);
  parameter->unit = g_intern_string (g_strchug (rest));
  parameter->label = words != NULL ? g_intern_string (g_strstrip (words + 1)) : "";
  if (*parameter->label == '\0')
    return odl_own_header_fail (
        h, parameter->key,
        _ ("has no words for people: they stand at the end of the line, after "
           "two blanks"));
  if (g_utf8_strlen (parameter->label, -1) > MOST_WORDS
      || g_utf8_strlen (parameter->unit, -1) > MOST_WORDS)
    return odl_own_header_fail (h, parameter->key,
                                _ ("has more than 60 letters of words or unit"));
  return true;
}

// The next word of a line, cut off; "" at its end.
char *
odl_own_next_word (char **line)
{
  char *word = *line + strspn (*line, " \t");

  *line = word + strcspn (word, " \t");
  if (**line != '\0')
    *(*line)++ = '\0';
  return word;
}

bool
odl_own_header_key (const OdlOwnHeader *h, const char *key, OdlParameter *parameter)
{
  if (!odl_own_header_is_key (key) || g_strv_contains (taken, key) || has_key (h, key))
    return odl_own_header_fail (
        h, key,
        _ ("is no name for a parameter: small letters, digits and “-”, none "
           "that is there already"));
  if (h->parameters->len == ODL_OWN_MOST_PARAMETERS)
    return odl_own_header_fail (h, key,
                                _ ("is one parameter too many: there may be eight"));
  *parameter = (OdlParameter){ .key = g_intern_string (key),
                               .kind = ODL_PARAMETER_NUMBER,
                               .count = 1 };
  return true;
}

bool
odl_own_header_default (const OdlOwnHeader *h,
                        const char *number,
                        OdlParameter *parameter)
{
  if (!odl_number_from_text (number, &parameter->default_value)
      || parameter->default_value < parameter->minimum
      || parameter->default_value > parameter->maximum)
    return odl_own_header_fail (h, number, _ ("is no default within the range"));
  return true;
}

bool
odl_own_header_add (const OdlOwnHeader *h, char *rest, OdlParameter *parameter)
{
  if (!read_words (h, rest, parameter))
    return false;
  parameter->step = step_of (parameter);
  parameter->offset = (int) h->parameters->len;
  g_array_append_val (h->parameters, *parameter);
  return true;
}

// “strength 0..4 = 0.5 px  How strong it is”
static bool
read_parameter (const OdlOwnHeader *h, char *line)
{
  OdlParameter parameter;
  const char *key = odl_own_next_word (&line);

  if (!odl_own_header_key (h, key, &parameter)
      || !odl_own_header_range (h, odl_own_next_word (&line), &parameter))
    return false;
  if (!g_str_equal (odl_own_next_word (&line), "="))
    return odl_own_header_fail (h, key, _ ("needs “= DEFAULT” behind its range"));
  if (!odl_own_header_default (h, odl_own_next_word (&line), &parameter))
    return false;
  // A blank was cut off with the number: of two, one is left.
  g_autofree char *rest = g_strconcat (" ", line, NULL);
  return odl_own_header_add (h, rest, &parameter);
}

// Comment lines before the code.
bool
odl_own_header_read (OdlOwnHeader *h, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (h->line = 1; lines[h->line - 1] != NULL; h->line++) {
    char *line = g_strstrip (lines[h->line - 1]);
    if (*line == '\0')
      continue;
    if (!g_str_has_prefix (line, "//"))
      break;
    line = g_strchug (line + 2);
    if (g_str_has_prefix (line, PARAMETER)
        && !read_parameter (h, line + strlen (PARAMETER)))
      return false;
  }
  return true;
}
