// SPDX-License-Identifier: MIT
#include "cli/shard.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/process/options.h"
#include "source/source_file.h"

#define FIRST_LINE "ondelette shard 1\n"
#define MOST_BYTES ((size_t) 1 << 20)
// What stands in a line as it is; control characters and % do not.
#define PLAIN " !\"#$&'()*+,/:;<=>?@[\\]^`{|}"

// ---- words ---------------------------------------------------------------------------

static void
add_word (GStrvBuilder *words, const char *name, const char *value)
{
  g_autofree char *word = g_strconcat (name, "=", value, NULL);

  g_strv_builder_add (words, word);
}

// “-” is a file of this program's own by now.
static const char *
typed (const char *value)
{
  return odl_source_file_is_standard_input (value) ? "-" : value;
}

char **
odl_shard_words (const GOptionEntry *entries)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
    if (entry->arg == G_OPTION_ARG_NONE) {
      if (*(gboolean *) entry->arg_data)
        g_strv_builder_add (words, entry->long_name);
    } else if (entry->arg == G_OPTION_ARG_INT64) {
      const gint64 number = *(gint64 *) entry->arg_data;
      g_autofree char *text = g_strdup_printf ("%" PRId64, number);
      if (number != ODL_FRAME_UNSAID)
        add_word (words, entry->long_name, text);
    } else if (entry->arg == G_OPTION_ARG_DOUBLE) {
      const double number = *(double *) entry->arg_data;
      char text[G_ASCII_DTOSTR_BUF_SIZE];
      if (number != 0)
        add_word (words, entry->long_name, g_ascii_dtostr (text, sizeof text, number));
    } else if (entry->arg == G_OPTION_ARG_STRING_ARRAY
               || entry->arg == G_OPTION_ARG_FILENAME_ARRAY) {
      char **values = *(char ***) entry->arg_data;
      for (gsize i = 0; values != NULL && values[i] != NULL; i++)
        add_word (words, entry->long_name, typed (values[i]));
    } else if (*(char **) entry->arg_data != NULL) {
      add_word (words, entry->long_name, *(char **) entry->arg_data);
    }
  return g_strv_builder_end (words);
}

static void
append (char ***values, const char *value)
{
  const guint n = *values != NULL ? g_strv_length (*values) : 0;

  *values = g_renew (char *, *values, n + 2);
  (*values)[n] = g_strdup (value);
  (*values)[n + 1] = NULL;
}

static bool
take_word (const GOptionEntry *entry, const char *value)
{
  if ((entry->arg == G_OPTION_ARG_NONE) != (value == NULL))
    return false;
  switch (entry->arg) {
  case G_OPTION_ARG_NONE:
    *(gboolean *) entry->arg_data = !g_str_equal (entry->long_name, "trust-code");
    return true;
  case G_OPTION_ARG_INT64:
    return g_ascii_string_to_signed (value, 10, G_MININT64, G_MAXINT64,
                                     (gint64 *) entry->arg_data, NULL);
  case G_OPTION_ARG_DOUBLE: // no entry that is taken
    return false;
  case G_OPTION_ARG_STRING_ARRAY:
  case G_OPTION_ARG_FILENAME_ARRAY:
    append ((char ***) entry->arg_data, value);
    return true;
  default:
    g_free (*(char **) entry->arg_data);
    *(char **) entry->arg_data = g_strdup (value);
    return true;
  }
}

bool
odl_shard_take_words (char *const *words, const GOptionEntry *entries, GError **error)
{
  for (; *words != NULL; words++) {
    const size_t length = strcspn (*words, "=");
    const char *value = (*words)[length] != '\0' ? *words + length + 1 : NULL;
    const GOptionEntry *entry = entries;
    while (entry->long_name != NULL
           && (strlen (entry->long_name) != length
               || strncmp (entry->long_name, *words, length) != 0))
      entry++;
    if (entry->long_name == NULL || !take_word (entry, value))
      return odl_error_set (error, ODL_ERROR_CORRUPT,
                            _ ("The note of a shard asks for “%s”, which this program "
                               "does not know. Make the shards anew."),
                            *words);
  }
  return true;
}

// ---- the note ------------------------------------------------------------------------

static char *
name_of_note (const char *part)
{
  return g_strconcat (part, ODL_SHARD_ENDING, NULL);
}

static void
append_line (GString *text, const char *name, const char *value)
{
  g_autofree char *escaped = g_uri_escape_string (value, PLAIN, TRUE);

  g_string_append_printf (text, "%s %s\n", name, escaped);
}

static char *
text_of (const OdlShardNote *note)
{
  GString *text = g_string_new (FIRST_LINE);

  append_line (text, "verb", note->verb);
  g_string_append_printf (text,
                          "shard %" PRId64 "\nshards %" PRId64 "\npoints %" PRId64 "\n",
                          note->shard, note->shards, note->points);
  append_line (text, "frames", note->frames);
  for (char **word = note->words; *word != NULL; word++)
    append_line (text, "word", *word);
  return g_string_free (text, FALSE);
}

static bool
bad_note (const char *path, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);

  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("%s: this is no note of a shard. Call the command again that "
                           "made it; nothing is computed twice."),
                        shown);
}

// NULL: there is no such file, or it cannot be read or is too long.
static char *
read_text (const char *path)
{
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;

  if (fd < 0)
    return NULL;
  g_autofree char *text = g_malloc0 (MOST_BYTES + 1);
  size_t size = 0;
  ssize_t n = fstat (fd, &status) == 0 && S_ISREG (status.st_mode) ? 1 : -1;
  while (n > 0 && size < MOST_BYTES) {
    n = read (fd, text + size, MOST_BYTES - size);
    size += n > 0 ? (size_t) n : 0;
  }
  close (fd);
  return n < 0 || size == MOST_BYTES || strlen (text) != size ? NULL
                                                              : g_steal_pointer (&text);
}

bool
odl_shard_note_write (const OdlShardNote *note,
                      const char *part,
                      OdlOutputGuard *guard,
                      GError **error)
{
  g_autofree char *path = name_of_note (part), *text = text_of (note);
  g_autofree char *before = read_text (path);
  OdlOutput output;

  if (g_strcmp0 (before, text) == 0)
    return true;
  if (g_file_test (path, G_FILE_TEST_EXISTS)
      && (before == NULL || !g_str_has_prefix (before, FIRST_LINE))) {
    g_autofree char *shown = g_filename_display_name (path);
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s: the note of this shard goes there, and another file "
                             "has that name. Move it away."),
                          shown);
  }
  return odl_output_open (guard, path, &output, error)
         && odl_output_end (
             &output, odl_output_write (&output, text, strlen (text), error), error);
}

static bool
read_number (const char *value, gint64 *number)
{
  return *number == 0
         && g_ascii_string_to_signed (value, 10, 1, G_MAXINT64, number, NULL);
}

static bool
read_line (OdlShardNote *note, GStrvBuilder *words, const char *name, const char *value)
{
  if (g_str_equal (name, "shard"))
    return read_number (value, &note->shard);
  if (g_str_equal (name, "shards"))
    return read_number (value, &note->shards);
  if (g_str_equal (name, "points"))
    return read_number (value, &note->points);
  g_autofree char *text = g_uri_unescape_string (value, NULL);
  if (text == NULL)
    return false;
  if (g_str_equal (name, "word")) {
    g_strv_builder_add (words, text);
    return true;
  }
  char **to = g_str_equal (name, "verb")     ? &note->verb
              : g_str_equal (name, "frames") ? &note->frames
                                             : NULL;
  if (to == NULL || *to != NULL)
    return false;
  *to = g_steal_pointer (&text);
  return true;
}

static bool
read_lines (OdlShardNote *note, char *text)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  bool good = g_str_has_suffix (text, "\n");

  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
  for (char **line = lines; good && *line != NULL; line++) {
    char *blank = strchr (*line, ' ');
    good = blank != NULL;
    if (good) {
      *blank = '\0';
      good = read_line (note, words, *line, blank + 1);
    }
  }
  note->words = g_strv_builder_end (words);
  return good && note->verb != NULL && note->frames != NULL && note->shard >= 1
         && note->shard <= note->shards && note->points >= 1
         && strspn (note->frames, "0123456789-") == strlen (note->frames);
}

OdlShardNote *
odl_shard_note_read (const char *part, GError **error)
{
  g_autoptr (OdlShardNote) note = g_new0 (OdlShardNote, 1);
  g_autofree char *path = name_of_note (part), *text = read_text (path);

  if (text == NULL && !g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_autofree char *shown = g_filename_display_name (path);
    g_autofree char *missing = g_filename_display_name (part);
    if (!g_file_test (part, G_FILE_TEST_EXISTS))
      return odl_error_null (error, ODL_ERROR_IO, "%s: %s.", missing,
                             g_strerror (ENOENT));
    return odl_error_null (
        error, ODL_ERROR_IO,
        _ ("%s: this note is missing, which says what part of what it is. Copy it here, "
           "too, or call the command again that made the part; nothing is computed "
           "twice."),
        shown);
  }
  if (text == NULL || !g_str_has_prefix (text, FIRST_LINE)
      || !read_lines (note, text + strlen (FIRST_LINE))) {
    bad_note (path, error);
    return NULL;
  }
  return g_steal_pointer (&note);
}

void
odl_shard_note_free (OdlShardNote *note)
{
  g_free (note->verb);
  g_free (note->frames);
  g_strfreev (note->words);
  g_free (note);
}

bool
odl_shard_note_fits (const OdlShardNote *a, const OdlShardNote *b)
{
  return g_str_equal (a->verb, b->verb) && a->shards == b->shards
         && a->points == b->points && g_str_equal (a->frames, b->frames)
         && g_strv_equal ((const char *const *) a->words, (const char *const *) b->words);
}

// ---- what is missing -----------------------------------------------------------------

static void
append_quoted (GString *line, const char *word)
{
  static const char *const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_@%+=:,./-";
  g_autofree char *quoted = strspn (word, safe) == strlen (word) && *word != '\0'
                                ? g_strdup (word)
                                : g_shell_quote (word);

  g_string_append_printf (line, " %s", quoted);
}

// Either the inputs or everything else.
static void
append_words (GString *line, char *const *words, bool inputs)
{
  for (; *words != NULL; words++) {
    const size_t length = strcspn (*words, "=");
    if ((length == 0) != inputs)
      continue;
    if (!inputs)
      g_string_append_printf (line, " --%.*s", (int) length, *words);
    if ((*words)[length] != '\0')
      append_quoted (line, *words + length + 1);
  }
}

bool
odl_shard_claim (GHashTable *parts,
                 gint64 number,
                 const OdlShardNote *note,
                 char *part,
                 GError **error)
{
  const char *other = g_hash_table_lookup (parts, &number);

  if (other == NULL) {
    g_hash_table_insert (parts, g_memdup2 (&number, sizeof number), part);
    return true;
  }
  g_autofree char *first = g_filename_display_name (other);
  g_autofree char *second = g_filename_display_name (part);
  return odl_error_set (
      error, ODL_ERROR_USAGE,
      _ ("%s and %s are both shard %" PRId64 " of %" PRId64 ". Leave one of them out."),
      first, second, note->shard, note->shards);
}

char *
odl_shard_command (const OdlShardNote *note,
                   gint64 shard,
                   const char *option,
                   const char *path)
{
  GString *line = g_string_new ("ondelette-cli ");

  g_string_append (line, note->verb);
  append_words (line, note->words, true);
  append_words (line, note->words, false);
  g_string_append_printf (line, " %s", option);
  append_quoted (line, path);
  g_string_append_printf (line, " --shard %" PRId64 "/%" PRId64, shard, note->shards);
  return g_string_free (line, FALSE);
}

// Where the digits before `end` begin.
static const char *
digits_before (const char *start, const char *end)
{
  while (end > start && g_ascii_isdigit (end[-1]))
    end--;
  return end;
}

char *
odl_shard_path (const OdlShardNote *note, const char *part, gint64 shard)
{
  g_autofree char *folder = g_path_get_dirname (part);
  const char *name = strrchr (part, '/') != NULL ? strrchr (part, '/') + 1 : part;

  for (const char *end = name + strlen (name); end > name; end--) {
    const char *begin = digits_before (name, end);
    gint64 number = 0;
    g_autofree char *digits = g_strndup (begin, (gsize) (end - begin));
    if (begin == end || g_ascii_isdigit (*end)
        || !g_ascii_string_to_signed (digits, 10, 1, G_MAXINT64, &number, NULL)
        || number != note->shard)
      continue;
    const int width = *begin == '0' ? (int) (end - begin) : 1;
    return g_strdup_printf ("%.*s%0*" PRId64 "%s", (int) (begin - part), part, width,
                            shard, end);
  }
  g_autofree char *made
      = g_strdup_printf ("shard-%" PRId64 "-of-%" PRId64 ".csv", shard, note->shards);
  return g_str_equal (folder, ".") ? g_steal_pointer (&made)
                                   : g_build_filename (folder, made, NULL);
}
