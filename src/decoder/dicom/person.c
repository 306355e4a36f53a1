// SPDX-License-Identifier: MIT
#include "decoder/dicom/person.h"

#include <stdbool.h>
#include <string.h>

#include "decoder/protocol.h"

// Letters and digits in one case, without accents. Transfer full.
static char *
fold (const char *text, bool keeps_blanks)
{
  g_autofree char *apart = g_utf8_normalize (text, -1, G_NORMALIZE_ALL);
  g_autofree char *folded = g_utf8_casefold (apart != NULL ? apart : text, -1);
  g_autofree char *again = g_utf8_normalize (folded, -1, G_NORMALIZE_ALL);
  GString *plain = g_string_new (NULL);

  for (const char *at = again != NULL ? again : folded; *at != '\0';
       at = g_utf8_next_char (at)) {
    const gunichar c = g_utf8_get_char (at);
    const bool blank = g_unichar_isspace (c);
    if (g_unichar_ismark (c) || (blank && (!keeps_blanks || plain->len == 0)))
      continue;
    // One blank for several, none at the end.
    if (!blank || plain->str[plain->len - 1] != ' ')
      g_string_append_unichar (plain, blank ? ' ' : c);
  }
  if (plain->len > 0 && plain->str[plain->len - 1] == ' ')
    g_string_truncate (plain, plain->len - 1);
  return g_string_free (plain, FALSE);
}

static bool
is_among (const char *text, const char *const *list, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (strcmp (text, list[i]) == 0)
      return true;
  return false;
}

// What stands where nobody knows the number: one character again and again, digits in
// turn, or a word that says so.
static bool
is_placeholder_number (const char *id)
{
  static const char *const words[]
      = { "anon",    "anonymous",  "anonymized", "anonymised", "default", "dummy",
          "id",      "inconnu",    "missing",    "na",         "nil",     "nn",
          "no",      "noid",       "none",       "notknown",   "null",    "patient",
          "phantom", "patientid",  "removed",    "temp",       "test",    "unbekannt",
          "unknown", "unspecified" };
  g_autofree char *folded = fold (id, false);
  g_autoptr (GString) plain = g_string_new (NULL);
  bool same = true;

  for (const char *at = folded; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_isalnum (g_utf8_get_char (at)))
      g_string_append_unichar (plain, g_utf8_get_char (at));
  for (gsize i = 1; i < plain->len; i++)
    same = same && plain->str[i] == plain->str[0];
  return same || g_str_has_prefix ("1234567890", plain->str)
         || g_str_has_prefix ("0123456789", plain->str)
         || is_among (plain->str, words, G_N_ELEMENTS (words));
}

// YYYYMMDD, or dots between as old files have them. Days that programs write where none
// is known do not count, nor those of nobody who is alive.
static bool
is_birth (const char *birth, char day[9])
{
  static const char *const none[] = { "19000101", "19010101", "19700101" };
  int n = 0;

  for (const char *at = birth; *at != '\0'; at++)
    if (g_ascii_isdigit (*at) && n < 8)
      day[n++] = *at;
    else if (*at != '.' && *at != ' ')
      return false;
  day[n] = '\0';
  const int year = n == 8 ? (int) g_ascii_strtoll (day, NULL, 10) / 10000 : 0;
  const int rest = n == 8 ? (int) g_ascii_strtoll (day, NULL, 10) % 10000 : 0;
  return year >= 1890 && year < 2100
         && g_date_valid_dmy ((GDateDay) (rest % 100), (GDateMonth) (rest / 100),
                              (GDateYear) year)
         && !is_among (day, none, G_N_ELEMENTS (none));
}

// Of the first way to write the name that there is.
static char *
family_of (const char *name)
{
  const char *start = name + strspn (name, "= ");
  g_autofree char *family = g_strndup (start, strcspn (start, "^="));

  return fold (family, true);
}

static void
add (GChecksum *sum, const char *text)
{
  // With its end, so that no part of one is taken for the other.
  g_checksum_update (sum, (const guchar *) text, (gssize) strlen (text) + 1);
}

char *
odl_dicom_person (const char *id, const char *issuer, const char *birth, const char *name)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *family = family_of (name);
  g_autofree char *number = g_strstrip (g_strdup (id));
  g_autofree char *from = g_strstrip (g_strdup (issuer));
  char day[9];
  const bool known
      = !is_placeholder_number (number) && is_birth (birth, day) && *family != '\0';
  const char *all[] = { number, from, known ? day : birth, known ? family : name };

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    add (sum, all[i]);
  return g_strconcat (known ? ODL_PERSON_KNOWN : "", g_checksum_get_string (sum), NULL);
}
