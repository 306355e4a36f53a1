// SPDX-License-Identifier: MIT
#include "widgets/names.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "widgets/diagnostics.h"

// A shorter one is no person's, and would be found in words.
#define LEAST_CHARS 3

#define NAMES "odl-names" // of a session
#define ARRAY "array:" // ODL_ARRAY_PREFIX, before what is no path

struct _OdlNames {
  GObject parent_instance;
  GPtrArray *known; // char *, the longest first
  bool hidden;
};

G_DEFINE_FINAL_TYPE (OdlNames, odl_names, G_TYPE_OBJECT)

static int
compare (const void *a, const void *b)
{
  const size_t first = strlen (*(char *const *) a), second = strlen (*(char *const *) b);
  return (first < second) - (first > second);
}

static void
learn_text (OdlNames *self, const char *text)
{
  if (!text || g_utf8_strlen (text, -1) < LEAST_CHARS
      || g_ptr_array_find_with_equal_func (self->known, text, g_str_equal, NULL))
    return;
  g_ptr_array_add (self->known, g_strdup (text));
  g_ptr_array_sort (self->known, compare);
}

size_t
odl_names_before_path (const char *location)
{
  static const char *const prefixes[]
      = { "volume:", "layer:", "pages:", "series:", "sequence:" };
  const char *path = location;
  for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++) {
    if (!g_str_has_prefix (path, prefixes[i]))
      continue;
    path += strlen (prefixes[i]);
    const bool has_name
        = g_str_equal (prefixes[i], "layer:") || g_str_equal (prefixes[i], "pages:");
    const char *name = has_name ? strchr (path, ':') : NULL;
    path = name ? name + 1 : path;
  }
  return (size_t) (path - location);
}

// What a program of the user's calls its array; NULL: the location is none.
static const char *
array_in (const char *location)
{
  return location && g_str_has_prefix (location, ARRAY) ? location + strlen (ARRAY)
                                                        : NULL;
}

// The path in a location, also of a stack, of numbered pictures, of these as a volume, or
// of a layer, or an array's name; NULL: it has none.
static const char *
name_in (const char *location)
{
  const char *path = location + odl_names_before_path (location);
  const bool is_path
      = path != location || strchr (path, '/') || g_file_test (path, G_FILE_TEST_EXISTS);
  return is_path ? path : array_in (location);
}

// In all forms in which a message may have it.
static void
learn_path (OdlNames *self, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  const char *const names[] = { path, base, strchr (path, '/') ? folder : base };
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *shown = g_filename_display_name (names[i]);
    g_autofree char *line = odl_text_in_one_line (shown);
    g_autofree char *uri = g_uri_escape_string (shown, "/", TRUE);
    learn_text (self, shown);
    learn_text (self, line);
    learn_text (self, uri);
  }
}

static void
learn_location (OdlNames *self, const char *location)
{
  if (array_in (location)) {
    learn_text (self, array_in (location));
    return;
  }
  const char *path = location ? name_in (location) : NULL;
  const size_t inner = path && !g_file_test (path, G_FILE_TEST_EXISTS)
                           ? odl_text_before_inner (path)
                           : 0;
  g_autofree char *file = inner > 0 ? g_strndup (path, inner) : g_strdup (path);
  if (file)
    learn_path (self, file);
}

// ---- what is shown -------------------------------------------------------------------

static char *
stand_in (void)
{
  return g_strdup (_ ("Name hidden"));
}

char *
odl_names_of_file (OdlNames *self, const char *path, const char *name)
{
  learn_path (self, path);
  if (self->hidden)
    return stand_in ();
  return name ? g_strdup (name) : g_filename_display_basename (path);
}

char *
odl_names_of_source (OdlSession *session)
{
  const OdlSourceInfo *info = odl_session_info (session);
  if (!info->name)
    return NULL;
  return odl_names_are_hidden (odl_names_of (session)) && name_in (info->location)
                 && !info->capture
             ? stand_in ()
             : g_strdup (info->name);
}

// The words that there are, with dots between them; NULL: no patient is among them, who
// comes first. Transfer full.
static char *
join_of_patient (const char *const *words, size_t n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (size_t i = 0; i < n; i++)
    if (words[i] && *words[i])
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", words[i]);
  return words[0] && *words[0] ? g_strdup (text->str) : NULL;
}

static char *
number_of_series (OdlSession *session)
{
  const char *number = odl_session_detail (session, "series-number");
  return number && *number ? g_strdup_printf (_ ("Series %s"), number) : NULL;
}

char *
odl_names_of_examination (OdlSession *session)
{
  if (odl_names_are_hidden (odl_names_of (session)))
    return NULL;
  g_autofree char *series = number_of_series (session);
  const char *words[] = { odl_session_detail (session, "patient-name"),
                          odl_session_detail (session, "modality"), series,
                          odl_session_detail (session, "series") };
  return join_of_patient (words, G_N_ELEMENTS (words));
}

char *
odl_names_of_series (OdlSession *session)
{
  if (odl_names_are_hidden (odl_names_of (session)))
    return NULL;
  g_autofree char *series = number_of_series (session);
  g_autofree char *date
      = odl_diagnostics_date (odl_session_detail (session, "study-date"));
  const char *words[] = { odl_session_detail (session, "patient-name"),
                          date,
                          odl_session_detail (session, "study"),
                          odl_session_detail (session, "modality"),
                          series,
                          odl_session_detail (session, "series") };
  return join_of_patient (words, G_N_ELEMENTS (words));
}

char *
odl_names_of_location (OdlNames *self, const char *location)
{
  learn_location (self, location);
  if (self->hidden && name_in (location))
    return stand_in ();
  return g_filename_display_basename (location);
}

const char *
odl_names_word (const OdlNames *self)
{
  // Translators: within a sentence, in the place of a file's name.
  return self->hidden ? _ ("(name hidden)") : NULL;
}

GFile *
odl_names_folder_of (const OdlNames *self, const char *location)
{
  if (self->hidden)
    return g_file_new_for_path (g_get_home_dir ());
  if (!location || !g_path_is_absolute (location))
    return NULL;
  g_autofree char *folder = g_path_get_dirname (location);
  return g_file_new_for_path (folder);
}

// A name within a longer word is none.
static bool
is_word (const char *text, const char *at, size_t length)
{
  const bool begins
      = at == text || !g_unichar_isalnum (g_utf8_get_char (g_utf8_prev_char (at)));
  return begins && !g_unichar_isalnum (g_utf8_get_char (at + length));
}

static char *
without (const char *text, const char *name, const char *other)
{
  GString *result = g_string_new (NULL);
  const size_t length = strlen (name);
  const char *from = text;
  for (const char *at = text; (at = strstr (at, name));) {
    if (!is_word (text, at, length)) {
      at = g_utf8_next_char (at);
      continue;
    }
    g_string_append_len (result, from, at - from);
    g_string_append (result, other);
    from = at += length;
  }
  g_string_append (result, from);
  return g_string_free (result, FALSE);
}

char *
odl_names_in_text (OdlNames *self, const char *text)
{
  char *shown = g_utf8_make_valid (text, -1);
  for (guint i = 0; self->hidden && i < self->known->len; i++) {
    char *before = shown;
    shown = without (before, self->known->pdata[i], odl_names_word (self));
    g_free (before);
  }
  return shown;
}

// ---- what is hidden ------------------------------------------------------------------

void
odl_names_set_hidden (OdlNames *self, bool hidden)
{
  if (self->hidden == hidden)
    return;
  self->hidden = hidden;
  g_signal_emit_by_name (self, "changed");
}

bool
odl_names_are_hidden (const OdlNames *self)
{
  return self->hidden;
}

static void
opening_cb (OdlNames *self, GParamSpec *spec, OdlSession *session)
{
  learn_location (self, odl_session_opening (session));
}

static void
opened_cb (OdlNames *self, OdlSession *session)
{
  static const char *const details[] = { "patient-name", "patient-id" };
  const OdlSourceInfo *info = odl_session_info (session);
  learn_location (self, info->location);
  if (name_in (info->location) && !info->capture)
    learn_text (self, info->name);
  for (size_t i = 0; i < G_N_ELEMENTS (details); i++)
    learn_text (self, odl_session_detail (session, details[i]));
}

static void
open_failed_cb (OdlNames *self, const char *location)
{
  learn_location (self, location);
}

static void
odl_names_finalize (GObject *object)
{
  g_ptr_array_unref (ODL_NAMES (object)->known);
  G_OBJECT_CLASS (odl_names_parent_class)->finalize (object);
}

static void
odl_names_class_init (OdlNamesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = odl_names_finalize;
  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 0);
}

static void
odl_names_init (OdlNames *self)
{
  self->known = g_ptr_array_new_with_free_func (g_free);
}

void
odl_names_share (OdlNames *self, OdlSession *session)
{
  g_object_set_data_full (G_OBJECT (session), NAMES, g_object_ref (self), g_object_unref);
  g_signal_connect_object (session, "notify::opening", G_CALLBACK (opening_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "opened", G_CALLBACK (opened_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "open-failed", G_CALLBACK (open_failed_cb), self,
                           G_CONNECT_SWAPPED);
}

OdlNames *
odl_names_of (OdlSession *session)
{
  OdlNames *self = g_object_get_data (G_OBJECT (session), NAMES);
  if (self)
    return self;
  g_autoptr (OdlNames) made = g_object_new (ODL_TYPE_NAMES, NULL);
  odl_names_share (made, session);
  return made; // the session owns it
}
