// SPDX-License-Identifier: MIT
#include "filter/own/tokens.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

static const char *const types[]
    = { "void",  "bool",  "int",   "uint",  "float",  "vec2",  "vec3",  "vec4",
        "ivec2", "ivec3", "ivec4", "uvec2", "uvec3",  "uvec4", "bvec2", "bvec3",
        "bvec4", "mat2",  "mat3",  "mat4",  "SAMPLE", NULL };

// “for” and “while” are looked at apart.
static const char *const words[] = {
  // of the language
  "if", "else", "do", "return", "break", "continue", "switch", "case", "default", "const",
  "in", "out", "inout", "true", "false",
  // functions of numbers
  "radians", "degrees", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
  "tanh", "asinh", "acosh", "atanh", "pow", "exp", "log", "exp2", "log2", "sqrt",
  "inversesqrt", "abs", "sign", "floor", "trunc", "round", "roundEven", "ceil", "fract",
  "mod", "min", "max", "clamp", "mix", "step", "smoothstep", "isnan", "isinf", "length",
  "distance", "dot", "cross", "normalize", "lessThan", "lessThanEqual", "greaterThan",
  "greaterThanEqual", "equal", "notEqual", "any", "all", "not",
  // of the driver: columns and rows of the picture
  "size", NULL
};

// Given to the author by shaders/spatial/own.glsl.
static const char *const given[] = { "at", "other", NULL };

#define PUNCTUATION "+-*/%<>=!&|^~?:;,.(){}[]"

typedef enum {
  PLAIN, // ( … ), { … }
  LENGTH, // [ … ] of a declaration
  INDEX, // [ … ] of an array
  CONDITION, // while ( … )
  HEADER, // for ( … )
} Bracket;

typedef struct {
  Bracket kind;
  char close;
  int sections; // HEADER: semicolons so far
} Open;

typedef enum {
  END,
  NAME,
  NUMBER,
  MARK,
} Kind;

typedef struct {
  const OdlOwnSource *source;
  size_t at; // in the text
  int line;
  int n_tokens;
  GString *out;
  GError **error;
  // The word that is looked at.
  Kind kind;
  char *word;
  // What came before it.
  char *last; // "" at first
  bool last_is_type, last_is_declared;
  bool declares; // a name comes after a comma, too, at this depth
  guint declared_depth;
  const char *loop; // “for” or “while”, whose bracket comes next; else NULL
  GArray *open; // Open
  GHashTable *names; // that the author declared -> elements of the array, 0: it is none
  int n_elements;
  bool names_function; // “SAMPLE filtered”, whose body may come
  bool has_function, reads_other;
} Reader;

static bool fail (const Reader *r, const char *format, ...) G_GNUC_PRINTF (2, 3);

// "x.glsl, line 3: …"
static bool
fail (const Reader *r, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  // Translators: a file, the number of a line, and what is wrong there.
  return odl_error_set (r->error, ODL_ERROR_USAGE, _ ("%s, line %d: %s"), r->source->name,
                        r->line, what);
}

static char
peek (const Reader *r, size_t ahead)
{
  return r->at + ahead < r->source->length ? r->source->text[r->at + ahead] : '\0';
}

// Steps over a character of what is left out; lines stay lines.
static void
pass (Reader *r)
{
  if (peek (r, 0) == '\n') {
    g_string_append_c (r->out, '\n');
    r->line++;
  }
  r->at++;
}

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Blanks and comments, of which a blank is left.
static bool
skip (Reader *r)
{
  const size_t begin = r->at;

  for (;;) {
    if (is_blank (peek (r, 0))) {
      pass (r);
    } else if (peek (r, 0) == '/' && peek (r, 1) == '/') {
      while (r->at < r->source->length && peek (r, 0) != '\n')
        pass (r);
    } else if (peek (r, 0) == '/' && peek (r, 1) == '*') {
      const int line = r->line;
      for (r->at += 2; peek (r, 0) != '*' || peek (r, 1) != '/'; pass (r))
        if (r->at >= r->source->length) {
          r->line = line;
          return fail (r, _ ("this comment has no end; write */ behind it"));
        }
      r->at += 2;
    } else {
      break;
    }
  }
  if (r->at > begin)
    g_string_append_c (r->out, ' ');
  return true;
}

static bool
is_letter (char c)
{
  return g_ascii_isalpha (c) || c == '_';
}

static void
take_name (Reader *r)
{
  const size_t begin = r->at;

  while (is_letter (peek (r, 0)) || g_ascii_isdigit (peek (r, 0)))
    r->at++;
  r->kind = NAME;
  r->word = g_strndup (r->source->text + begin, r->at - begin);
}

static void
take_digits (Reader *r)
{
  while (g_ascii_isdigit (peek (r, 0)))
    r->at++;
}

// 12, 12u, 1.5, .5, 1e-3, 1.5f
static void
take_number (Reader *r)
{
  const size_t begin = r->at;

  take_digits (r);
  if (peek (r, 0) == '.') {
    r->at++;
    take_digits (r);
  }
  if (g_ascii_tolower (peek (r, 0)) == 'e') {
    r->at += peek (r, 1) == '-' || peek (r, 1) == '+' ? 2 : 1;
    take_digits (r);
  }
  if (strchr ("uUfF", peek (r, 0)) != NULL && peek (r, 0) != '\0')
    r->at++;
  r->kind = NUMBER;
  r->word = g_strndup (r->source->text + begin, r->at - begin);
}

static bool
take (Reader *r)
{
  const char c = peek (r, 0);

  g_clear_pointer (&r->word, g_free);
  if (++r->n_tokens > ODL_OWN_MOST_TOKENS)
    return fail (r, _ ("the code has more than %d words and signs"), ODL_OWN_MOST_TOKENS);
  if (r->at >= r->source->length) {
    r->kind = END;
    r->word = g_strdup ("");
  } else if (is_letter (c)) {
    take_name (r);
  } else if (g_ascii_isdigit (c) || (c == '.' && g_ascii_isdigit (peek (r, 1)))) {
    take_number (r);
  } else if (c != '\0' && strchr (PUNCTUATION, c) != NULL) {
    r->kind = MARK;
    r->word = g_strndup (&c, 1);
    r->at++;
  } else if (g_ascii_isprint (c)) {
    return fail (r,
                 _ ("“%c” is no sign of this language; code has none of the "
                    "preprocessor"),
                 c);
  } else {
    return fail (r, _ ("there is a character that only comments may have"));
  }
  return true;
}

// ---- names ---------------------------------------------------------------------------

static bool
is_type (const char *word)
{
  return g_strv_contains (types, word);
}

static bool
is_known (const Reader *r, const char *word)
{
  return is_type (word) || g_strv_contains (words, word) || g_strv_contains (given, word)
         || g_str_equal (word, "for") || g_str_equal (word, "while")
         || g_strv_contains (r->source->parameters, word);
}

// x, xyz, rgba, and the length of an array.
static bool
is_component (const char *word)
{
  return g_str_equal (word, "length")
         || (strlen (word) <= 4
             && (strspn (word, "xyzw") == strlen (word)
                 || strspn (word, "rgba") == strlen (word)));
}

static int
parameter_index (const Reader *r, const char *word)
{
  for (int i = 0; r->source->parameters[i] != NULL; i++)
    if (g_str_equal (r->source->parameters[i], word))
      return i;
  return -1;
}

// The elements that “[12]” behind a name declares; 0: it is no array; −1: an error.
static int
array_length (Reader *r)
{
  size_t at = r->at;
  guint64 n = 0;

  while (at < r->source->length && is_blank (r->source->text[at]))
    at++;
  if (at >= r->source->length || r->source->text[at] != '[')
    return 0;
  const char *text = r->source->text + at + 1;
  const char *close = memchr (text, ']', r->source->length - at - 1);
  g_autofree char *number
      = close != NULL ? g_strndup (text, (gsize) (close - text)) : NULL;

  if (number == NULL
      || !g_ascii_string_to_unsigned (g_strstrip (number), 10, 1, ODL_OWN_MOST_ARRAY, &n,
                                      NULL)) {
    fail (r, _ ("an array has a number of elements from 1 to %d, such as [9]"),
          ODL_OWN_MOST_ARRAY);
    return -1;
  }
  r->n_elements += (int) n;
  if (r->n_elements <= ODL_OWN_MOST_ELEMENTS)
    return (int) n;
  fail (r, _ ("the arrays have more than %d elements together"), ODL_OWN_MOST_ELEMENTS);
  return -1;
}

static bool
declare (Reader *r)
{
  const bool is_function = r->open->len == 0 && g_str_equal (r->last, "SAMPLE")
                           && g_str_equal (r->word, "filtered");
  gpointer before;

  if (is_known (r, r->word))
    return fail (r, _ ("“%s” has a meaning already; choose another name"), r->word);
  if (!g_ascii_isalpha (*r->word) || strstr (r->word, "__") != NULL)
    return fail (r, _ ("“%s”: names begin with a letter and have no “__”"), r->word);
  const int length = array_length (r);
  if (length < 0)
    return false;
  if (g_hash_table_lookup_extended (r->names, r->word, NULL, &before)
      && GPOINTER_TO_INT (before) != length)
    return fail (r,
                 _ ("“%s” is declared elsewhere with another length; choose another "
                    "name"),
                 r->word);
  g_hash_table_replace (r->names, g_strdup (r->word), GINT_TO_POINTER (length));
  r->names_function |= is_function;
  r->last_is_declared = true;
  return true;
}

static bool
put_name (Reader *r)
{
  const int parameter = parameter_index (r, r->word);

  if (g_str_equal (r->last, ".")) {
    if (!is_component (r->word))
      return fail (r, _ ("“%s” is no component; there are x, y, z and w"), r->word);
    g_string_append (r->out, r->word);
  } else if (r->last_is_type
             || (r->declares && g_str_equal (r->last, ",")
                 && r->open->len == r->declared_depth && !is_type (r->word)
                 && !g_str_equal (r->word, "const") && !g_str_equal (r->word, "in")
                 && !g_str_equal (r->word, "out") && !g_str_equal (r->word, "inout"))) {
    if (!declare (r))
      return false;
    r->declares = true;
    r->declared_depth = r->open->len;
    g_string_append_printf (r->out, ODL_OWN_PREFIX "%s", r->word);
  } else if (parameter >= 0) {
    g_string_append_printf (r->out, ODL_OWN_PARAMETER "%d", parameter);
  } else if (g_strv_contains (given, r->word)) {
    r->reads_other |= g_str_equal (r->word, "other");
    g_string_append_printf (r->out, ODL_OWN_GIVEN "%s", r->word);
  } else if (is_known (r, r->word)) {
    r->loop = g_str_equal (r->word, "for") || g_str_equal (r->word, "while")
                  ? g_intern_string (r->word)
                  : NULL;
    g_string_append (r->out, r->word);
  } else if (g_hash_table_contains (r->names, r->word)) {
    g_string_append_printf (r->out, ODL_OWN_PREFIX "%s", r->word);
  } else {
    return fail (r, _ ("“%s” is neither a word that code may have nor declared before"),
                 r->word);
  }
  return true;
}

// ---- brackets ------------------------------------------------------------------------

static Open *
innermost (const Reader *r)
{
  return r->open->len > 0 ? &g_array_index (r->open, Open, r->open->len - 1) : NULL;
}

static bool
push (Reader *r, Bracket kind, char close)
{
  const Open open = { .kind = kind, .close = close };

  g_array_append_val (r->open, open);
  return r->open->len <= ODL_OWN_MOST_DEPTH
         || fail (r, _ ("there are more than %d brackets within each other"),
                  ODL_OWN_MOST_DEPTH);
}

// Behind a name that is declared, how many elements it has; else which one is meant.
static bool
open_square (Reader *r)
{
  const int length = GPOINTER_TO_INT (g_hash_table_lookup (r->names, r->last));

  if (length == 0)
    return fail (r,
                 _ ("“[” stands behind “%s”, which is no array; components are .x, .y, "
                    ".z and .w"),
                 r->last);
  if (r->last_is_declared) {
    g_string_append_c (r->out, '[');
    return push (r, LENGTH, ']');
  }
  g_string_append_printf (r->out, "[" ODL_OWN_GIVEN "index (%d, ", length);
  return push (r, INDEX, ']');
}

static bool
open_round (Reader *r)
{
  const char *loop = r->loop;

  r->loop = NULL;
  g_string_append_c (r->out, '(');
  if (loop == NULL)
    return push (r, PLAIN, ')');
  if (g_str_equal (loop, "for"))
    return push (r, HEADER, ')');
  g_string_append (r->out, ODL_OWN_GIVEN "turn () && (");
  return push (r, CONDITION, ')');
}

static bool
close_bracket (Reader *r)
{
  const Open *open = innermost (r);

  if (open == NULL || open->close != *r->word)
    return fail (r, _ ("this “%s” closes nothing"), r->word);
  if (open->kind == HEADER && open->sections != 2)
    return fail (r, _ ("“for” has three parts with “;” between them"));
  if (open->kind == CONDITION && g_str_equal (r->last, "("))
    return fail (r, _ ("“while” needs a condition"));
  g_string_append (r->out, open->kind == INDEX || open->kind == CONDITION ? ")" : "");
  g_string_append (r->out, r->word);
  g_array_set_size (r->open, r->open->len - 1);
  return true;
}

// In the header of a loop: its condition counts the turn first.
static bool
put_semicolon (Reader *r)
{
  Open *open = innermost (r);

  r->declares = false;
  if (open == NULL || open->kind != HEADER) {
    if (open != NULL && open->close != '}')
      return fail (r, _ ("“;” stands within brackets"));
    r->names_function &= open != NULL;
    g_string_append_c (r->out, ';');
    return true;
  }
  if (++open->sections == 1)
    g_string_append (r->out, "; " ODL_OWN_GIVEN "turn () && (");
  else if (open->sections == 2)
    g_string_append (r->out, g_str_equal (r->last, ";") ? "true);" : ");");
  else
    return fail (r, _ ("“for” has three parts with “;” between them"));
  return true;
}

static bool
put_mark (Reader *r)
{
  switch (*r->word) {
  case '(':
    return open_round (r);
  case '[':
    return open_square (r);
  case '{':
    r->declares = false;
    r->has_function
        |= r->names_function && r->open->len == 0 && g_str_equal (r->last, ")");
    g_string_append_c (r->out, '{');
    return push (r, PLAIN, '}');
  case ')':
  case ']':
  case '}':
    r->declares = r->declares && r->open->len > r->declared_depth;
    return close_bracket (r);
  case ';':
    return put_semicolon (r);
  default:
    g_string_append (r->out, r->word);
    return true;
  }
}

static bool
put (Reader *r)
{
  const bool declared = r->last_is_declared;

  r->last_is_declared = declared && g_str_equal (r->word, "[");
  if (r->loop != NULL && !g_str_equal (r->word, "("))
    return fail (r, _ ("“%s” is followed by a bracket"), r->loop);
  if (r->kind == NAME)
    return put_name (r);
  if (r->kind == MARK)
    return put_mark (r);
  g_string_append (r->out, r->word);
  return true;
}

// The word becomes the one before.
static void
go_on (Reader *r)
{
  r->last_is_type = r->kind == NAME && is_type (r->word);
  g_free (r->last);
  r->last = g_steal_pointer (&r->word);
}

static bool
read_all (Reader *r)
{
  for (;; go_on (r)) {
    if (!skip (r) || !take (r))
      return false;
    if (r->kind == END)
      break;
    if (!put (r))
      return false;
  }
  if (r->open->len > 0)
    return fail (r, _ ("the file ends, but “%c” is missing"), innermost (r)->close);
  if (!r->has_function)
    return fail (r, _ ("there is no function “SAMPLE filtered (ivec2 p)”, which makes "
                       "the result"));
  return true;
}

char *
odl_own_rewrite (const OdlOwnSource *source, bool *reads_other, GError **error)
{
  Reader r = {
    .source = source,
    .line = 1,
    .out = g_string_new (NULL),
    .error = error,
    .last = g_strdup (""),
    .open = g_array_new (FALSE, TRUE, sizeof (Open)),
    .names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
  };
  const bool done = read_all (&r);

  *reads_other = r.reads_other;
  g_free (r.word);
  g_free (r.last);
  g_array_unref (r.open);
  g_hash_table_unref (r.names);
  return g_string_free (r.out, !done);
}
