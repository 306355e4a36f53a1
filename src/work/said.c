// SPDX-License-Identifier: MIT
#include "work/said.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "image/annotation/table.h"
#include "output/output.h"

// ---- codes ---------------------------------------------------------------------------

typedef struct {
  const char *name; // here
  OdlSaidCode code; // in DICOM (PS3.16, annex D; SNOMED CT; UCUM)
} Row;

// Where nobody has a code.
#define OURS "99ONDELETTE"

static const Row names[] = {
  { "length", { "410668003", "SCT", "Length" } },
  { "angle", { "1483009", "SCT", "Angle" } },
  { "area", { "42798000", "SCT", "Area" } },
  { "perimeter", { "131191004", "SCT", "Perimeter" } },
  { "mean", { "373098007", "SCT", "Mean" } },
  { "sigma", { "386136009", "SCT", "Standard Deviation" } },
  { "min", { "255605001", "SCT", "Minimum" } },
  { "max", { "56851009", "SCT", "Maximum" } },
  { "n", { "n", OURS, "Number of values" } },
  { "depth", { "131197000", "SCT", "Depth" } },
  { "time", { "110858", "DCM", "Time" } },
  { "velocity", { "velocity", OURS, "Velocity" } },
  { "frequency", { "frequency", OURS, "Frequency" } },
};

static const Row units[] = {
  { "mm", { "mm", "UCUM", "millimeter" } },
  { "mm²", { "mm2", "UCUM", "square millimeter" } },
  { "°", { "deg", "UCUM", "Degree" } },
  { "HU", { "[hnsf'U]", "UCUM", "Hounsfield Unit" } },
  { "px", { "{pixels}", "UCUM", "pixels" } },
  { "px²", { "{square_pixels}", "UCUM", "square pixels" } },
  { "s", { "s", "UCUM", "second" } },
  { "Hz", { "Hz", "UCUM", "Hertz" } },
  { "cm/s", { "cm/s", "UCUM", "centimeter/second" } },
  { "Gy", { "Gy", "UCUM", "Gray" } },
  { "BQML", { "Bq/ml", "UCUM", "Becquerels/milliliter" } },
  { "luma", { "{luma}", "UCUM", "luma" } },
  { "", { "1", "UCUM", "no units" } },
};

static const OdlSaidCode *
find (const Row *rows, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp (rows[i].name, name) == 0)
      return &rows[i].code;
  return NULL;
}

// What a file calls its unit, as an annotation of UCUM, which is a unit without
// dimension.
static OdlSaidCode
unit_of_file (const char *unit, OdlSaidRoom *room)
{
  const size_t most = sizeof room->value - 3;
  size_t n = 0;

  room->value[n++] = '{';
  for (const char *c = unit; *c != '\0' && n <= most; c++)
    room->value[n++] = g_ascii_isgraph (*c) && *c != '{' && *c != '}' ? *c : '_';
  room->value[n++] = '}';
  room->value[n] = '\0';
  g_autofree char *meaning = g_str_to_ascii (unit, "C");
  g_strlcpy (room->meaning, meaning, sizeof room->meaning);
  return (OdlSaidCode){ room->value, "UCUM", room->meaning };
}

bool
odl_said_codes (const OdlMeasurement *measure,
                OdlSaidCode *name,
                OdlSaidCode *unit,
                OdlSaidRoom *room)
{
  const OdlSaidCode *known = find (names, G_N_ELEMENTS (names), measure->name);
  const OdlSaidCode *known_unit = find (units, G_N_ELEMENTS (units), measure->unit);

  *name = known ? *known : (OdlSaidCode){ measure->name, OURS, measure->name };
  *unit = known_unit ? *known_unit : unit_of_file (measure->unit, room);
  return known && known_unit;
}

// ---- annotations ---------------------------------------------------------------------

// The ends of the longer axis, then those of the other one.
static void
ends_of_axes (const OdlAnnotation *annotation, OdlPoint ends[4])
{
  const OdlPoint a = annotation->points[0], b = annotation->points[1];
  const OdlPoint centre = { (a.x + b.x) / 2, (a.y + b.y) / 2 };
  const int across = fabs (b.x - a.x) >= fabs (b.y - a.y) ? 0 : 2;

  ends[across] = (OdlPoint){ fmin (a.x, b.x), centre.y };
  ends[across + 1] = (OdlPoint){ fmax (a.x, b.x), centre.y };
  ends[2 - across] = (OdlPoint){ centre.x, fmin (a.y, b.y) };
  ends[3 - across] = (OdlPoint){ centre.x, fmax (a.y, b.y) };
}

static bool
add_mark (OdlSaid *said, const OdlAnnotation *annotation, const char *name)
{
  OdlPoint points[ODL_ANNOTATION_MAX_OUTLINE];
  int n = 4;

  if (annotation->kind == &odl_annotation_ellipse) {
    ends_of_axes (annotation, points);
    return odl_said_add_mark (said, ODL_SAID_ELLIPSE, name, points, n);
  }
  n = odl_annotation_outline (annotation, points);
  return odl_said_add_mark (
      said, annotation->kind->outline ? ODL_SAID_REGION : ODL_SAID_LINE, name, points, n);
}

// "length 1", or, where millimetres do not hold in the body, "length 1, at the detector".
static char *
name_of (const OdlAnnotation *annotation, const OdlSubject *subject, guint number)
{
  const OdlScale scale = odl_annotation_scale (annotation, &subject->scale);
  const char *place = annotation->kind->scaled ? odl_scale_place_name (&scale) : NULL;

  return place && strcmp (place, "object") != 0
             ? g_strdup_printf ("%s %u, at the %s", annotation->kind->name, number, place)
             : g_strdup_printf ("%s %u", annotation->kind->name, number);
}

static bool
add_annotation (OdlSaid *said,
                const OdlAnnotation *annotation,
                const OdlSubject *subject,
                guint number)
{
  OdlMeasurement measures[ODL_ANNOTATION_MAX_MEASURES];
  const int n = odl_annotation_measure (annotation, subject, measures);
  g_autofree char *name = name_of (annotation, subject, number);

  if (!add_mark (said, annotation, name))
    return false;
  for (int after = 0; after < 2; after++)
    for (int i = 0; i < n; i++) {
      OdlSaidCode code, unit;
      OdlSaidRoom room;
      odl_said_codes (&measures[i], &code, &unit, &room);
      odl_said_add_value (said, &code, &unit,
                          after ? measures[i].after : measures[i].value, after);
    }
  return true;
}

// ---- files ---------------------------------------------------------------------------

// Without names of files, which may be those of persons.
static char *
recipe_of (const OdlSaidParams *params)
{
  const OdlRecipe told = odl_recipe_with_files_as (params->recipe, "FILE");
  g_autofree char *words = odl_recipe_to_text (&told, " ");

  return params->subject->filtered ? g_str_to_ascii (words, "C") : NULL;
}

static bool
save (const char *path, GBytes *bytes, bool replace, GError **error)
{
  OdlOutput output;

  if (!(replace ? odl_output_open (NULL, path, &output, error)
                : odl_output_open_new (NULL, path, &output, error)))
    return false;
  const bool done = odl_output_write (&output, g_bytes_get_data (bytes, NULL),
                                      g_bytes_get_size (bytes), error);
  return odl_output_end (&output, done, error);
}

bool
odl_said_save_report (const OdlSaidParams *params,
                      const char *path,
                      bool replace,
                      GError **error)
{
  g_autoptr (OdlSaid) said = odl_said_new ();
  g_autofree char *recipe = recipe_of (params);
  int n = 0;

  for (guint i = 0; i < params->annotations->len; i++) {
    const OdlAnnotation *annotation = g_ptr_array_index (params->annotations, i);
    if (!annotation->kind->measure)
      continue;
    if (!add_annotation (said, annotation, params->subject, i + 1))
      return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                            _ ("more was measured than a report may have (%d)"), n);
    n++;
  }
  if (n == 0)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("nothing was measured in it, so that there is nothing to "
                             "report"));
  g_autoptr (GBytes) bytes
      = odl_said_report (said, params->source, params->frame, recipe, error);
  return bytes && save (path, bytes, replace, error);
}
