// SPDX-License-Identifier: MIT
#include "decoder/nrrd/header.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vector.h"
#include "decoder/protocol.h"

// What the axes of an NRRD file are, and how pictures are laid out along them.

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

// Notes that a field is invalid.
static void
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

// Axes of which nothing is said are those of a picture or volume, unless the others, of
// which there are enough for a picture, have spacings; a single one is that of slices
// that were joined.
static void
guess_kinds (OdlNrrdHeader *header)
{
  int n = 0, n_spacings = 0;

  for (int i = 0; i < header->n_axes; i++) {
    n_spacings += isfinite (header->axes[i].spacing);
    n += header->axes[i].kind == ODL_NRRD_SPACE;
  }
  const bool has_spacing = n_spacings > 1;
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
is_complex (const OdlNrrdHeader *header, const OdlNrrdAxis *axis)
{
  return header->beams.content == ODL_BEAMS_COMPLEX && axis->size == 2
         && axis->kind == ODL_NRRD_COMPONENT;
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
    } else if (header->complex_axis < 0 && is_complex (header, axis)) {
      header->complex_axis = i;
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

// Reads what each axis is, and lays out the picture. Sizes are known.
static bool
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

// Where the samples of an NRRD file lie: by its space, or by its spacings.

#define MM_MAX 1e6
#define FAR_MM 1e9

// Axes of the world: signs that turn them to left, back and up; 0: of no patient.
static const struct {
  const char *names[2];
  int n; // numbers of a vector; the fourth is time
  int signs[3];
} spaces[] = {
  { { "right-anterior-superior", "RAS" }, 3, { -1, -1, 1 } },
  { { "left-anterior-superior", "LAS" }, 3, { 1, -1, 1 } },
  { { "left-posterior-superior", "LPS" }, 3, { 1, 1, 1 } },
  { { "right-anterior-superior-time", "RAST" }, 4, { -1, -1, 1 } },
  { { "left-anterior-superior-time", "LAST" }, 4, { 1, -1, 1 } },
  { { "left-posterior-superior-time", "LPST" }, 4, { 1, 1, 1 } },
  { { "scanner-xyz", "scanner-xyz" }, 3, { 0 } },
  { { "scanner-xyz-time", "scanner-xyz-time" }, 4, { 0 } },
  { { "3D-right-handed", "3D-right-handed" }, 3, { 0 } },
  { { "3D-left-handed", "3D-left-handed" }, 3, { 0 } },
  { { "3D-right-handed-time", "3D-right-handed-time" }, 4, { 0 } },
  { { "3D-left-handed-time", "3D-left-handed-time" }, 4, { 0 } },
};

static const struct {
  const char *name;
  double mm;
} units[] = {
  { "", 1 },
  { "mm", 1 },
  { "millimeter", 1 },
  { "millimeters", 1 },
  { "millimetre", 1 },
  { "millimetres", 1 },
  { "cm", 10 },
  { "centimeter", 10 },
  { "centimeters", 10 },
  { "m", 1000 },
  { "meter", 1000 },
  { "meters", 1000 },
  { "metre", 1000 },
  { "metres", 1000 },
  { "um", 1e-3 },
  { "µm", 1e-3 },
  { "μm", 1e-3 },
  { "micron", 1e-3 },
  { "microns", 1e-3 },
  { "micrometer", 1e-3 },
  { "micrometers", 1e-3 },
  { "nm", 1e-6 },
  { "in", 25.4 },
  { "inch", 25.4 },
  { "???", 1 },
};

// Millimetres of a unit; 0: it is no length.
static double
odl_nrrd_unit_mm (const char *unit)
{
  for (size_t i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (unit, units[i].name) == 0)
      return units[i].mm;
  return 0;
}

// The space, as far as it has a name or a dimension.
typedef struct {
  int n; // numbers of a vector; 0: there is no space
  int signs[3];
  double mm[3]; // of its units
} Space;

static void
read_units (OdlNrrdHeader *header, Space *space)
{
  g_autofree char *value = odl_nrrd_field (&header->lines, "space units");
  g_auto (GStrv) words = odl_nrrd_words (value != NULL ? value : "");

  for (int row = 0; row < 3; row++)
    space->mm[row] = 1;
  if (value == NULL)
    return;
  if (g_strv_length (words) != (guint) space->n) {
    odl_nrrd_header_ignore (header, "space units");
    return;
  }
  for (int row = 0; row < MIN (space->n, 3); row++) {
    space->mm[row] = odl_nrrd_unit_mm (words[row]);
    if (space->mm[row] == 0 && header->odd_unit[0] == '\0') {
      g_autofree char *valid = g_utf8_make_valid (words[row], -1);
      g_strlcpy (header->odd_unit, valid, sizeof header->odd_unit);
    }
  }
  for (int row = 0; row < 3 && header->odd_unit[0] != '\0'; row++)
    space->mm[row] = 1;
}

static Space
read_space (OdlNrrdHeader *header)
{
  g_autofree char *name = odl_nrrd_field (&header->lines, "space");
  g_autofree char *dimension = odl_nrrd_field (&header->lines, "space dimension");
  Space space = { 0 };

  for (size_t i = 0; name != NULL && i < G_N_ELEMENTS (spaces); i++)
    for (int n = 0; n < 2; n++)
      if (g_ascii_strcasecmp (name, spaces[i].names[n]) == 0) {
        space.n = spaces[i].n;
        memcpy (space.signs, spaces[i].signs, sizeof space.signs);
        g_strlcpy (header->space, spaces[i].names[0], sizeof header->space);
      }
  if (name != NULL && space.n == 0)
    odl_nrrd_header_ignore (header, "space");
  if (name == NULL && dimension != NULL) {
    const uint64_t n = g_ascii_strtoull (dimension, NULL, 10);
    space.n = n >= 1 && n <= 4 ? (int) n : 0;
    if (space.n == 0)
      odl_nrrd_header_ignore (header, "space dimension");
  }
  read_units (header, &space);
  return space;
}

static bool
read_origin (OdlNrrdHeader *header, const Space *space)
{
  g_autofree char *value = odl_nrrd_field (&header->lines, "space origin");
  const char *at = value;

  if (value == NULL || space->n == 0)
    return false;
  bool good = *at++ == '(';
  for (int row = 0; row < space->n && good; row++) {
    char *end = NULL;
    const double number = g_ascii_strtod (at, &end);
    good = end != at;
    at = end + strspn (end, " \t");
    good = good && *at == (row == space->n - 1 ? ')' : ',')
           && (row > 2 || fabs (number) < FAR_MM);
    at += good;
    if (row < 3 && good)
      header->origin[row] = number * space->mm[row];
  }
  if (good)
    return true;
  memset (header->origin, 0, sizeof header->origin);
  odl_nrrd_header_ignore (header, "space origin");
  return false;
}

static const OdlNrrdAxis *
axis_of (const OdlNrrdHeader *header, int i)
{
  const int axis = header->space_axes[i];

  return axis >= 0 ? &header->axes[axis] : NULL;
}

// Fills the columns of those axes that have directions; false: one of the picture's has
// none.
static bool
set_columns (const OdlNrrdHeader *header, const Space *space, double m[3][4])
{
  bool has_all = true;

  memset (m, 0, 12 * sizeof (double));
  for (int i = 0; i < 3; i++) {
    const OdlNrrdAxis *axis = axis_of (header, i);
    if (axis != NULL && axis->has_direction)
      for (int row = 0; row < MIN (space->n, 3); row++)
        m[row][i] = axis->direction[row] * space->mm[row];
    else
      has_all &= axis == NULL && i == 2;
  }
  return has_all;
}

// Of a picture that has two axes in a space of three: a step of 1 mm across it.
static void
complete (const OdlNrrdHeader *header, double m[3][4])
{
  double x[3], y[3], across[3];

  if (axis_of (header, 2) != NULL)
    return;
  for (int row = 0; row < 3; row++) {
    x[row] = m[row][0];
    y[row] = m[row][1];
  }
  odl_cross (x, y, across);
  const double size
      = sqrt (across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
  for (int row = 0; row < 3; row++)
    m[row][2] = size > 0 ? across[row] / size : 0;
}

static void
place_in_patient (OdlNrrdHeader *header, const Space *space)
{
  double m[3][4];

  if (!set_columns (header, space, m)) {
    odl_nrrd_header_ignore (header, "space directions");
    return;
  }
  complete (header, m);
  for (int row = 0; row < 3; row++) {
    m[row][3] = header->origin[row];
    for (int column = 0; column < 4; column++)
      m[row][column] = m[row][column] * space->signs[row] + 0.0;
  }
  if (!odl_place_is_sane (m)) {
    odl_nrrd_header_ignore (header, "space directions");
    return;
  }
  memcpy (header->place.lps, m, sizeof m);
  header->is_placed = true;
}

static void
set_spacing (OdlNrrdHeader *header, int i, double mm, const char *field)
{
  header->was_negative |= mm < 0;
  if (fabs (mm) > 1 / MM_MAX && fabs (mm) < MM_MAX)
    header->spacing_mm[i] = fabs (mm);
  else
    odl_nrrd_header_ignore (header, field);
}

// Where there are no directions.
static void
space_axis (OdlNrrdHeader *header, int i)
{
  const OdlNrrdAxis *axis = axis_of (header, i);
  const double steps = (double) axis->size - axis->is_node;
  const bool has_ends = isfinite (axis->least) && isfinite (axis->most) && steps > 0;
  const double mm = odl_nrrd_unit_mm (axis->unit);

  if (mm == 0 && header->odd_unit[0] == '\0')
    g_strlcpy (header->odd_unit, axis->unit, sizeof header->odd_unit);
  const double scale = mm > 0 ? mm : 1;
  if (isfinite (axis->spacing))
    set_spacing (header, i, axis->spacing * scale, "spacings");
  else if (has_ends)
    set_spacing (header, i, (axis->most - axis->least) / steps * scale, "axis mins");
  if (isfinite (axis->least) && header->spacing_mm[i] > 0) {
    const double step
        = isfinite (axis->spacing) ? axis->spacing : (axis->most - axis->least) / steps;
    header->origin[i] = (axis->least + (axis->is_node ? 0 : step / 2)) * scale;
    header->has_origin = true;
  }
}

static void
find_spacings (OdlNrrdHeader *header, const Space *space)
{
  double m[3][4];

  set_columns (header, space, m);
  for (int i = 0; i < 3; i++) {
    const OdlNrrdAxis *axis = axis_of (header, i);
    if (axis == NULL)
      continue;
    if (axis->has_direction)
      set_spacing (header, i, odl_place_step (m, i), "space directions");
    else
      space_axis (header, i);
  }
  // A scale of one axis alone is none.
  if (header->spacing_mm[0] == 0
      || (header->spacing_mm[1] == 0 && header->place.extent[1] > 1))
    memset (header->spacing_mm, 0, sizeof header->spacing_mm);
  if (header->spacing_mm[1] == 0)
    header->spacing_mm[1] = header->spacing_mm[0];
  const bool is_unit = header->spacing_mm[0] == 1 && header->spacing_mm[1] == 1;
  // PlusLib writes 1 regardless of the scale.
  if (header->odd_unit[0] == '\0' && !(is_unit && header->orientation[0] != '\0'))
    return;
  if (header->spacing_mm[1] > 0)
    header->aspect = header->spacing_mm[0] / header->spacing_mm[1];
  memset (header->spacing_mm, 0, sizeof header->spacing_mm);
}

// Fills place, is_placed, spacings and what belongs to them. The layout is known but for
// `place.lps`.
static void
odl_nrrd_place_read (OdlNrrdHeader *header)
{
  const Space space = read_space (header);
  g_autofree char *directions = odl_nrrd_field (&header->lines, "space directions");
  const bool is_patient = space.signs[0] != 0 && header->odd_unit[0] == '\0'
                          && header->beams.array == ODL_BEAMS_NONE;

  header->has_origin = read_origin (header, &space);
  find_spacings (header, &space);
  if (is_patient && directions != NULL)
    place_in_patient (header, &space);
  if (header->is_placed) {
    for (int i = 0; i < 3; i++)
      header->spacing_mm[i] = odl_place_step (header->place.lps, i);
    odl_place_turn (&header->place);
  } else if (!odl_place_turn_to_transducer (&header->place, header->orientation)
             && header->orientation[0] != '\0') {
    odl_nrrd_header_ignore (header, "ultrasound image orientation");
  }
}

// All spellings of the format's definition.
static const struct {
  const char *const names[7];
  OdlMetaType type;
} types[] = {
  { { "signed char", "int8", "int8_t" }, { "int8", ODL_META_S8, 1 } },
  { { "uchar", "unsigned char", "uint8", "uint8_t" }, { "uint8", ODL_META_U8, 1 } },
  { { "short", "short int", "signed short", "signed short int", "int16", "int16_t" },
    { "int16", ODL_META_S16, 2 } },
  { { "ushort", "unsigned short", "unsigned short int", "uint16", "uint16_t" },
    { "uint16", ODL_META_U16, 2 } },
  { { "int", "signed int", "int32", "int32_t" }, { "int32", ODL_META_S32, 4 } },
  { { "uint", "unsigned int", "uint32", "uint32_t" }, { "uint32", ODL_META_U32, 4 } },
  { { "longlong", "long long", "long long int", "signed long long",
      "signed long long int", "int64", "int64_t" },
    { "int64", ODL_META_S64, 8 } },
  { { "ulonglong", "unsigned long long", "unsigned long long int", "uint64", "uint64_t" },
    { "uint64", ODL_META_U64, 8 } },
  { { "float" }, { "float", ODL_META_F32, 4 } },
  { { "double" }, { "double", ODL_META_F64, 8 } },
};

static const struct {
  const char *name;
  OdlNrrdEncoding encoding;
} encodings[] = {
  { "raw", ODL_NRRD_RAW },    { "txt", ODL_NRRD_TEXT },  { "text", ODL_NRRD_TEXT },
  { "ascii", ODL_NRRD_TEXT }, { "hex", ODL_NRRD_HEX },   { "gz", ODL_NRRD_GZIP },
  { "gzip", ODL_NRRD_GZIP },  { "bz2", ODL_NRRD_BZIP2 }, { "bzip2", ODL_NRRD_BZIP2 },
};

static bool
find_type (OdlNrrdHeader *header, GError **error)
{
  g_autofree char *name = odl_nrrd_field (&header->lines, "type");

  if (name == NULL)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its header does not say how samples are stored (type)"));
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    for (size_t n = 0; n < G_N_ELEMENTS (types[i].names) && types[i].names[n] != NULL;
         n++)
      if (g_ascii_strcasecmp (name, types[i].names[n]) == 0)
        header->type = &types[i].type;
  return header->type != NULL
         || odl_error_set (
             error, ODL_ERROR_UNSUPPORTED,
             _ ("its samples are of the type “%.40s”, which is not supported"), name);
}

static bool
find_encoding (OdlNrrdHeader *header, GError **error)
{
  g_autofree char *name = odl_nrrd_field (&header->lines, "encoding");
  g_autofree char *endian = odl_nrrd_field (&header->lines, "endian");
  size_t i = 0;

  if (name == NULL)
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("its header does not say how samples are packed (encoding)"));
  while (i < G_N_ELEMENTS (encodings)
         && g_ascii_strcasecmp (name, encodings[i].name) != 0)
    i++;
  if (i == G_N_ELEMENTS (encodings))
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("its samples are packed in the way “%.40s”, which is not supported"), name);
  header->encoding = encodings[i].encoding;
  const bool has_order = header->type->size > 1 && header->encoding != ODL_NRRD_TEXT;
  const bool big = endian != NULL && g_ascii_strcasecmp (endian, "big") == 0;
  const bool little = endian != NULL && g_ascii_strcasecmp (endian, "little") == 0;
  if (has_order && !big && !little)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its header does not say in which order the bytes of a "
                             "sample are (endian)"));
  // Numbers of text are kept as this machine has them.
  header->big_endian = has_order ? big : G_BYTE_ORDER == G_BIG_ENDIAN;
  return true;
}

static bool
find_sizes (OdlNrrdHeader *header, GError **error)
{
  g_autofree char *dimension = odl_nrrd_field (&header->lines, "dimension");
  g_autofree char *sizes = odl_nrrd_field (&header->lines, "sizes");
  const uint64_t n_axes = dimension != NULL ? g_ascii_strtoull (dimension, NULL, 10) : 0;

  if (n_axes < 1 || n_axes > ODL_NRRD_MAX_AXES || sizes == NULL)
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("its header does not say how large the picture is (dimension, sizes)"));
  g_auto (GStrv) words = odl_nrrd_words (sizes);
  if (g_strv_length (words) != n_axes)
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("its header does not say how large the picture is (dimension, sizes)"));
  header->n_axes = (int) n_axes;
  header->n_samples = 1;
  for (int i = 0; i < header->n_axes; i++) {
    OdlNrrdAxis *axis = &header->axes[i];
    OdlNrrdText word = { words[i], strlen (words[i]) };
    if (!odl_nrrd_text_take_number (&word, &axis->size) || word.n > 0 || axis->size == 0)
      return odl_error_set (error, ODL_ERROR_CORRUPT,
                            _ ("its header declares a size that is no number above 0 "
                               "(“%.40s”)"),
                            words[i]);
    if (axis->size > (uint64_t) G_MAXINT64 / 8 / header->n_samples)
      return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                            _ ("its header declares a picture that is too large"));
    axis->stride = header->n_samples;
    header->n_samples *= axis->size;
  }
  return true;
}

static bool
find_skips (OdlNrrdHeader *header, GError **error)
{
  g_autofree char *line = odl_nrrd_field (&header->lines, "line skip");
  g_autofree char *byte = odl_nrrd_field (&header->lines, "byte skip");
  char *line_end = line, *byte_end = byte;
  const int64_t lines = line != NULL ? g_ascii_strtoll (line, &line_end, 10) : 0;

  header->byte_skip = byte != NULL ? g_ascii_strtoll (byte, &byte_end, 10) : 0;
  if (lines >= 0 && (line == NULL || (line_end != line && *line_end == '\0'))
      && (byte == NULL || (byte_end != byte && *byte_end == '\0'))
      && header->byte_skip > -((int64_t) 1 << 60)
      && header->byte_skip < (int64_t) 1 << 60) {
    header->line_skip = (uint64_t) lines;
    return true;
  }
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its header does not say where the samples begin (line skip, "
                           "byte skip)"));
}

// Programs of ultrasound: of the key that PlusLib and IGSIO write, or that of MetaImage.
static void
find_orientation (OdlNrrdHeader *header)
{
  static const char *const keys[]
      = { "ultrasound image orientation", "UltrasoundImageOrientation" };

  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    g_autofree char *value = odl_nrrd_key (&header->lines, keys[i]);
    if (value != NULL)
      g_strlcpy (header->orientation, value, sizeof header->orientation);
  }
}

// Beams lie in no space, and nobody has turned them.
static void
find_beams (OdlNrrdHeader *header)
{
  g_autofree char *value = odl_nrrd_key (&header->lines, ODL_BEAMS_KEY);

  if (value == NULL)
    return;
  if (!odl_beams_from_key (value, &header->beams))
    odl_nrrd_header_ignore (header, ODL_BEAMS_KEY);
  else
    header->orientation[0] = '\0';
}

bool
odl_nrrd_header_read (OdlNrrdHeader *header,
                      const uint8_t *data,
                      size_t size,
                      GError **error)
{
  *header = (OdlNrrdHeader){ .channel_axis = -1, .sequence = -1, .complex_axis = -1 };
  if (!odl_nrrd_lines_read (&header->lines, data, size, error)
      || !find_type (header, error) || !find_encoding (header, error)
      || !find_sizes (header, error) || !find_skips (header, error))
    return false;
  find_orientation (header);
  find_beams (header);
  if (!odl_nrrd_axes_read (header, error))
    return false;
  odl_nrrd_place_read (header);
  return true;
}

void
odl_nrrd_header_clear (OdlNrrdHeader *header)
{
  odl_nrrd_lines_clear (&header->lines);
}
