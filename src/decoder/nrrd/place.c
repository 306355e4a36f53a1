// SPDX-License-Identifier: MIT
// Where the samples of an NRRD file lie: by its space, or by its spacings.
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "decoder/nrrd/header.h"

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

double
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

void
odl_nrrd_place_read (OdlNrrdHeader *header)
{
  const Space space = read_space (header);
  g_autofree char *directions = odl_nrrd_field (&header->lines, "space directions");
  const bool is_patient = space.signs[0] != 0 && header->odd_unit[0] == '\0';

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
