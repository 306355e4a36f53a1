// SPDX-License-Identifier: MIT
#include "widgets/expression.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define MOST_BYTES 200
#define MOST_DEPTH 20

typedef struct {
  const char *at;
  OdlNumberReader reads;
  int depth;
  bool good;
} Reader;

static double read_sum (Reader *r);

static void
skip_blanks (Reader *r)
{
  while (g_ascii_isspace (*r->at))
    r->at++;
}

// Whether that sign stands here, which is then read.
static bool
takes (Reader *r, char sign)
{
  skip_blanks (r);
  if (*r->at != sign)
    return false;
  r->at++;
  return true;
}

// The exponent belongs to the number; so "1e-3" is no difference.
static double
read_number (Reader *r)
{
  static const char signs[] = "+-*/^() \t";
  const char *from = r->at;
  double value = 0;
  r->at += strcspn (r->at, signs);
  if (r->at > from && (r->at[-1] == 'e' || r->at[-1] == 'E')
      && (*r->at == '-' || *r->at == '+')) {
    r->at++;
    r->at += strcspn (r->at, signs);
  }
  g_autofree char *word = g_strndup (from, (gsize) (r->at - from));
  r->good = r->good && r->reads (word, &value);
  return value;
}

static double
read_atom (Reader *r)
{
  if (!takes (r, '('))
    return read_number (r);
  const double value = read_sum (r);
  r->good = r->good && takes (r, ')');
  return value;
}

// Powers go from right to left, before the sign on their left.
static double
read_power (Reader *r)
{
  double value = 0;
  if (++r->depth > MOST_DEPTH)
    r->good = false;
  if (!r->good)
    return 0;
  if (takes (r, '-'))
    value = -read_power (r);
  else if (takes (r, '+'))
    value = read_power (r);
  else {
    value = read_atom (r);
    if (r->good && takes (r, '^'))
      value = pow (value, read_power (r));
  }
  r->depth--;
  return value;
}

static double
read_product (Reader *r)
{
  double value = read_power (r);
  while (r->good)
    if (takes (r, '*'))
      value *= read_power (r);
    else if (takes (r, '/'))
      value /= read_power (r);
    else
      break;
  return value;
}

static double
read_sum (Reader *r)
{
  double value = read_product (r);
  while (r->good)
    if (takes (r, '+'))
      value += read_product (r);
    else if (takes (r, '-'))
      value -= read_product (r);
    else
      break;
  return value;
}

bool
odl_expression_read (const char *text, OdlNumberReader reads, double *value)
{
  if (strlen (text) > MOST_BYTES)
    return false;
  g_autoptr (GString) plain = g_string_new (text);
  g_string_replace (plain, "\u2212", "-", 0);
  g_string_replace (plain, "\u00d7", "*", 0);
  g_string_replace (plain, "\u00b7", "*", 0);
  g_string_replace (plain, "\u00f7", "/", 0);
  Reader reader = { .at = plain->str, .reads = reads, .good = true };
  const double read = read_sum (&reader);
  skip_blanks (&reader);
  if (!reader.good || *reader.at || isnan (read))
    return false;
  *value = read;
  return true;
}
