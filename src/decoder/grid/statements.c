// SPDX-License-Identifier: MIT
#include "decoder/grid/statements.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

// No number is longer.
#define LONGEST 64

static bool
ends_line (char c)
{
  return c == '\n' || c == '\r';
}

// Over a line's end: \n, \r or \r\n.
static void
skip_end (OdlStatements *self)
{
  const char first = *self->at++;

  if (first == '\r' && self->at < self->end && *self->at == '\n')
    self->at++;
  self->line++;
}

// A backslash before a line's end, possibly with blanks between them.
static bool
continues (const OdlStatements *self)
{
  const char *at = self->at + 1;

  while (at < self->end && (*at == ' ' || *at == '\t'))
    at++;
  return *self->at == '\\' && at < self->end && ends_line (*at);
}

// To the next word or the end of the statement.
static void
skip_blanks (OdlStatements *self)
{
  while (self->at < self->end && !ends_line (*self->at)) {
    if (continues (self)) {
      while (!ends_line (*self->at))
        self->at++;
      skip_end (self);
    } else if (*self->at == '#') {
      while (self->at < self->end && !ends_line (*self->at))
        self->at++;
    } else if (*self->at == ' ' || *self->at == '\t' || *self->at == '\0') {
      self->at++;
    } else {
      return;
    }
  }
}

bool
odl_statements_word (OdlStatements *self, OdlWord *word)
{
  skip_blanks (self);
  word->text = self->at;
  while (self->at < self->end && strchr (" \t\r\n#", *self->at) == NULL
         && !continues (self))
    self->at++;
  word->length = (size_t) (self->at - word->text);
  return word->length > 0;
}

bool
odl_statements_next (OdlStatements *self, OdlWord *word)
{
  OdlWord rest;

  if (word->text != NULL)
    while (odl_statements_word (self, &rest))
      ;
  while (!odl_statements_word (self, word)) {
    if (self->at >= self->end)
      return false;
    skip_end (self);
  }
  return true;
}

bool
odl_word_is (const OdlWord *word, const char *text)
{
  return word->length == strlen (text) && memcmp (word->text, text, word->length) == 0;
}

// False: it is too long.
static bool
terminate (const OdlWord *word, char text[LONGEST])
{
  const size_t length = MIN (word->length, LONGEST - 1);

  memcpy (text, word->text, length);
  text[length] = '\0';
  return length == word->length;
}

static bool
refuse (const OdlStatements *self, const char *text, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("line %d: “%s” is not a number that fits there"), self->line,
                        valid);
}

bool
odl_statements_number (const OdlStatements *self,
                       const OdlWord *word,
                       double *number,
                       GError **error)
{
  char text[LONGEST], *end = NULL;
  const bool whole = terminate (word, text);

  *number = g_ascii_strtod (text, &end);
  return (whole && end != text && *end == '\0' && isfinite (*number))
         || refuse (self, text, error);
}

bool
odl_statements_next_number (OdlStatements *self, double *number, GError **error)
{
  OdlWord word;

  if (odl_statements_word (self, &word))
    return odl_statements_number (self, &word, number, error);
  return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("line %d ends too early"),
                        self->line);
}

bool
odl_statements_integer (const OdlStatements *self,
                        const OdlWord *word,
                        gint64 *number,
                        GError **error)
{
  char text[LONGEST], *end = NULL;
  const bool whole = terminate (word, text);

  *number = g_ascii_strtoll (text, &end, 10);
  return (whole && end != text && (*end == '\0' || *end == '/'))
         || refuse (self, text, error);
}
