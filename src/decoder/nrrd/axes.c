// SPDX-License-Identifier: MIT
// What the axes of an NRRD file are, and how pictures are laid out along them.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "decoder/nrrd/header.h"
#include "decoder/protocol.h"

#define SPACE_NUMBERS 4

static const struct {
  const char *name;
  OdlNrrdKind kind;
} kinds[] = {
  { "domain", ODL_NRRD_SPACE },      { "space", ODL_NRRD_SPACE },
  { "list", ODL_NRRD_LIST },         { "point", ODL_NRRD_COMPONENT },
  { "time", ODL_NRRD_TIME },         { "RGB-color", ODL_NRRD_COLOUR },
  { "RGBA-color", ODL_NRRD_COLOUR }, { "3-color", ODL_NRRD_COLOUR },
  { "4-color", ODL_NRRD_COLOUR },    { "vector", ODL_NRRD_VECTOR },
  { "3-vector", ODL_NRRD_VECTOR },   { "4-vector", ODL_NRRD_VECTOR },
  { "???", ODL_NRRD_UNKNOWN },       { "none", ODL_NRRD_UNKNOWN },
  { "", ODL_NRRD_UNKNOWN },
};

void
odl_nrrd_header_ignore (OdlNrrdHeader *header, const char *field)
{
  for (int i = 0; i < header->n_ignored; i++)
    if (g_str_equal (header->ignored[i], field))
      return;
  if (header->n_ignored < (int) G_N_ELEMENTS (header->ignored))
    header->ignored[header->n_ignored++] = field;
}

static const char *
end_of_word (const char *at)
{
  const char close = *at == '"' ? '"' : *at == '(' ? ')' : '\0';

  if (close == '\0')
    return at + strcspn (at, " \t");
  for (at++; *at != '\0' && *at != close; at++)
    if (*at == '\\' && at[1] != '\0')
      at++;
  return *at == '\0' ? at : at + 1;
}

GStrv
odl_nrrd_words (const char *value)
{
  GPtrArray *words = g_ptr_array_new ();

  for (const char *at = value; *at != '\0';) {
    const char *end = end_of_word (at);
    if (end == at) {
      at++;
      continue;
    }
    const bool quoted = *at == '"' && end > at + 1;
    g_ptr_array_add (words, g_strndup (at + quoted, (gsize) (end - at) - 2 * quoted));
    at = end;
  }
  g_ptr_array_add (words, NULL);
  return (GStrv) g_ptr_array_free (words, FALSE);
}

// The words of a field that has one for each axis; NULL: it has not. Transfer full.
static GStrv
axis_words (OdlNrrdHeader *header, const char *field)
{
  g_autofree char *value = odl_nrrd_field (&header->lines, field);

  if (value == NULL)
    return NULL;
  g_auto (GStrv) words = odl_nrrd_words (value);
  if (g_strv_length (words) == (guint) header->n_axes)
    return g_steal_pointer (&words);
  odl_nrrd_header_ignore (header, field);
  return NULL;
}

static void
read_texts (OdlNrrdHeader *header, const char *field, size_t offset, size_t size)
{
  g_auto (GStrv) words = axis_words (header, field);

  for (int i = 0; words != NULL && i < header->n_axes; i++) {
    g_autofree char *valid = g_utf8_make_valid (words[i], -1);
    g_strlcpy ((char *) &header->axes[i] + offset, valid, size);
  }
}

static void
read_numbers (OdlNrrdHeader *header, const char *field, size_t offset)
{
  g_auto (GStrv) words = axis_words (header, field);

  for (int i = 0; i < header->n_axes; i++) {
    double *number = (double *) (void *) ((char *) &header->axes[i] + offset);
    char *end = NULL;
    *number = NAN;
    if (words == NULL)
      continue;
    *number = g_ascii_strtod (words[i], &end);
    if (end != words[i] && *end == '\0' && (isfinite (*number) || isnan (*number)))
      continue;
    *number = NAN;
    odl_nrrd_header_ignore (header, field);
  }
}

static void
read_kinds (OdlNrrdHeader *header)
{
  g_auto (GStrv) words = axis_words (header, "kinds");

  for (int i = 0; words != NULL && i < header->n_axes; i++) {
    header->axes[i].kind = ODL_NRRD_COMPONENT;
    for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++)
      if (g_ascii_strcasecmp (words[i], kinds[k].name) == 0)
        header->axes[i].kind = kinds[k].kind;
  }
}

static void
read_centres (OdlNrrdHeader *header)
{
  g_autofree char *older = odl_nrrd_field (&header->lines, "centers");
  g_auto (GStrv) words = axis_words (header, older != NULL ? "centers" : "centerings");

  for (int i = 0; words != NULL && i < header->n_axes; i++)
    header->axes[i].is_node = g_ascii_strcasecmp (words[i], "node") == 0;
}

// "(1,0,0)": returns the number of numbers, 0 where there is something else.
static int
read_vector (const char *word, double *vector)
{
  int n = 0;

  if (*word++ != '(')
    return 0;
  for (;; word++) {
    char *end = NULL;
    if (n == SPACE_NUMBERS)
      return 0;
    vector[n] = g_ascii_strtod (word, &end);
    if (end == word || !isfinite (vector[n]))
      return 0;
    n++;
    word = end + strspn (end, " \t");
    if (*word == ')')
      return n;
    if (*word != ',')
      return 0;
  }
}

static void
read_directions (OdlNrrdHeader *header)
{
  g_auto (GStrv) words = axis_words (header, "space directions");

  for (int i = 0; words != NULL && i < header->n_axes; i++) {
    OdlNrrdAxis *axis = &header->axes[i];
    const double *to = axis->direction;
    axis->has_direction = read_vector (words[i], axis->direction) > 0;
    if (!axis->has_direction && g_ascii_strcasecmp (words[i], "none") != 0)
      odl_nrrd_header_ignore (header, "space directions");
    if (axis->kind == ODL_NRRD_UNKNOWN)
      axis->kind = !axis->has_direction ? ODL_NRRD_LIST
                   : to[0] == 0 && to[1] == 0 && to[2] == 0 && to[3] != 0
                       ? ODL_NRRD_TIME
                       : ODL_NRRD_SPACE;
  }
}

// Axes of which nothing is said are those of a picture or volume, unless only the others
// have spacings.
static void
guess_kinds (OdlNrrdHeader *header)
{
  bool has_spacing = false;
  int n = 0;

  for (int i = 0; i < header->n_axes; i++) {
    has_spacing |= isfinite (header->axes[i].spacing);
    n += header->axes[i].kind == ODL_NRRD_SPACE;
  }
  for (int i = 0; i < header->n_axes; i++) {
    OdlNrrdAxis *axis = &header->axes[i];
    if (axis->kind != ODL_NRRD_UNKNOWN)
      continue;
    const bool along = n < 3 && (!has_spacing || isfinite (axis->spacing));
    axis->kind = along ? ODL_NRRD_SPACE : ODL_NRRD_LIST;
    n += along;
  }
}

static bool
is_colour (const OdlNrrdHeader *header, const OdlNrrdAxis *axis)
{
  return (axis->size == 3 || axis->size == 4)
         && (axis->kind == ODL_NRRD_COLOUR
             || (axis->kind == ODL_NRRD_VECTOR && header->type->sample == ODL_META_U8));
}

static bool
is_sequence (const OdlNrrdAxis *axis)
{
  return axis->kind == ODL_NRRD_LIST || axis->kind == ODL_NRRD_TIME;
}

static bool
add_loop (OdlNrrdHeader *header, int axis, uint64_t *n_items, GError **error)
{
  const uint64_t size = header->axes[axis].size;

  if (size > ODL_DECODER_MAX_FRAMES / *n_items)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("its header declares more frames than can be shown"));
  *n_items *= size;
  header->loops[header->n_loops++] = axis;
  return true;
}

// Those of one index are last, so that a volume of them is a picture.
static bool
lay_out_space (OdlNrrdHeader *header, const int *spaces, int n, GError **error)
{
  int used = 0;

  for (int thin = 0; thin < 2; thin++)
    for (int i = 0; i < n; i++)
      if ((header->axes[spaces[i]].size == 1) == (thin == 1))
        header->space_axes[used++] = spaces[i];
  for (int i = 0; i < 3; i++) {
    const OdlNrrdAxis *axis = i < n ? &header->axes[header->space_axes[i]] : NULL;
    if (axis == NULL)
      header->space_axes[i] = -1;
    if (axis != NULL && axis->size > G_MAXINT32)
      return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                            _ ("its header declares a picture that is too large"));
    header->place.extent[i] = axis != NULL ? (uint32_t) axis->size : 1;
    header->stride[i] = axis != NULL ? axis->stride : 0;
  }
  return true;
}

static bool
lay_out (OdlNrrdHeader *header, GError **error)
{
  int spaces[3], n_spaces = 0;
  uint64_t n_items = 1;
  bool is_loop[ODL_NRRD_MAX_AXES] = { false };

  header->channels = 1;
  for (int i = 0; i < header->n_axes; i++) {
    const OdlNrrdAxis *axis = &header->axes[i];
    if (axis->kind == ODL_NRRD_SPACE && n_spaces < 3) {
      spaces[n_spaces++] = i;
    } else if (header->channel_axis < 0 && is_colour (header, axis)) {
      header->channel_axis = i;
      header->channels = (uint32_t) axis->size;
    } else {
      is_loop[i] = true;
      header->shows_components |= !is_sequence (axis) && axis->size > 1;
    }
  }
  if (n_spaces == 0)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its header names no axis along which pixels lie (kinds, "
                             "space directions)"));
  for (int in_time = 0; in_time < 2; in_time++)
    for (int i = 0; i < header->n_axes; i++) {
      if (!is_loop[i] || is_sequence (&header->axes[i]) != (in_time == 1))
        continue;
      if (!add_loop (header, i, &n_items, error))
        return false;
      if (in_time == 1 && (header->sequence < 0 || header->axes[i].size > 1))
        header->sequence = i;
    }
  header->n_items = (uint32_t) n_items;
  // The times of one axis are those of all pictures only where there is no other one.
  if (header->sequence >= 0 && header->axes[header->sequence].size != n_items)
    header->sequence = -1;
  if (!lay_out_space (header, spaces, n_spaces, error))
    return false;
  if (header->place.extent[2] > ODL_DECODER_MAX_FRAMES / n_items)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("its header declares more frames than can be shown"));
  return true;
}

bool
odl_nrrd_axes_read (OdlNrrdHeader *header, GError **error)
{
  read_kinds (header);
  read_directions (header);
  read_numbers (header, "spacings", offsetof (OdlNrrdAxis, spacing));
  read_numbers (header, "axis mins", offsetof (OdlNrrdAxis, least));
  read_numbers (header, "axis maxs", offsetof (OdlNrrdAxis, most));
  read_texts (header, "units", offsetof (OdlNrrdAxis, unit), sizeof header->axes[0].unit);
  read_texts (header, "labels", offsetof (OdlNrrdAxis, label),
              sizeof header->axes[0].label);
  read_centres (header);
  guess_kinds (header);
  return lay_out (header, error);
}
