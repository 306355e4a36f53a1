// SPDX-License-Identifier: MIT
#include "decoder/nrrd/lines.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

#define MAX_HEADER ((size_t) 256 << 20)
#define MAX_LINES (1u << 20)
#define MAGIC "NRRD00"

// As teem's unu reads them.
static const char *const versions[] = { "NRRD00.01", "NRRD0001", "NRRD0002", "NRRD0003",
                                        "NRRD0004",  "NRRD0005", "NRRD0006" };

static OdlNrrdText
strip (OdlNrrdText text)
{
  while (text.n > 0 && g_ascii_isspace (text.at[0])) {
    text.at++;
    text.n--;
  }
  while (text.n > 0 && g_ascii_isspace (text.at[text.n - 1]))
    text.n--;
  return text;
}

static bool
is_same (OdlNrrdText text, const char *name)
{
  size_t i = 0;

  // "line skip" may be written "lineskip".
  for (; *name != '\0'; name++) {
    if (*name == ' ' && (i >= text.n || text.at[i] != ' '))
      continue;
    if (i >= text.n || g_ascii_tolower (text.at[i]) != *name)
      return false;
    i++;
  }
  return i == text.n;
}

// Takes the number before the name of a file ("-1 slice 3.raw").
static bool
take_skip (OdlNrrdLines *lines, OdlNrrdText *line, GError **error)
{
  OdlNrrdText rest = *line;
  uint64_t number = 0;
  const bool is_negative = odl_nrrd_text_begins (rest, "-", &rest);
  const bool has_number = odl_nrrd_text_take_number (&rest, &number);
  const OdlNrrdText name = strip (rest);

  if (!has_number || name.n == 0 || name.n == rest.n)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("a line of its list of files is no number of bytes before a "
                             "name (“%.*s”, SKIPLIST)"),
                          (int) MIN (line->n, 80), line->at);
  const int64_t skip = is_negative ? -(int64_t) number : (int64_t) number;
  g_array_append_val (lines->skips, skip);
  *line = name;
  return true;
}

// Names of files, one for each line, up to the end.
static bool
read_names (OdlNrrdLines *lines, OdlNrrdText rest, bool has_skips, GError **error)
{
  while (rest.n > 0) {
    const char *end = memchr (rest.at, '\n', rest.n);
    const size_t n = end != NULL ? (size_t) (end - rest.at) : rest.n;
    OdlNrrdText name = strip ((OdlNrrdText){ rest.at, n });
    if (name.n > 0) {
      if (lines->names->len == MAX_LINES)
        return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                              _ ("its header has more than %u lines"), MAX_LINES);
      if (has_skips && !take_skip (lines, &name, error))
        return false;
      g_ptr_array_add (lines->names, g_strndup (name.at, name.n));
    }
    rest.at += n;
    rest.n -= n;
    if (rest.n > 0) {
      rest.at++;
      rest.n--;
    }
  }
  return true;
}

static bool
split (OdlNrrdText text, OdlNrrdLine *line)
{
  const char *colon = memchr (text.at, ':', text.n);

  if (colon == NULL || colon == text.at)
    return false;
  const size_t before = (size_t) (colon - text.at);
  line->is_key = before + 1 < text.n && colon[1] == '=';
  const size_t skipped = before + (line->is_key ? 2 : 1);
  line->name = (OdlNrrdText){ text.at, before };
  line->value = strip ((OdlNrrdText){ text.at + skipped, text.n - skipped });
  return true;
}

// Whether the line says that names follow it, of files or of skips and files.
static bool
is_list (const OdlNrrdLine *line, bool *has_skips)
{
  OdlNrrdText rest;

  if (line->is_key || !is_same (line->name, "data file"))
    return false;
  *has_skips = odl_nrrd_text_begins (line->value, "SKIPLIST", &rest);
  return (*has_skips || odl_nrrd_text_begins (line->value, "LIST", &rest))
         && (rest.n == 0 || g_ascii_isspace (rest.at[0]));
}

static bool
read_lines (OdlNrrdLines *lines, const char *text, size_t size, size_t at, GError **error)
{
  for (uint32_t number = 2; at < size; number++) {
    const char *stop = memchr (text + at, '\n', size - at);
    const size_t n = stop != NULL ? (size_t) (stop - (text + at)) : size - at;
    const size_t length = n > 0 && text[at + n - 1] == '\r' ? n - 1 : n;
    OdlNrrdText whole = { text + at, length };
    OdlNrrdLine line;
    bool has_skips = false;
    at += n + (stop != NULL);
    if (length == 0) {
      lines->end = at;
      return true;
    }
    if (whole.at[0] == '#')
      continue;
    if (memchr (whole.at, '\0', length) != NULL || !split (whole, &line))
      return odl_error_set (error, ODL_ERROR_CORRUPT,
                            _ ("line %u of its header is neither a field, a key nor a "
                               "comment"),
                            number);
    if (lines->lines->len == MAX_LINES)
      return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                            _ ("its header has more than %u lines"), MAX_LINES);
    g_array_append_val (lines->lines, line);
    if (is_list (&line, &has_skips))
      return read_names (lines, (OdlNrrdText){ text + at, size - at }, has_skips, error);
  }
  return true;
}

// Where the line ends that says the version; 0: it says none that is known.
static size_t
end_of_version (const char *text, size_t size)
{
  for (size_t i = 0; i < G_N_ELEMENTS (versions); i++) {
    const size_t n = strlen (versions[i]);
    if (size <= n || memcmp (text, versions[i], n) != 0)
      continue;
    if (text[n] == '\n')
      return n + 1;
    if (text[n] == '\r')
      return n + 1 + (size > n + 1 && text[n + 1] == '\n');
  }
  return 0;
}

bool
odl_nrrd_lines_read (OdlNrrdLines *lines,
                     const uint8_t *data,
                     size_t size,
                     GError **error)
{
  const char *text = (const char *) data;

  *lines = (OdlNrrdLines){
    .lines = g_array_new (FALSE, FALSE, sizeof (OdlNrrdLine)),
    .names = g_ptr_array_new_with_free_func (g_free),
    .skips = g_array_new (FALSE, FALSE, sizeof (int64_t)),
  };
  const char *line_end = memchr (text, '\n', MIN (size, 16));
  if (line_end == NULL || memcmp (text, MAGIC, strlen (MAGIC)) != 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it does not begin as an NRRD file does"));
  const size_t at = end_of_version (text, size);
  if (at == 0)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its version of NRRD (“%.8s”) is not known"), text);
  return read_lines (lines, text, MIN (size, MAX_HEADER), at, error);
}

void
odl_nrrd_lines_clear (OdlNrrdLines *lines)
{
  g_clear_pointer (&lines->lines, g_array_unref);
  g_clear_pointer (&lines->names, g_ptr_array_unref);
  g_clear_pointer (&lines->skips, g_array_unref);
}

char *
odl_nrrd_field (const OdlNrrdLines *lines, const char *name)
{
  for (guint i = 0; i < lines->lines->len; i++) {
    const OdlNrrdLine *line = &g_array_index (lines->lines, OdlNrrdLine, i);
    if (!line->is_key && is_same (line->name, name))
      return g_strndup (line->value.at, line->value.n);
  }
  return NULL;
}

char *
odl_nrrd_key (const OdlNrrdLines *lines, const char *name)
{
  for (guint i = 0; i < lines->lines->len; i++) {
    const OdlNrrdLine *line = &g_array_index (lines->lines, OdlNrrdLine, i);
    if (line->is_key && line->name.n == strlen (name)
        && memcmp (line->name.at, name, line->name.n) == 0)
      return g_strndup (line->value.at, line->value.n);
  }
  return NULL;
}

char *
odl_nrrd_text_show (OdlNrrdText text, bool is_encoded)
{
  g_autoptr (GString) out = g_string_sized_new (text.n);

  for (size_t i = 0; i < text.n; i++) {
    const char c = text.at[i];
    const bool has_two = i + 2 < text.n;
    if (c == '\\' && i + 1 < text.n && (text.at[i + 1] == 'n' || text.at[i + 1] == '\\'))
      g_string_append_c (out, text.at[++i] == 'n' ? ' ' : '\\');
    else if (is_encoded && c == '%' && has_two && g_ascii_isxdigit (text.at[i + 1])
             && g_ascii_isxdigit (text.at[i + 2])) {
      const int byte = g_ascii_xdigit_value (text.at[i + 1]) * 16
                       + g_ascii_xdigit_value (text.at[i + 2]);
      g_string_append_c (out, byte < ' ' ? ' ' : (char) byte);
      i += 2;
    } else
      g_string_append_c (out, c >= 0 && c < ' ' ? ' ' : c);
  }
  return g_utf8_make_valid (out->str, (gssize) out->len);
}

bool
odl_nrrd_text_begins (OdlNrrdText text, const char *begin, OdlNrrdText *rest)
{
  const size_t n = strlen (begin);

  if (text.n < n || memcmp (text.at, begin, n) != 0)
    return false;
  *rest = (OdlNrrdText){ text.at + n, text.n - n };
  return true;
}

bool
odl_nrrd_text_take_number (OdlNrrdText *text, uint64_t *number)
{
  size_t i = 0;

  *number = 0;
  for (; i < text->n && i < 18 && g_ascii_isdigit (text->at[i]); i++)
    *number = *number * 10 + (uint64_t) (text->at[i] - '0');
  text->at += i;
  text->n -= i;
  return i > 0;
}
