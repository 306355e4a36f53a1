// SPDX-License-Identifier: MIT
#include "base/help.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define FOLDER "/org/ondelette/"
#define ENDING ".txt"
#define INDENT 4

// ---- reading -------------------------------------------------------------------------

static void
free_block (void *data)
{
  OdlHelpBlock *block = data;

  g_free (block->term);
  g_free (block->text);
  g_free (block);
}

static OdlHelpKind
kind_of (const char *line)
{
  if (g_str_has_prefix (line, "# "))
    return ODL_HELP_HEADING;
  if (g_str_has_prefix (line, "- "))
    return ODL_HELP_TERM;
  if (g_str_has_prefix (line, "    "))
    return ODL_HELP_CODE;
  return ODL_HELP_PARAGRAPH;
}

// Where the text of a term begins after its colon.
static OdlHelpBlock *
split_term (const char *line)
{
  OdlHelpBlock *block = g_new0 (OdlHelpBlock, 1);
  const char *colon = strstr (line, ": ");

  block->kind = ODL_HELP_TERM;
  block->term
      = colon != NULL ? g_strndup (line, (gsize) (colon - line)) : g_strdup (line);
  block->text = g_strdup (colon != NULL ? colon + 2 : "");
  return block;
}

// The lines `first` … `end` − 1, of which there is one at least.
static OdlHelpBlock *
make_block (char **lines, int first, int end)
{
  const OdlHelpKind kind = kind_of (lines[first]);
  GString *text = g_string_new (NULL);

  for (int i = first; i < end; i++) {
    const char *line = lines[i];
    if (kind == ODL_HELP_CODE)
      line += g_str_has_prefix (line, "    ") ? 4 : 0;
    else
      line = g_strchug (lines[i] + (i == first && kind != ODL_HELP_PARAGRAPH ? 2 : 0));
    if (i > first)
      g_string_append_c (text, kind == ODL_HELP_CODE ? '\n' : ' ');
    g_string_append (text, line);
  }
  g_autofree char *joined = g_string_free (text, FALSE);
  if (kind == ODL_HELP_TERM)
    return split_term (joined);
  OdlHelpBlock *block = g_new0 (OdlHelpBlock, 1);
  block->kind = kind;
  block->text = g_steal_pointer (&joined);
  return block;
}

GPtrArray *
odl_help_parse (const char *text, size_t length)
{
  g_return_val_if_fail (text != NULL, NULL);

  GPtrArray *blocks = g_ptr_array_new_with_free_func (free_block);
  g_autofree char *valid = g_utf8_make_valid (text, MIN (length, ODL_HELP_MOST_BYTES));
  g_auto (GStrv) lines = g_strsplit (valid, "\n", -1);

  for (int first = 0, i = 0; lines[i] != NULL; i++) {
    g_strchomp (lines[i]);
    if (*lines[i] == '\0')
      first = i + 1;
    else if (lines[i + 1] == NULL || *g_strchomp (lines[i + 1]) == '\0')
      g_ptr_array_add (blocks, make_block (lines, first, i + 1));
  }
  return blocks;
}

GPtrArray *
odl_help_load (const char *shelf, const char *name)
{
  g_return_val_if_fail (shelf != NULL && name != NULL, NULL);

  if (strchr (name, '/') != NULL)
    return NULL;
  g_autofree char *path = g_strconcat (FOLDER, shelf, "/", name, ENDING, NULL);
  g_autoptr (GBytes) file
      = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  if (file == NULL)
    return NULL;
  gsize length;
  const char *text = g_bytes_get_data (file, &length);
  return odl_help_parse (text, length);
}

static int
order_names (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char **
odl_help_names (const char *shelf)
{
  g_return_val_if_fail (shelf != NULL, NULL);

  g_autofree char *folder = g_strconcat (FOLDER, shelf, NULL);
  char **names
      = g_resources_enumerate_children (folder, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  if (names == NULL)
    return g_new0 (char *, 1);
  for (int i = 0; names[i] != NULL; i++)
    if (g_str_has_suffix (names[i], ENDING))
      names[i][strlen (names[i]) - strlen (ENDING)] = '\0';
  qsort (names, g_strv_length (names), sizeof *names, order_names);
  return names;
}

// ---- showing -------------------------------------------------------------------------

// gettext has its catalogue's header for the empty message.
static const char *
translated (const char *text)
{
  return text == NULL || *text == '\0' ? "" : _ (text);
}

// Whether all letters stand between back quotes.
static bool
is_only_typed (const char *term)
{
  bool typed = false;

  for (; *term != '\0'; term = g_utf8_next_char (term)) {
    const gunichar letter = g_utf8_get_char (term);
    if (letter == '`')
      typed = !typed;
    else if (!typed && g_unichar_isalpha (letter))
      return false;
  }
  return true;
}

const char *
odl_help_block_term (const OdlHelpBlock *block)
{
  const char *term = block->term != NULL ? block->term : "";

  return is_only_typed (term) ? term : translated (term);
}

const char *
odl_help_block_text (const OdlHelpBlock *block)
{
  return block->kind == ODL_HELP_CODE ? block->text : translated (block->text);
}

char *
odl_help_title (const GPtrArray *blocks, const char *name)
{
  for (guint i = 0; i < blocks->len; i++) {
    const OdlHelpBlock *block = blocks->pdata[i];
    if (block->kind == ODL_HELP_HEADING)
      return odl_help_plain (odl_help_block_text (block));
  }
  return g_strdup (name);
}

char *
odl_help_plain (const char *text)
{
  GString *plain = g_string_new (NULL);

  for (; *text != '\0'; text++)
    if (*text != '`')
      g_string_append_c (plain, *text);
  return g_string_free (plain, FALSE);
}

// A line of words, each on the line of the one before if it has room there.
static void
append_words (GString *lines, const char *text, int indent, int width)
{
  g_autofree char *plain = odl_help_plain (text);
  g_auto (GStrv) words = g_strsplit (plain, " ", -1);
  glong used = 0;

  for (int i = 0; words[i] != NULL; i++) {
    const glong length = g_utf8_strlen (words[i], -1);
    if (used > 0 && used + 1 + length > width) {
      g_string_append_c (lines, '\n');
      used = 0;
    }
    g_string_append_printf (lines, "%*s%s", used == 0 ? indent : 1, "", words[i]);
    used += (used == 0 ? indent : 1) + length;
  }
  g_string_append_c (lines, '\n');
}

static void
append_code (GString *lines, const char *text, int indent)
{
  g_auto (GStrv) rows = g_strsplit (text, "\n", -1);

  for (int i = 0; rows[i] != NULL; i++)
    g_string_append_printf (lines, "%*s%s\n", indent, "", rows[i]);
}

// Headings stand close to what is below them, and terms to each other.
static bool
stands_apart (const OdlHelpBlock *block, const OdlHelpBlock *before)
{
  return block->kind == ODL_HELP_HEADING
         || (before->kind != ODL_HELP_HEADING
             && (before->kind != ODL_HELP_TERM || block->kind != ODL_HELP_TERM));
}

char *
odl_help_to_lines (const GPtrArray *blocks, int width)
{
  static const int indents[] = {
    [ODL_HELP_HEADING] = 0,
    [ODL_HELP_PARAGRAPH] = INDENT,
    [ODL_HELP_TERM] = 2 * INDENT,
    [ODL_HELP_CODE] = 2 * INDENT,
  };

  g_return_val_if_fail (blocks != NULL, NULL);

  GString *lines = g_string_new (NULL);
  for (guint i = 0; i < blocks->len; i++) {
    const OdlHelpBlock *block = blocks->pdata[i];
    const char *text = odl_help_block_text (block);
    if (i > 0 && stands_apart (block, blocks->pdata[i - 1]))
      g_string_append_c (lines, '\n');
    if (block->kind == ODL_HELP_TERM)
      append_words (lines, odl_help_block_term (block), INDENT, width);
    if (block->kind == ODL_HELP_CODE)
      append_code (lines, text, indents[block->kind]);
    else if (*text != '\0')
      append_words (lines, text, indents[block->kind], width);
  }
  return g_string_free (lines, FALSE);
}
