// SPDX-License-Identifier: MIT
#include "archive/query.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "archive/instances.h"
#include "base/error.h"

#define MAX_TYPED 64 // characters (PS3.5 6.2)
#define DATE_DIGITS 8
#define DIGITS "0123456789"

#define UTF8 "ISO_IR 192"
#define LATIN "ISO_IR 100"

static const char *const level_names[ODL_N_LEVELS]
    = { "PATIENT", "STUDY", "SERIES", "IMAGE" };

// The UID or number that tells what is below which.
static const OdlKey unique[ODL_N_LEVELS]
    = { ODL_KEY_PATIENT_ID, ODL_KEY_STUDY, ODL_KEY_SERIES, ODL_KEY_INSTANCE };

// ---- What is typed ----

static bool
is_uid (OdlKey key)
{
  return key == ODL_KEY_STUDY || key == ODL_KEY_SERIES || key == ODL_KEY_INSTANCE;
}

// Whose letters may be written in more than one way.
static bool
is_words (OdlKey key)
{
  return key == ODL_KEY_PATIENT_NAME || key == ODL_KEY_STUDY_DESCRIPTION
         || key == ODL_KEY_SERIES_DESCRIPTION;
}

static char *
without_hyphens (char *date)
{
  char *to = date;

  for (const char *at = date; *at != '\0'; at++)
    if (*at != '-')
      *to++ = *at;
  *to = '\0';
  return date;
}

// A day, month or year as its first or last day. NULL: it is none. Transfer full.
static char *
day_of (const char *text, const char *rest)
{
  const size_t n = strlen (text);
  g_autofree char *day = g_strconcat (text, n <= DATE_DIGITS ? rest + n : "", NULL);

  if ((n != 4 && n != 6 && n != DATE_DIGITS) || strspn (text, DIGITS) != n)
    return NULL;
  return g_steal_pointer (&day);
}

// The end of a date that begins there; hyphens within it are those of ISO 8601, which
// months and days of two digits stand behind.
static const char *
end_of_date (const char *text)
{
  const char *end = text + strspn (text, DIGITS);

  for (int i = 0; i < 2 && end == text + 4 + 3 * i && *end == '-'; i++)
    if (strspn (end + 1, DIGITS) == 2)
      end += 3;
  return end;
}

// NULL: it is no date or range.
static char *
parse_dates (const char *text)
{
  const char *end = end_of_date (text);
  const bool is_range = *end == '-';
  const char *next = is_range ? end + 1 : text;
  const char *last = end_of_date (next);
  g_autofree char *first_day = g_strndup (text, (gsize) (end - text));
  g_autofree char *last_day = g_strndup (next, (gsize) (last - next));
  g_autofree char *begin = day_of (without_hyphens (first_day), "00000101");
  g_autofree char *until = day_of (without_hyphens (last_day), "00001231");

  if (*last != '\0' || (begin == NULL && *first_day != '\0')
      || (until == NULL && *last_day != '\0') || (begin == NULL && until == NULL))
    return NULL;
  if (g_strcmp0 (begin, until) == 0)
    return g_steal_pointer (&begin);
  return g_strconcat (begin != NULL ? begin : "", "-", until != NULL ? until : "", NULL);
}

static bool
is_typeable (const char *text)
{
  if (!g_utf8_validate (text, -1, NULL) || g_utf8_strlen (text, -1) > MAX_TYPED)
    return false;
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (*at == '\\' || g_unichar_iscntrl (g_utf8_get_char (at)))
      return false;
  return true;
}

bool
odl_query_set (OdlQuery *self,
               OdlKey key,
               const char *option,
               const char *text,
               GError **error)
{
  if (text == NULL || *text == '\0')
    return true;
  if (!is_typeable (text))
    return odl_usage_error (error,
                            _ ("%s takes at most 64 characters, without backslashes and "
                               "control characters"),
                            option);
  g_autofree char *pattern = NULL;
  if (is_uid (key)) {
    if (!odl_uid_is_valid (text))
      return odl_usage_error (
          error, _ ("%s takes a UID, of digits and dots; “%s” is none"), option, text);
    pattern = g_strdup (text);
  } else if (key == ODL_KEY_DATE) {
    pattern = parse_dates (text);
    if (pattern == NULL)
      return odl_usage_error (error,
                              _ ("%s takes a date such as 2019-04-01, 20190401, "
                                 "2019 or 20190101-20190401; “%s” is none"),
                              option, text);
  } else if (key == ODL_KEY_MODALITY || key == ODL_KEY_MODALITIES) {
    pattern = g_utf8_strup (text, -1);
  } else if (key == ODL_KEY_PATIENT_NAME && strpbrk (text, "*?") == NULL) {
    pattern = g_strconcat (text, "*", NULL);
  } else {
    pattern = g_strdup (text);
  }
  g_free (self->wanted[key]);
  self->wanted[key] = g_steal_pointer (&pattern);
  return true;
}

void
odl_query_clear (OdlQuery *self)
{
  for (int i = 0; i < ODL_N_KEYS; i++)
    g_clear_pointer (&self->wanted[i], g_free);
}

// ---- Ways of writing ----

// Whether it is a key at a level, and not of one above, whose unique keys alone are.
static bool
is_key (OdlKey key, OdlLevel level)
{
  const OdlLevel of = odl_keys[key].level;

  return of == level
         || (of < level && key == unique[of] && of > ODL_LEVEL_PATIENT)
         // At the root of studies they have those of their patients (PS3.4 C.6.2.1).
         || (level == ODL_LEVEL_STUDY && of == ODL_LEVEL_PATIENT);
}

enum {
  AS_TYPED,
  CAPITALS,
  SMALL,
  BEGINNINGS,
  N_LETTERS,
};

static char *
capitals_at_beginnings (const char *text)
{
  g_autofree char *small = g_utf8_strdown (text, -1);
  GString *out = g_string_new (NULL);
  bool begins = true;

  for (const char *at = small; *at != '\0'; at = g_utf8_next_char (at)) {
    const gunichar c = g_utf8_get_char (at);
    g_string_append_unichar (out, begins ? g_unichar_totitle (c) : c);
    begins = !g_unichar_isalnum (c);
  }
  return g_string_free (out, FALSE);
}

static char *
written (OdlKey key, const char *pattern, int letters)
{
  if (!is_words (key) || letters == AS_TYPED)
    return g_strdup (pattern);
  return letters == CAPITALS ? g_utf8_strup (pattern, -1)
         : letters == SMALL  ? g_utf8_strdown (pattern, -1)
                             : capitals_at_beginnings (pattern);
}

// All texts of a level in that way, behind one another. NULL: Latin-1 lacks some of
// them. Transfer full.
static char *
whole_text (const OdlQuery *self, OdlLevel level, const OdlQueryWay *way)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (int i = 0; i < ODL_N_KEYS; i++)
    if (self->wanted[i] != NULL && is_key (i, level)) {
      g_autofree char *one = written (i, self->wanted[i], way->letters);
      g_string_append (all, one);
    }
  return way->latin ? g_convert (all->str, -1, "ISO-8859-1", "UTF-8", NULL, NULL, NULL)
                    : g_strdup (all->str);
}

static bool
is_new (const OdlQuery *self, OdlLevel level, const OdlQueryWay *way)
{
  g_autofree char *text = whole_text (self, level, way);

  if (text == NULL || (way->latin && g_str_is_ascii (text)))
    return false;
  for (int letters = 0; letters < way->letters; letters++) {
    g_autofree char *other
        = whole_text (self, level, &(OdlQueryWay){ letters, way->latin });
    if (g_strcmp0 (text, other) == 0)
      return false;
  }
  return true;
}

bool
odl_query_next_way (const OdlQuery *self, OdlLevel level, OdlQueryWay *way)
{
  do {
    way->letters += way->latin;
    way->latin = !way->latin;
  } while (way->letters < N_LETTERS && !is_new (self, level, way));
  return way->letters < N_LETTERS;
}

// ---- Building ----

static void
put_number (GByteArray *out, guint32 number, int n)
{
  for (int i = 0; i < n; i++) {
    const guint8 byte = (guint8) (number >> 8 * i);
    g_byte_array_append (out, &byte, 1);
  }
}

static void
put (GByteArray *out, uint32_t tag, const char *value, char padding)
{
  const gsize n = strlen (value);

  put_number (out, tag >> 16, 2);
  put_number (out, tag & 0xffff, 2);
  put_number (out, (guint32) (n + n % 2), 4);
  g_byte_array_append (out, (const guint8 *) value, (guint) n);
  if (n % 2 != 0)
    g_byte_array_append (out, (const guint8 *) &padding, 1);
}

GByteArray *
odl_query_build (const OdlQuery *self,
                 OdlLevel level,
                 const OdlQueryWay *way,
                 OdlValues above)
{
  GByteArray *out = g_byte_array_new ();
  g_autofree char *all
      = whole_text (self, level, &(OdlQueryWay){ .letters = way->letters });
  bool told = false;

  if (!g_str_is_ascii (all))
    put (out, ODL_TAG_CHARACTER_SET, way->latin ? LATIN : UTF8, ' ');
  for (int i = 0; i < ODL_N_KEYS; i++) {
    if (!told && odl_keys[i].tag > ODL_TAG_LEVEL) {
      put (out, ODL_TAG_LEVEL, level_names[level], ' ');
      told = true;
    }
    if (!is_key (i, level) || (way->no_classes && i == ODL_KEY_SOP_CLASS))
      continue;
    const bool is_above = odl_keys[i].level < level && above != NULL;
    const char *pattern = is_above ? above[i] : self->wanted[i];
    g_autofree char *text = written (i, pattern != NULL ? pattern : "", way->letters);
    if (way->latin) {
      char *latin = g_convert (text, -1, "ISO-8859-1", "UTF-8", NULL, NULL, NULL);
      g_free (text);
      text = latin;
    }
    put (out, odl_keys[i].tag, text, is_uid (i) || i == ODL_KEY_SOP_CLASS ? '\0' : ' ');
  }
  return out;
}

GByteArray *
odl_query_build_unique (OdlLevel level, OdlValues values)
{
  GByteArray *out = g_byte_array_new ();

  if (level == ODL_LEVEL_IMAGE)
    put (out, odl_keys[ODL_KEY_INSTANCE].tag, values[ODL_KEY_INSTANCE], '\0');
  put (out, ODL_TAG_LEVEL, level_names[level], ' ');
  put (out, odl_keys[ODL_KEY_STUDY].tag, values[ODL_KEY_STUDY], '\0');
  if (level >= ODL_LEVEL_SERIES)
    put (out, odl_keys[ODL_KEY_SERIES].tag, values[ODL_KEY_SERIES], '\0');
  return out;
}

// ---- Checking ----

// A character of a pattern or value, in one case and without accents.
typedef struct {
  gunichar letter;
  bool is_any, is_one; // * and ?
  bool may_lack; // nodes may leave it out, or have another one for it
} Token;

static GArray *
tokens_of (const char *text, bool is_pattern)
{
  GArray *tokens = g_array_new (FALSE, TRUE, sizeof (Token));

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at)) {
    g_autofree char *one = g_strndup (at, (gsize) (g_utf8_next_char (at) - at));
    g_autofree char *apart = g_utf8_normalize (one, -1, G_NORMALIZE_ALL);
    g_autofree char *folded = g_utf8_casefold (apart != NULL ? apart : one, -1);
    for (const char *c = folded; *c != '\0'; c = g_utf8_next_char (c)) {
      Token token = { .letter = g_utf8_get_char (c), .may_lack = (guchar) *at >= 0x80 };
      token.is_any = is_pattern && token.letter == '*';
      token.is_one = is_pattern && token.letter == '?';
      if (!g_unichar_ismark (token.letter))
        g_array_append_val (tokens, token);
    }
  }
  return tokens;
}

// What may stand for a letter that a character set lacks.
static bool
is_left_over (gunichar letter)
{
  return letter == '?' || letter >= 0x80;
}

// Row after row of which beginnings of the value match which of the pattern.
static bool
matches (const char *pattern, const char *value)
{
  g_autoptr (GArray) asked = tokens_of (pattern, true);
  g_autoptr (GArray) has = tokens_of (value, false);
  g_autofree bool *before = g_new0 (bool, has->len + 1);
  g_autofree bool *now = g_new0 (bool, has->len + 1);

  before[0] = true;
  for (guint i = 0; i < asked->len; i++) {
    const Token *one = &g_array_index (asked, Token, i);
    for (guint k = 0; k <= has->len; k++) {
      const Token *other = k > 0 ? &g_array_index (has, Token, k - 1) : NULL;
      const bool same = other != NULL
                        && (one->is_one || one->letter == other->letter
                            || (one->may_lack && is_left_over (other->letter)));
      now[k] = one->is_any ? before[k] || (k > 0 && now[k - 1])
                           : (same && before[k - 1]) || (one->may_lack && before[k]);
    }
    bool *const swap = before;
    before = now;
    now = swap;
  }
  return before[has->len];
}

// Of a name in several ways of writing any one; empty parts at the end do not count.
static bool
matches_name (const char *pattern, const char *value)
{
  g_auto (GStrv) ways = g_strsplit (value, "=", -1);

  for (int i = 0; ways[i] != NULL; i++) {
    for (size_t n = strlen (ways[i]); n > 0 && strchr ("^ ", ways[i][n - 1]) != NULL;)
      ways[i][--n] = '\0';
    if (*ways[i] != '\0' && matches (pattern, ways[i]))
      return true;
  }
  return false;
}

static bool
matches_date (const char *pattern, const char *value)
{
  const char *dash = strchr (pattern, '-');

  if (strlen (value) != DATE_DIGITS)
    return false;
  if (dash == NULL)
    return g_str_equal (pattern, value);
  return (dash == pattern || strncmp (value, pattern, DATE_DIGITS) >= 0)
         && (dash[1] == '\0' || strcmp (value, dash + 1) <= 0);
}

static bool
matches_any (const char *pattern, const char *value)
{
  g_auto (GStrv) values = g_strsplit (value, "\\", -1);

  for (int i = 0; values[i] != NULL; i++)
    if (matches (pattern, g_strstrip (values[i])))
      return true;
  return false;
}

OdlAnswerMatch
odl_query_check (const OdlQuery *self, OdlKey key, const char *value)
{
  const char *pattern = self->wanted[key];
  bool good;

  if (pattern == NULL)
    return ODL_ANSWER_MATCHES;
  if (value == NULL || *value == '\0')
    return ODL_ANSWER_LACKS;
  if (is_uid (key))
    good = g_str_equal (pattern, value);
  else if (key == ODL_KEY_DATE)
    good = matches_date (pattern, value);
  else if (key == ODL_KEY_PATIENT_NAME)
    good = matches_name (pattern, value);
  else
    good = matches_any (pattern, value);
  return good ? ODL_ANSWER_MATCHES : ODL_ANSWER_DIFFERS;
}
