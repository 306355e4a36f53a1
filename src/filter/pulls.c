// SPDX-License-Identifier: MIT
#include "filter/pulls.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/text.h"

#define NONE "none"

int
odl_pulls_count (const double values[])
{
  int n = 0;

  while (n < ODL_MOST_PULLS && values[n * ODL_PULL_VALUES] != ODL_NO_PULL)
    n++;
  return n;
}

char *
odl_pulls_to_text (const double values[])
{
  const int n = odl_pulls_count (values);
  GString *text = g_string_new (n == 0 ? NONE : NULL);

  for (int i = 0; i < n * ODL_PULL_VALUES; i++) {
    const char between = i % ODL_PULL_VALUES == 0 ? '/' : ':';
    g_autofree char *number = odl_number_to_text (values[i]);
    if (i > 0)
      g_string_append_c (text, between);
    g_string_append (text, number);
  }
  return g_string_free (text, FALSE);
}

static bool
parse_pull (const char *text, double values[ODL_PULL_VALUES])
{
  g_auto (GStrv) numbers = g_strsplit (text, ":", -1);

  if (g_strv_length (numbers) != ODL_PULL_VALUES)
    return false;
  for (int i = 0; i < ODL_PULL_VALUES; i++)
    if (!odl_number_from_text (numbers[i], &values[i])
        || !(values[i] >= 0 && values[i] <= ODL_PULL_LARGEST))
      return false;
  return true;
}

bool
odl_pulls_parse (const char *text, const char *key, double values[], GError **error)
{
  g_auto (GStrv) pulls = g_strsplit (text, "/", -1);
  const bool none = g_ascii_strcasecmp (text, NONE) == 0;
  const int n = none ? 0 : (int) g_strv_length (pulls);

  for (int i = 0; i < ODL_PULLS_VALUES; i++)
    values[i] = ODL_NO_PULL;
  if (n > ODL_MOST_PULLS)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("“%s” has %d entries, at most %d are possible"), key, n,
                          ODL_MOST_PULLS);
  for (int p = 0; p < n; p++)
    if (!parse_pull (pulls[p], &values[p * ODL_PULL_VALUES]))
      return odl_usage_error (
          error,
          _ ("“%s” for “%s” must be x:y of a point and x:y of where it goes, in pixels"),
          pulls[p], key);
  return true;
}
