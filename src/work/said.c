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
  { "lateral", { "lateral", OURS, "Lateral width at -6 dB" } },
  { "axial", { "axial", OURS, "Axial width at -6 dB" } },
  { "suv-mean", { "126401", "DCM", "SUVbw" } },
  { "suv-max", { "126401", "DCM", "SUVbw" } },
};

// How those of many values whose name does not say it follow from them.
static const Row derivations[] = {
  { "suv-mean", { "373098007", "SCT", "Mean" } },
  { "suv-max", { "56851009", "SCT", "Maximum" } },
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
  { "Bq/ml", { "Bq/ml", "UCUM", "Becquerels/milliliter" } },
  { "g/ml", { "g/ml", "UCUM", "Grams/milliliter" } },
  { "%", { "%", "UCUM", "Percent" } },
  { "BQML", { "Bq/ml", "UCUM", "Becquerels/milliliter" } },
  { ODL_UNIT_SUV, { ODL_UNIT_SUV, "UCUM", "Standardized Uptake Value body weight" } },
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

  if (scale.known && scale.place == ODL_SPACING_BY_HAND && place)
    return g_strdup_printf ("%s %u, calibrated by hand", annotation->kind->name, number);
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
  g_autofree char *why = odl_annotation_suv_unknown (annotation, subject);

  if (!add_mark (said, annotation, name))
    return false;
  for (int after = 0; after < 2; after++)
    for (int i = 0; i < n; i++) {
      OdlSaidCode code, unit;
      OdlSaidRoom room;
      odl_said_codes (&measures[i], &code, &unit, &room);
      odl_said_add_value (
          said, &code, &unit,
          find (derivations, G_N_ELEMENTS (derivations), measures[i].name),
          after ? measures[i].after : measures[i].value, after);
    }
  if (why)
    odl_said_add_words (said, why, annotation->points[0]);
  return true;
}

// ---- views ---------------------------------------------------------------------------

// Of the longer side of the picture, each side of the head of an arrow.
#define HEAD (1.0 / 40)

static void
read_window (OdlSaidView *view, const OdlImageInfo *info, const OdlWindow *window)
{
  double black = 0, white = 0;

  odl_display_window (info, window, &view->centre, &view->width);
  view->function = info->value_map.function;
  view->use_table = window->mode == ODL_WINDOW_FILE && window->choice == 0
                    && odl_display_uses_curve (info, window);
  view->inverse = info->value_map.inverse != window->invert;
  if (view->function != ODL_VOI_LINEAR || view->width > 1)
    return;
  // Such a linear function is none (PS3.3 C.11.2.1.2.1).
  odl_display_ends (info, window, &black, &white);
  view->function = ODL_VOI_LINEAR_EXACT;
  view->centre = (black + white) / 2;
  view->width = fmax (fabs (white - black), 1e-6);
}

// The pixel that is seen in a corner of a picture that is turned and mirrored.
static void
put_corner (OdlSaidView *view, const OdlExtent *extent, bool end)
{
  // Mirrored first, then turned back, in the picture as it is seen.
  bool right = end != view->flip, bottom = end;

  for (int i = 0; i < view->quarter_turns; i++) {
    const bool was_right = right;
    right = bottom;
    bottom = !was_right;
  }
  view->corners[end ? 2 : 0] = right ? extent->x : 1;
  view->corners[end ? 3 : 1] = bottom ? extent->y : 1;
}

static OdlSaidView
view_of (const OdlSaidParams *params)
{
  const OdlImageInfo *info = odl_image_info (params->subject->before);
  OdlSaidView view = { .spacing_mm = { info->spacing_mm[0], info->spacing_mm[1] },
                       .pixel_aspect = info->pixel_aspect > 0 ? info->pixel_aspect : 1 };

  read_window (&view, info, params->window);
  if (params->view) {
    // Upside down is half a turn and left to right.
    view.quarter_turns
        = (params->view->quarter_turns + (params->view->flip_vertical ? 2 : 0)) % 4;
    view.flip = params->view->flip_horizontal != params->view->flip_vertical;
  }
  for (int end = 0; end < 2; end++)
    put_corner (&view, &info->extent, end);
  return view;
}

// Both sides of the head, as lines that are as long whatever the shape of a pixel.
static bool
add_head (OdlSaid *said, const OdlAnnotation *annotation, const OdlImageInfo *info)
{
  const double aspect = info->pixel_aspect > 0 ? info->pixel_aspect : 1;
  const OdlPoint *last = annotation->points + annotation->n_points - 1;
  const OdlPoint from = { last[-1].x * aspect, last[-1].y };
  const OdlPoint tip = { last->x * aspect, last->y };
  OdlPoint ends[2];

  odl_view_arrow_head (from, tip, HEAD * fmax (info->extent.x * aspect, info->extent.y),
                       ends);
  const OdlPoint line[]
      = { { ends[0].x / aspect, ends[0].y }, *last, { ends[1].x / aspect, ends[1].y } };
  return odl_said_add_mark (said, ODL_SAID_LINE, annotation->kind->name, line, 3);
}

static OdlPoint
rightmost (const OdlAnnotation *annotation)
{
  OdlPoint line[ODL_ANNOTATION_MAX_OUTLINE];
  const int n = odl_annotation_outline (annotation, line);
  OdlPoint found = line[0];

  for (int i = 1; i < n; i++)
    if (line[i].x > found.x)
      found = line[i];
  return found;
}

// Signs that other programs may not know, in letters that all of them do.
static char *
in_plain_letters (const char *words)
{
  static const char *const signs[][2]
      = { { "²", "2" },      { "°", " deg" }, { "−", "-" },  { "→", "->" },
          { "σ", "SD" },     { "Δ", "d" },    { "µ", "u" },  { "\u00a0", " " },
          { "\u202f", " " }, { "–", "-" },    { "“", "\"" }, { "”", "\"" } };
  g_autoptr (GString) plain = g_string_new (words);

  for (size_t i = 0; i < G_N_ELEMENTS (signs); i++)
    g_string_replace (plain, signs[i][0], signs[i][1], 0);
  return g_strdup (plain->str);
}

static bool
add_drawing (OdlSaid *said, const OdlAnnotation *annotation, const OdlSubject *subject)
{
  g_autofree char *values = odl_annotation_to_text (annotation, subject);
  const char *note = odl_annotation_note (annotation, &subject->scale);
  g_autofree char *both = g_strjoin (note ? "\n" : "", values, note, NULL);
  // What somebody has typed is left as it is.
  g_autofree char *words = annotation->kind->origin == ODL_WORDS_NONE
                               ? in_plain_letters (both)
                               : g_steal_pointer (&both);

  if (!add_mark (said, annotation, annotation->kind->name))
    return false;
  odl_said_add_words (said, words, rightmost (annotation));
  return !annotation->kind->pointed
         || add_head (said, annotation, odl_image_info (subject->before));
}

// A comment on the thing that it follows from.
static bool
add_line (OdlSaid *said, const OdlSaidLine *line)
{
  g_autofree char *words = in_plain_letters (line->text);

  if (!add_mark (said, line->of, "calculation"))
    return false;
  odl_said_add_words (said, words, rightmost (line->of));
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
read_derived (const OdlSaidParams *params, OdlSaidDerived *derived, GError **error)
{
  const OdlRecipe told = odl_recipe_with_files_as (params->recipe, "FILE");
  g_autofree char *lines = odl_recipe_to_text (&told, "\n");

  return odl_said_derived_read (derived, params->derived, params->source, params->frame,
                                lines, error);
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

static bool
too_many (GError **error)
{
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("more was drawn in it than a file of DICOM may have here"));
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
    if (annotation->kind->measure) {
      if (!add_annotation (said, annotation, params->subject, i + 1))
        return too_many (error);
    } else if (annotation->kind->origin == ODL_WORDS_TYPED) {
      if (!add_drawing (said, annotation, params->subject))
        return too_many (error);
    } else {
      continue;
    }
    n++;
  }
  for (guint i = 0; n > 0 && i < params->n_lines; i++)
    if (!add_line (said, &params->lines[i]))
      return too_many (error);
  if (n == 0)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("nothing was measured or written in it, so that there is "
                             "nothing to report"));
  g_auto (OdlSaidDerived) derived = { 0 };
  if (params->derived && !read_derived (params, &derived, error))
    return false;
  g_autoptr (GBytes) bytes = odl_said_report (said, params->source, params->frame, recipe,
                                              params->derived ? &derived : NULL, error);
  return bytes && save (path, bytes, replace, error);
}

bool
odl_said_save_state (const OdlSaidParams *params,
                     const char *path,
                     bool replace,
                     GError **error)
{
  g_autoptr (OdlSaid) said = odl_said_new ();

  if (odl_image_info (params->subject->before)->channels != 1)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it is a picture in colour, and states that are written here "
           "are of grey levels"));
  const OdlSaidView view = view_of (params);
  for (guint i = 0; i < params->annotations->len; i++) {
    const OdlAnnotation *annotation = g_ptr_array_index (params->annotations, i);
    if (annotation->n_points > 0 && !add_drawing (said, annotation, params->subject))
      return too_many (error);
  }
  g_autoptr (GBytes) bytes
      = odl_said_state (said, params->source, params->frame, &view, error);
  return bytes && save (path, bytes, replace, error);
}

bool
odl_said_save_keys (const OdlSource *source,
                    const gint64 *frames,
                    guint n,
                    const char *path,
                    bool replace,
                    GError **error)
{
  if (n == 0)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("no picture of it is marked as a key picture"));
  g_autoptr (GBytes) bytes = odl_said_keys (source, frames, n, error);
  return bytes && save (path, bytes, replace, error);
}
