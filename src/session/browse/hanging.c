// SPDX-License-Identifier: MIT
#include "session/browse/hanging.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "filter/library.h"
#include "source/source_file.h"

#define RESOURCES "/org/ondelette/hanging"
#define ENDING ".txt"
#define MOST_BYTES (1 << 16)
#define MOST_SERIES 1000
#define FARTHEST 1e9

typedef enum { SHOWN, OTHER, NTH, PRIOR, LOCALIZER } Which;

typedef struct {
  Which which;
  int nth; // from 0
  bool has_window;
  double centre, width;
  char *recipe; // text; NULL: none
} Pane;

struct _OdlHanging {
  char *name;
  char **modalities; // NULL: any
  char **words; // folded; NULL: any
  char *image_type; // a word of it; NULL: any
  int most_pictures; // 0: any number
  bool hangs_last;
  int n_series;
  const char *layout; // a row of layouts[]; NULL: not said yet
  char **links;
  int n_panes;
  Pane panes[ODL_WORKSPACE_MOST_PANES];
};

static const char *const layouts[] = { "1x1", "1x2", "2x1", "2x2" };
static const char *const link_words[] = { "view", "slices", "window", "time" };

// Names in resources/hanging, for translators.
static const char *const built_in_names[] G_GNUC_UNUSED = {
  N_ ("Beside the prior study"),
  N_ ("Soft tissue and lung"),
  N_ ("Brain and bone"),
  N_ ("Four series"),
  N_ ("Beside the localizer"),
  N_ ("Two series"),
  N_ ("One picture"),
};

void
odl_hanging_free (OdlHanging *self)
{
  for (int i = 0; i < self->n_panes; i++)
    g_free (self->panes[i].recipe);
  g_free (self->name);
  g_free (self->image_type);
  g_strfreev (self->modalities);
  g_strfreev (self->words);
  g_strfreev (self->links);
  g_free (self);
}

const char *
odl_hanging_name (const OdlHanging *self)
{
  return _ (self->name);
}

// ---- lines ---------------------------------------------------------------------------

static bool
read_number (const char *text, double least, double most, double *number)
{
  char *end = NULL;

  *number = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && *number >= least && *number <= most;
}

static bool
read_count (const char *text, int *count)
{
  double number = 0;

  if (!read_number (text, 1, MOST_SERIES, &number) || number != floor (number))
    return false;
  *count = (int) number;
  return true;
}

// Words of a text with nothing about them. Transfer full.
static char **
split (const char *text, const char *between, bool fold)
{
  g_auto (GStrv) parts = g_strsplit (text, between, -1);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (size_t i = 0; parts[i]; i++) {
    g_autofree char *word = fold ? g_utf8_casefold (g_strstrip (parts[i]), -1)
                                 : g_strdup (g_strstrip (parts[i]));
    if (*word)
      g_strv_builder_add (words, word);
  }
  return g_strv_builder_end (words);
}

static bool
read_which (char **words, Pane *pane)
{
  const guint n = g_strv_length (words);

  if (n == 1 && g_str_equal (words[0], "shown"))
    pane->which = SHOWN;
  else if (n == 1 && g_str_equal (words[0], "other"))
    pane->which = OTHER;
  else if (n == 1 && g_str_equal (words[0], "prior"))
    pane->which = PRIOR;
  else if (n == 1 && g_str_equal (words[0], "localizer"))
    pane->which = LOCALIZER;
  else if (n == 2 && g_str_equal (words[0], "series")
           && read_count (words[1], &pane->nth)) {
    pane->which = NTH;
    pane->nth--;
  } else
    return false;
  return true;
}

static bool
read_look (char **words, Pane *pane)
{
  const guint n = g_strv_length (words);
  OdlRecipe recipe;

  if (n == 3 && g_str_equal (words[0], "window")) {
    pane->has_window = true;
    return read_number (words[1], -FARTHEST, FARTHEST, &pane->centre)
           && read_number (words[2], 1e-9, FARTHEST, &pane->width);
  }
  if (n < 2 || !g_str_equal (words[0], "filters"))
    return false;
  g_autofree char *name = g_strjoinv (" ", words + 1);
  odl_recipe_init (&recipe);
  if (!odl_library_load (&recipe, name, NULL))
    return false;
  g_free (pane->recipe);
  pane->recipe = odl_recipe_to_text (&recipe, " ");
  return true;
}

static bool
read_pane (OdlHanging *self, const char *text)
{
  g_auto (GStrv) parts = split (text, ";", false);

  if (self->n_panes == ODL_WORKSPACE_MOST_PANES || !parts[0])
    return false;
  Pane *pane = &self->panes[self->n_panes++];
  for (size_t i = 0; parts[i]; i++) {
    g_auto (GStrv) words = split (parts[i], " ", false);
    if (!(i == 0 ? read_which (words, pane) : read_look (words, pane)))
      return false;
  }
  return true;
}

static bool
read_links (OdlHanging *self, const char *text)
{
  g_auto (GStrv) words = split (text, " ", false);
  g_autoptr (GStrvBuilder) actions = g_strv_builder_new ();

  for (size_t i = 0; words[i]; i++) {
    bool known = false;
    for (size_t k = 0; k < G_N_ELEMENTS (link_words); k++)
      known = known || g_str_equal (words[i], link_words[k]);
    if (!known)
      return false;
    g_autofree char *action = g_strconcat ("link-", words[i], NULL);
    g_strv_builder_add (actions, action);
  }
  g_strfreev (self->links);
  self->links = g_strv_builder_end (actions);
  return true;
}

static bool
read_layout (OdlHanging *self, const char *text)
{
  for (size_t i = 0; i < G_N_ELEMENTS (layouts); i++)
    if (g_str_equal (text, layouts[i]))
      self->layout = layouts[i];
  return self->layout && g_str_equal (text, self->layout);
}

static bool
read_name (OdlHanging *self, const char *text)
{
  g_free (self->name);
  self->name = g_strdup (text);
  return *text;
}

static bool
read_modality (OdlHanging *self, const char *text)
{
  g_strfreev (self->modalities);
  self->modalities = split (text, ",", false);
  return self->modalities[0];
}

static bool
read_words (OdlHanging *self, const char *text)
{
  g_strfreev (self->words);
  self->words = split (text, ",", true);
  return self->words[0];
}

static bool
read_series (OdlHanging *self, const char *text)
{
  return read_count (text, &self->n_series);
}

static bool
read_image_type (OdlHanging *self, const char *text)
{
  g_free (self->image_type);
  self->image_type = g_strdup (text);
  return *text;
}

static bool
read_most_pictures (OdlHanging *self, const char *text)
{
  return read_count (text, &self->most_pictures);
}

static bool
read_hang (OdlHanging *self, const char *text)
{
  self->hangs_last = g_str_equal (text, "last");
  return self->hangs_last;
}

static const struct {
  const char *word;
  bool (*read) (OdlHanging *self, const char *text);
} lines[] = {
  { "name", read_name },
  { "modality", read_modality },
  { "words", read_words },
  { "series", read_series },
  { "layout", read_layout },
  { "links", read_links },
  { "pane", read_pane },
  { "image type", read_image_type },
  { "most pictures", read_most_pictures },
  { "hang", read_hang },
};

static bool
read_line (OdlHanging *self, char *line)
{
  char *colon = strchr (line, ':');

  if (!colon)
    return false;
  *colon = '\0';
  for (size_t i = 0; i < G_N_ELEMENTS (lines); i++)
    if (g_str_equal (g_strstrip (line), lines[i].word))
      return lines[i].read (self, g_strstrip (colon + 1));
  return false;
}

OdlHanging *
odl_hanging_parse (const char *text, const char *shown, GError **error)
{
  g_autoptr (OdlHanging) self = g_new0 (OdlHanging, 1);

  if (!g_utf8_validate (text, -1, NULL))
    return odl_error_null (error, ODL_ERROR_CORRUPT, _ ("%s is no text."), shown);
  g_auto (GStrv) all = g_strsplit (text, "\n", -1);
  for (guint i = 0; all[i]; i++) {
    g_autofree char *line = g_strdup (g_strstrip (all[i]));
    if (*line && *line != '#' && !read_line (self, line))
      return odl_error_null (error, ODL_ERROR_CORRUPT,
                             _ ("%s, line %u: “%s” is no line of a hanging rule."), shown,
                             i + 1, all[i]);
  }
  const char *lacks = !self->name          ? "name"
                      : self->hangs_last   ? NULL
                      : !self->layout      ? "layout"
                      : self->n_panes == 0 ? "pane"
                                           : NULL;
  if (lacks)
    return odl_error_null (error, ODL_ERROR_CORRUPT,
                           _ ("%s: the hanging rule has no line “%s:”."), shown, lacks);
  return g_steal_pointer (&self);
}

// ---- files ---------------------------------------------------------------------------

static void
add (GPtrArray *rules, GPtrArray *faults, const char *text, const char *shown)
{
  g_autoptr (GError) error = NULL;
  OdlHanging *one = odl_hanging_parse (text, shown, &error);

  if (one)
    g_ptr_array_add (rules, one);
  else
    g_ptr_array_add (faults, g_strdup (error->message));
}

static int
by_name (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
add_of_user (GPtrArray *rules, GPtrArray *faults)
{
  g_autofree char *folder
      = g_build_filename (g_get_user_data_dir (), "ondelette", "hanging", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ENDING))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, by_name);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
    g_autofree char *shown = odl_source_file_display_path (path);
    g_autofree char *text = NULL;
    g_autoptr (GError) error = NULL;
    GStatBuf status;
    if (g_stat (path, &status) == 0 && status.st_size <= MOST_BYTES
        && S_ISREG (status.st_mode) && g_file_get_contents (path, &text, NULL, &error))
      add (rules, faults, text, shown);
    else
      g_ptr_array_add (
          faults, g_strdup_printf (_ ("%s cannot be read as a hanging rule."), shown));
  }
}

GPtrArray *
odl_hangings_read (GPtrArray **faults)
{
  GPtrArray *rules = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_hanging_free);

  *faults = g_ptr_array_new_with_free_func (g_free);
  add_of_user (rules, *faults);
  g_auto (GStrv) names
      = g_resources_enumerate_children (RESOURCES, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  for (size_t i = 0; names && names[i]; i++)
    for (size_t k = i + 1; names[k]; k++)
      if (strcmp (names[i], names[k]) > 0) {
        char *first = names[k];
        names[k] = names[i];
        names[i] = first;
      }
  for (size_t i = 0; names && names[i]; i++) {
    g_autofree char *path = g_strconcat (RESOURCES "/", names[i], NULL);
    g_autoptr (GBytes) bytes
        = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    g_autofree char *text
        = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
    add (rules, *faults, text, names[i]);
  }
  return rules;
}

// ---- a study -------------------------------------------------------------------------

static bool
is_same_study (const OdlSeries *a, const OdlSeries *b)
{
  return g_str_equal (a->study_uid, b->study_uid) && g_str_equal (a->person, b->person);
}

static bool
has_modality (const OdlSeries *series, const char *modality)
{
  return g_ascii_strcasecmp (series->modality, modality) == 0;
}

static bool
is_of_modality (const OdlHanging *self, const OdlSeries *series)
{
  for (size_t i = 0; self->modalities && self->modalities[i]; i++)
    if (has_modality (series, self->modalities[i]))
      return true;
  return !self->modalities;
}

static bool
has_words (const OdlHanging *self, const OdlSeries *series)
{
  g_autofree char *all
      = self->hangs_last
            ? g_strdup (series->series)
            : g_strjoin ("\n", series->study, series->series, series->body_part, NULL);
  g_autofree char *folded = g_utf8_casefold (all, -1);

  for (size_t i = 0; self->words && self->words[i]; i++)
    if (strstr (folded, self->words[i]))
      return true;
  return !self->words;
}

static bool
is_of_type (const OdlSeries *series, const char *word)
{
  g_auto (GStrv) words = g_strsplit (series->image_type, "\\", -1);

  return g_strv_contains ((const char *const *) words, word);
}

static bool
suits (const OdlHanging *self, const OdlSeries *series)
{
  return is_of_modality (self, series) && has_words (self, series)
         && (!self->image_type || is_of_type (series, self->image_type))
         && (self->most_pictures == 0
             || MAX (series->n_pictures, series->n_frames) <= self->most_pictures);
}

void
odl_hanging_judge (GPtrArray *list)
{
  g_autoptr (GPtrArray) faults = NULL;
  g_autoptr (GPtrArray) rules = odl_hangings_read (&faults);

  for (guint i = 0; i < list->len; i++) {
    OdlSeries *one = list->pdata[i];
    one->hangs_last = false;
    for (guint k = 0; k < rules->len && one->kind == ODL_SERIES_PICTURES; k++) {
      const OdlHanging *rule = rules->pdata[k];
      one->hangs_last = one->hangs_last || (rule->hangs_last && suits (rule, one));
    }
  }
}

// Of the study and the modality of the series that is shown, without those that hang
// last, unless one of these is shown. NULL: there are fewer.
static const OdlSeries *
nth_of (const GPtrArray *list, const OdlSeries *shown, int nth)
{
  for (guint i = 0; i < list->len; i++) {
    const OdlSeries *one = list->pdata[i];
    if (one->kind == ODL_SERIES_PICTURES && is_same_study (one, shown)
        && has_modality (one, shown->modality) && (!one->hangs_last || shown->hangs_last)
        && nth-- == 0)
      return one;
  }
  return NULL;
}

// A picture of the study that hangs last, in the frame of reference of what is shown.
static const OdlSeries *
localizer_of (const GPtrArray *list, const OdlSeries *shown)
{
  for (guint i = 0; i < list->len && *shown->space && !shown->hangs_last; i++) {
    const OdlSeries *one = list->pdata[i];
    if (one->kind == ODL_SERIES_PICTURES && one->hangs_last && is_same_study (one, shown)
        && has_modality (one, shown->modality) && g_str_equal (one->space, shown->space))
      return one;
  }
  return NULL;
}

static const OdlSeries *
other_than (const GPtrArray *list, const OdlSeries *shown)
{
  int at = 0;

  while (nth_of (list, shown, at) && nth_of (list, shown, at) != shown)
    at++;
  const OdlSeries *after = nth_of (list, shown, at + 1);
  return after                              ? after
         : nth_of (list, shown, 0) != shown ? nth_of (list, shown, 0)
                                            : NULL;
}

// Whether `one` suits better beside `shown` than `best` does: later, then by its name.
static bool
is_better_prior (const OdlSeries *shown, const OdlSeries *one, const OdlSeries *best)
{
  const int date = best ? strcmp (one->study_date, best->study_date) : 1;
  const bool alike = g_str_equal (one->series, shown->series);

  return date > 0 || (date == 0 && alike && !g_str_equal (best->series, shown->series));
}

static const OdlSeries *
prior_of (const GPtrArray *list, const OdlSeries *shown)
{
  const OdlSeries *best = NULL;

  if (!*shown->person || !*shown->study_date)
    return NULL;
  for (guint i = 0; i < list->len; i++) {
    const OdlSeries *one = list->pdata[i];
    if (one->kind == ODL_SERIES_PICTURES && g_str_equal (one->person, shown->person)
        && !is_same_study (one, shown) && has_modality (one, shown->modality)
        && (!one->hangs_last || shown->hangs_last) && *one->study_date
        && strcmp (one->study_date, shown->study_date) < 0
        && is_better_prior (shown, one, best))
      best = one;
  }
  return best;
}

static const OdlSeries *
series_of (const Pane *pane, const GPtrArray *list, const OdlSeries *shown)
{
  switch (pane->which) {
  case SHOWN:
    return shown;
  case OTHER:
    return other_than (list, shown);
  case NTH:
    return nth_of (list, shown, pane->nth);
  case PRIOR:
    return prior_of (list, shown);
  case LOCALIZER:
    return localizer_of (list, shown);
  }
  return NULL;
}

OdlWorkspace *
odl_hanging_lay (const OdlHanging *self, const GPtrArray *list, guint index)
{
  const OdlSeries *shown = list->pdata[index];
  g_autoptr (OdlWorkspace) workspace = odl_workspace_new ();

  if (self->hangs_last || !suits (self, shown)
      || (self->n_series > 0 && !nth_of (list, shown, self->n_series - 1)))
    return NULL;
  workspace->layout = g_strdup (self->layout);
  workspace->links = g_strdupv (self->links);
  workspace->n_panes = self->n_panes;
  for (int i = 0; i < self->n_panes; i++) {
    const Pane *pane = &self->panes[i];
    const OdlSeries *one = series_of (pane, list, shown);
    if (!one)
      return NULL;
    workspace->panes[i] = (OdlWorkspacePane){
      .location = g_strdup (one->location),
      .position = -1,
      .recipe = g_strdup (pane->recipe),
      .view = { .fit = true },
      .mode = pane->has_window ? ODL_WINDOW_CUSTOM : ODL_WINDOW_FILE,
      .centre = pane->centre,
      .width = pane->width,
      .planes = false, // a stack, whatever the pane showed before
    };
  }
  return g_steal_pointer (&workspace);
}
