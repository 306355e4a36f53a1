// SPDX-License-Identifier: MIT
// What the window measures, by the same code: one option for each kind of annotation.
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "cli/json.h"
#include "cli/measure_both.h"
#include "cli/measure_calculate.h"
#include "cli/measure_files.h"
#include "cli/process/plane.h"
#include "cli/verb.h"
#include "engine/volume.h"
#include "image/annotation/calibration.h"
#include "image/annotation/table.h"
#include "image/volume/volume.h"
#include "plan/scan.h"
#include "source/beside.h"
#include "source/dicom/series.h"
#include "source/source_file.h"
#include "source/volume.h"
#include "work/operands.h"

// Room for as many kinds in the table of options.
#define MAX_KINDS 32
#define N_OTHERS 24

typedef struct {
  OdlAnnotation annotation;
  const char *text; // as it was typed
} Typed;

typedef struct {
  gboolean as_json, as_csv, statistics;
  char **calculations; // names; NULL: none
  char *against; // a recipe in the place of the picture as it came; NULL: none
  OdlMeasureFiles files;
  OdlOnPlane on; // process.plane; zero: the frame is measured
  gboolean beside; // what the window has kept beside the picture, too
  OdlProcessOptions process; // of it: inputs, filters, recipe, engine, frame
  char **typed[MAX_KINDS]; // by kind; NULL: none
  GArray *annotations; // Typed
  GPtrArray *texts; // of those that nobody typed
} Options;

static void
clear_options (Options *options)
{
  odl_process_options_clear (&options->process);
  odl_measure_files_clear (&options->files);
  g_strfreev (options->calculations);
  g_free (options->against);
  for (size_t k = 0; k < MAX_KINDS; k++)
    g_strfreev (options->typed[k]);
  g_clear_pointer (&options->annotations, g_array_unref);
  g_clear_pointer (&options->texts, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, clear_options)

// ---- what was typed ------------------------------------------------------------------

static bool
parse_annotation (const OdlAnnotationKind *kind, const char *text, GArray *annotations)
{
  OdlAnnotation annotation;

  if (!odl_annotation_from_text (kind, text, &annotation)) {
    odl_report_usage (_ ("“%s”: --%s takes %s, numbers with a decimal point."), text,
                      kind->name, kind->numbers);
    return false;
  }
  if (kind->has_sense != NULL && !kind->has_sense (&annotation)) {
    odl_report_usage (_ ("“%s”: the length that is known comes last, such as 25 mm."),
                      text);
    return false;
  }
  if (odl_annotation_is_empty (&annotation)) {
    odl_report_usage (_ ("“%s”: there is nothing to measure; its points are one."), text);
    return false;
  }
  const Typed typed = { annotation, text };
  g_array_append_val (annotations, typed);
  return true;
}

// What was typed of that many kinds.
static bool
parse_annotations (Options *options, size_t n_kinds)
{
  options->annotations = g_array_new (FALSE, FALSE, sizeof (Typed));
  options->texts = g_ptr_array_new_with_free_func (g_free);
  for (size_t k = 0; k < n_kinds; k++)
    for (char **text = options->typed[k]; text != NULL && *text != NULL; text++)
      if (!parse_annotation (odl_annotation_kind_at (k), *text, options->annotations))
        return false;
  for (guint i = 0; i < options->annotations->len; i++)
    g_array_index (options->annotations, Typed, i).annotation.on = options->on;
  return true;
}

// Of a folder the series in it.
static void
take_series (char **inputs)
{
  if (!g_file_test (inputs[0], G_FILE_TEST_IS_DIR))
    return;
  g_autofree char *folder = inputs[0];
  inputs[0] = odl_series_location (folder);
}

// Whether there is something that measures; what only points is for states.
static bool
measures (const Options *options)
{
  for (guint i = 0; i < options->annotations->len; i++)
    if (g_array_index (options->annotations, Typed, i).annotation.kind->measure != NULL)
      return true;
  return false;
}

static bool
go_together (const Options *options)
{
  if (options->process.frame < 1) {
    odl_report_usage (_ ("Frames are counted from 1; there is no frame %" PRId64 "."),
                      options->process.frame);
    return false;
  }
  if (options->as_json + options->as_csv + options->statistics > 1) {
    odl_report_usage (_ ("Choose one of --json, --csv and --statistics."));
    return false;
  }
  if (options->statistics && options->calculations != NULL) {
    odl_report_usage (_ ("--statistics is a table of its own, in which nothing is "
                         "calculated. Leave out --calculate."));
    return false;
  }
  if (options->against != NULL && options->process.plane != NULL) {
    odl_report_usage (_ ("--against is for pictures, not for planes of volumes."));
    return false;
  }
  return true;
}

static bool
parse (Options *options, int argc, char **argv)
{
  OdlProcessOptions *process = &options->process;
  const OdlAnnotationKind *kind;
  g_autoptr (GError) problem = NULL;
  size_t n = 0;
  GOptionEntry entries[MAX_KINDS + N_OTHERS] = { 0 };
  static const char *const of_process[]
      = { "filter", "recipe", "trust-code",       "engine",
          "frame",  "plane",  "window",           "orient",
          "invert", "force",  G_OPTION_REMAINING, NULL };
  const GOptionEntry others[] = {
    { "beside", 0, 0, G_OPTION_ARG_NONE, &options->beside,
      N_ ("And what the window has kept beside the picture (INPUT.measured) of that "
          "frame"),
      NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->as_json, N_ ("Write JSON"), NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &options->as_csv, N_ ("Write CSV"), NULL },
    { "statistics", 0, 0, G_OPTION_ARG_NONE, &options->statistics,
      N_ ("Write how the first region stands out from the second one (SNR, CNR, gCNR), "
          "and the mean width of points, as a table"),
      NULL },
    { "calculate", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->calculations,
      N_ ("And a volume, an age or a weight by a published formula, from those that fit "
          "in the order of these options; see “list calculations”"),
      N_ ("NAME") },
    { "against", 0, 0, G_OPTION_ARG_STRING, &options->against,
      N_ ("A recipe, a file or a preset, whose result is measured beside, in the place "
          "of the picture as it came"),
      N_ ("RECIPE") },
    { "sr", 0, 0, G_OPTION_ARG_FILENAME, &options->files.report,
      N_ ("Write a structured report (DICOM SR), too, which refers to the picture"),
      N_ ("FILE") },
    { "derived", 0, 0, G_OPTION_ARG_FILENAME, &options->files.derived,
      N_ ("What was saved after these filters (DICOM): values are told to be of it"),
      N_ ("FILE") },
    { "gsps", 0, 0, G_OPTION_ARG_FILENAME, &options->files.state,
      N_ ("Write a presentation state (DICOM), too: the window, and what is drawn"),
      N_ ("FILE") },
    { "kos", 0, 0, G_OPTION_ARG_FILENAME, &options->files.kos,
      N_ ("Write a key object selection (DICOM), too, which names the picture"),
      N_ ("FILE") },
    { "keys", 0, 0, G_OPTION_ARG_STRING, &options->files.keys,
      N_ ("The frames that it names, such as 1,5"), N_ ("LIST") },
  };
  const char *description = _ (
      "Each may be repeated. Coordinates are in pixels, (0,0) being the outer corner of "
      "the first one, and may have fractions; angles are those at the second point. "
      "Lengths and areas are in millimetres where the picture says how large its pixels "
      "are, else in pixels (heights of one, where it is not square). The pixels of an "
      "ellipse are those whose middle lies in it; of colours the luma is measured. A "
      "profile has the values along a line: from one end to the other, at most a pixel "
      "apart, each interpolated between four pixels (bilinear). On a plane, pixels are "
      "squares of the shortest side of a voxel, and (0,0) is its upper left corner.");

  G_STATIC_ASSERT (G_N_ELEMENTS (others) + G_N_ELEMENTS (of_process) <= N_OTHERS);
  for (size_t k = 0; (kind = odl_annotation_kind_at (k)) != NULL; k++) {
    g_assert (k < MAX_KINDS);
    entries[n++] = (GOptionEntry){ .long_name = kind->name,
                                   .arg = G_OPTION_ARG_STRING_ARRAY,
                                   .arg_data = &options->typed[k],
                                   .description = kind->title,
                                   .arg_description = kind->numbers };
  }
  odl_process_options_take (process, of_process, entries + n);
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    entries[n + G_N_ELEMENTS (of_process) - 1 + i] = others[i];
  process->frame = 1;
  if (!odl_verb_parse (&odl_verb_measure, entries, description, argc, argv))
    return false;
  if (process->inputs == NULL || g_strv_length (process->inputs) != 1) {
    odl_report_usage (_ ("Name one picture."));
    return false;
  }
  take_series (process->inputs);
  if (!go_together (options))
    return false;
  if (!odl_measure_calculations_exist (options->calculations, &problem)
      || !odl_measure_files_parse (&options->files, process, &problem)
      || (process->plane != NULL
          && !odl_plane_parse (process->plane, &options->on, &problem))) {
    odl_report_error (NULL, problem);
    return false;
  }
  if (!parse_annotations (options, n))
    return false;
  const OdlMeasureFiles *files = &options->files;
  if (options->beside || files->state != NULL || files->report != NULL
      || files->kos != NULL || measures (options))
    return true;
  odl_report_usage (_ ("Say what to measure, such as --length 10,20,30,40."));
  return false;
}

// ---- what is kept beside the picture -------------------------------------------------

// Whether it lies on the frame, or on the plane of its volume.
static bool
is_asked (const Options *options,
          const OdlSource *source,
          const OdlAnnotation *annotation)
{
  const gint64 frame = options->process.frame - 1;
  const gint64 slice
      = options->process.plane != NULL ? frame % MAX (source->info.n_slices, 1) : 0;

  return odl_annotation_is_on (annotation, frame - slice, &options->on);
}

static bool
add_beside (const Options *options,
            OdlSource *source,
            const OdlImageInfo *volume,
            GError **error)
{
  const char *input = options->process.inputs[0];
  g_autoptr (OdlAnnotations) kept
      = odl_annotations_settle (odl_beside_load (source), volume);
  int n = 0;

  for (int i = 0; i < odl_annotations_count (kept); i++) {
    const OdlAnnotation *annotation = odl_annotations_at (kept, i);
    if (!is_asked (options, source, annotation))
      continue;
    char *text = odl_annotation_to_numbers (annotation);
    const Typed typed = { *annotation, text };
    g_ptr_array_add (options->texts, text);
    g_array_append_val (options->annotations, typed);
    n++;
  }
  if (n > 0)
    return true;
  const gint64 frame = options->process.frame - 1;
  const bool is_held = options->process.plane == NULL && frame < odl_holder_count (source)
                       && !odl_source_lacks_frame (source, frame);
  g_autofree char *path = odl_beside_path (source, is_held ? frame : ODL_HOLDER_SOURCE);
  g_autofree char *shown = odl_source_file_display_path (path != NULL ? path : input);
  return odl_error_set (error, ODL_ERROR_IO,
                        _ ("%s keeps nothing that was measured in frame %" PRId64
                           " of this picture. “Keep Measurements Beside the File” in the "
                           "window writes it."),
                        shown, options->process.frame);
}

// ---- the picture ---------------------------------------------------------------------

static bool
check_places (const Options *options, const OdlExtent *extent, GError **error)
{
  for (guint i = 0; i < options->annotations->len; i++) {
    const Typed *typed = &g_array_index (options->annotations, Typed, i);
    for (int p = 0; p < typed->annotation.n_points; p++) {
      const OdlPoint at = typed->annotation.points[p];
      if (at.x >= 0 && at.x <= extent->x && at.y >= 0 && at.y <= extent->y)
        continue;
      return odl_usage_error (
          error, _ ("--%s %s lies beyond the picture, which has %d×%d pixels."),
          typed->annotation.kind->name, typed->text, extent->x, extent->y);
    }
  }
  return true;
}

static bool
parse_recipe (const Options *options, OdlRecipe *recipe, GError **error)
{
  if (!odl_process_recipe (&options->process, recipe, error))
    return false;
  if (!odl_recipe_is_temporal (recipe)
      && (!odl_recipe_is_volumetric (recipe) || options->process.plane != NULL)
      && recipe->view == ODL_VIEW_SYNTHESIS)
    return true;
  g_set_error_literal (
      error, ODL_ERROR, ODL_ERROR_USAGE,
      recipe->view == ODL_VIEW_RESIDUAL
          ? _ ("The result is measured, not what was taken away. Leave out --view.")
      : recipe->view != ODL_VIEW_SYNTHESIS
          ? _ ("Pictures are measured; coefficients are none.")
          : _ ("Filters over time or over slices see more than one picture. Write their "
               "result with “process”, as TIFF, and measure that."));
  return false;
}

// The picture after the filters.
static OdlImage *
filter (const Options *options, OdlImage *image, OdlProcess *task, GError **error)
{
  g_autofree char *note = NULL;
  g_autoptr (OdlPlan) plan = NULL;
  g_autoptr (OdlRunner) runner
      = odl_runner_new_for (options->process.engine, &task->run.recipe, error);

  if (runner == NULL
      || !odl_runner_read_operands (runner, &task->run.recipe, NULL, error))
    return NULL;
  task->run.runner = runner;
  if (!odl_process_measure (task, image, error))
    return NULL;
  OdlImage *result
      = odl_runner_process (runner, &task->run.recipe, image, &plan, &note, error);
  if (note != NULL)
    odl_report_note (task->run.input, note);
  if (result != NULL)
    odl_process_report_notes (task->run.input, image, plan);
  return result;
}

// What another recipe makes, which has to lie where the result does.
static OdlImage *
filter_alike (const Options *options,
              OdlImage *image,
              const OdlImage *result,
              OdlProcess *task,
              GError **error)
{
  g_autoptr (OdlImage) other = filter (options, image, task, error);

  if (other == NULL)
    return NULL;
  const OdlExtent a = odl_image_info (other)->extent;
  const OdlExtent b = odl_image_info (result)->extent;
  if (a.x == b.x && a.y == b.y)
    return g_steal_pointer (&other);
  odl_error_set (error, ODL_ERROR_USAGE,
                 _ ("--against: %s makes %d×%d pixels, and the filters make %d×%d; both "
                    "must make pictures of one size."),
                 options->against, a.x, a.y, b.x, b.y);
  return NULL;
}

// What another recipe makes of the picture, whose values are compared with the result's.
// False: that fails; *other is NULL without such a recipe.
static bool
find_other (const Options *options,
            OdlImage *image,
            const OdlImage *result,
            const OdlProcess *task,
            OdlImage **other,
            GError **error)
{
  OdlProcess bare = *task;

  *other = NULL;
  if (options->against == NULL)
    return true;
  if (result != NULL
      && odl_measure_read_other (options->against, &bare.run.recipe, error))
    *other = filter_alike (options, image, result, &bare, error);
  return *other != NULL;
}

// The picture as it came, or of beams that filters made a picture of, the one that they
// make without other filters.
static OdlImage *
find_before (const Options *options,
             OdlImage *image,
             const OdlImage *result,
             const OdlProcess *task,
             GError **error)
{
  OdlProcess bare = *task;

  if (result == NULL || odl_image_info (image)->beams.array == ODL_BEAMS_NONE
      || (odl_image_info (result)->beams.array != ODL_BEAMS_NONE
          && odl_image_info (result)->extent.x == odl_image_info (image)->extent.x))
    return odl_image_ref (image);
  bare.run.recipe = odl_scan_bare_recipe (&task->run.recipe);
  return filter (options, image, &bare, error);
}

// ---- what is written -----------------------------------------------------------------

static void
print_text (const Options *options, const OdlSubject *subject, const GArray *calculated)
{
  for (guint i = 0; i < options->annotations->len; i++) {
    const Typed *typed = &g_array_index (options->annotations, Typed, i);
    const char *note = odl_annotation_note (&typed->annotation, &subject->scale);
    g_autofree char *values = odl_annotation_to_text (&typed->annotation, subject);
    g_auto (GStrv) lines = g_strsplit (values, "\n", -1);
    const bool says = typed->annotation.kind->measure != NULL && lines[0] != NULL;
    g_print ("%s %s%s%s%s%s\n", typed->annotation.kind->name, typed->text,
             says ? ": " : "", says ? lines[0] : "", note != NULL ? ", " : "",
             note != NULL ? note : "");
    for (int l = 1; says && lines[l] != NULL; l++)
      g_print ("    %s\n", lines[l]);
  }
  odl_measure_print_calculated (calculated);
}

static void
write_samples (OdlJson *json, const OdlAnnotation *annotation, const OdlSubject *subject)
{
  g_auto (OdlProfile) profile = odl_profile_read (annotation, subject);

  odl_json_string (json, "interpolation", "bilinear");
  odl_json_string (json, "at_unit", profile.at_unit);
  odl_json_string (json, "unit", profile.unit);
  odl_json_begin_array (json, "samples");
  for (int i = 0; i < profile.n; i++) {
    odl_json_begin_object (json, NULL);
    odl_json_number (json, "x", profile.positions[i].x);
    odl_json_number (json, "y", profile.positions[i].y);
    odl_json_number (json, "at", profile.at[i]);
    odl_json_number (json, "value", profile.before[i]);
    if (profile.after != NULL)
      odl_json_number (json, "after", profile.after[i]);
    odl_json_end_object (json);
  }
  odl_json_end_array (json);
}

static void
write_measures (OdlJson *json, const Typed *typed, const OdlSubject *subject)
{
  const OdlAnnotation *annotation = &typed->annotation;
  OdlMeasurement measures[ODL_ANNOTATION_MAX_MEASURES];
  const int n = odl_annotation_measure (annotation, subject, measures);

  odl_json_begin_object (json, NULL);
  odl_json_string (json, "kind", annotation->kind->name);
  odl_json_string (json, "numbers", typed->text);
  if (subject->scale.regions != NULL) {
    const OdlScale scale = odl_annotation_scale (annotation, &subject->scale);
    odl_json_string (json, "spacing", odl_scale_place_name (&scale));
    odl_json_string (json, "note", odl_annotation_note (annotation, &subject->scale));
  }
  for (int i = 0; i < n; i++) {
    odl_json_begin_object (json, measures[i].name);
    odl_json_number (json, "value", measures[i].value);
    if (isfinite (measures[i].after))
      odl_json_number (json, "after", measures[i].after);
    odl_json_string (json, "unit", measures[i].unit);
    odl_json_end_object (json);
  }
  g_autofree char *why = odl_annotation_suv_unknown (annotation, subject);
  if (why != NULL)
    odl_json_string (json, "suv-unknown", why);
  if (annotation->kind == &odl_annotation_profile)
    write_samples (json, annotation, subject);
  odl_json_end_object (json);
}

static void
write_json (const Options *options,
            const OdlRecipe *recipe,
            const OdlSubject *subject,
            const GArray *calculated)
{
  g_autofree char *words = subject->filtered ? odl_recipe_to_text (recipe, " ") : NULL;
  OdlJson json;

  odl_json_init (&json);
  odl_json_begin_object (&json, NULL);
  odl_json_string (&json, "input", options->process.inputs[0]);
  odl_json_integer (&json, "frame", options->process.frame);
  odl_json_string (&json, "recipe", words);
  if (options->process.plane != NULL)
    odl_json_string (&json, "plane", options->process.plane);
  odl_json_string (&json, "spacing", odl_scale_place_name (&subject->scale));
  odl_json_begin_array (&json, "measured");
  for (guint i = 0; i < options->annotations->len; i++)
    write_measures (&json, &g_array_index (options->annotations, Typed, i), subject);
  odl_json_end_array (&json);
  odl_measure_write_calculated (&json, calculated);
  odl_json_end_object (&json);
  odl_json_print (&json);
}

static void
print_csv (const Options *options, const OdlSubject *subject, const GArray *calculated)
{
  g_autofree char *input = g_filename_display_name (options->process.inputs[0]);
  g_autoptr (GString) table = g_string_new (ODL_MEASURE_COLUMNS);

  for (guint i = 0; i < options->annotations->len; i++) {
    const Typed *typed = &g_array_index (options->annotations, Typed, i);
    odl_measure_table_add (table, input, options->process.frame, &typed->annotation,
                           typed->text, subject);
  }
  odl_measure_add_calculated (table, input, options->process.frame, calculated);
  g_print ("%s", table->str);
}

// ---- planes of volumes ---------------------------------------------------------------

// The volume after the filters, slice by slice or as a whole, as the window shows it.
// Noise is measured where “process --plane” does it.
static bool
filter_volume (OdlImage *volume, OdlProcess *task, OdlGridVolume *result, GError **error)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  g_autoptr (OdlImage) slice
      = odl_volume_slice (volume, odl_image_info (volume)->extent.z / 2);
  g_autoptr (OdlRunner) runner = odl_runner_new ("cpu", error);

  if (runner == NULL || slice == NULL
      || !odl_runner_read_operands (runner, &task->run.recipe, NULL, error))
    return false;
  task->run.runner = runner;
  if (!odl_process_measure (task, volume, error))
    return false;
  OdlGeometry geometry
      = odl_geometry_of (odl_recipe_is_volumetric (&task->run.recipe) ? volume : slice);
  g_autoptr (OdlPlan) plan = odl_plan_new (&task->run.recipe, &geometry, error);
  OdlEngine *engine = plan != NULL ? odl_engine_open_choice (cpu, error) : NULL;
  g_autofree char *cut = NULL;
  const bool done
      = engine != NULL
        && odl_grid_volume_process (engine, &task->run.recipe, plan, volume,
                                    odl_engine_process_volume, result, &cut, error);
  if (engine != NULL)
    odl_engine_close (engine);
  return done;
}

static OdlImage *
read_volume (const Options *options, OdlSource *source, GError **error)
{
  const char *input = options->process.inputs[0];

  if (!odl_plane_has_slices (source, input, error))
    return NULL;
  if (source->info.warning != NULL)
    odl_report_note (input, source->info.warning);
  const gint64 frame = options->process.frame - 1;
  if (source->info.n_frames > 0 && frame >= source->info.n_frames) {
    odl_source_set_no_frame (source, frame, error);
    return NULL;
  }
  g_autoptr (OdlImage) volume
      = odl_source_read_volume (source, (int) (frame / source->info.n_slices),
                                ODL_VOLUME_FILTERED_WHOLE, NULL, error);
  if (volume == NULL
      || !odl_plane_is_in (&options->on, options->process.plane, odl_image_info (volume),
                           error))
    return NULL;
  odl_input_report_mark (input, volume);
  return g_steal_pointer (&volume);
}

// ---- all of it -----------------------------------------------------------------------

// Borrowed ones. Transfer full.
static GPtrArray *
list_annotations (const Options *options)
{
  GPtrArray *annotations = g_ptr_array_new ();

  for (guint i = 0; i < options->annotations->len; i++)
    g_ptr_array_add (annotations,
                     &g_array_index (options->annotations, Typed, i).annotation);
  return annotations;
}

static bool
print (const Options *options,
       const OdlRecipe *recipe,
       const OdlSubject *subject,
       const GArray *calculated,
       GError **error)
{
  g_autoptr (GPtrArray) list = list_annotations (options);

  if (options->statistics)
    return odl_measure_print_statistics (
        (const OdlAnnotation *const *) (void *) list->pdata, list->len, subject, error);
  if (options->as_json)
    write_json (options, recipe, subject, calculated);
  else if (options->as_csv)
    print_csv (options, subject, calculated);
  else
    print_text (options, subject, calculated);
  return true;
}

static bool
save_files (const Options *options,
            const OdlSource *source,
            const OdlRecipe *recipe,
            const OdlSubject *subject,
            const GArray *calculated,
            GError **error)
{
  g_autoptr (GPtrArray) annotations = list_annotations (options);
  g_autoptr (GArray) lines = odl_measure_list_calculated (calculated);
  const OdlSaidParams said = { .source = source,
                               .frame = options->process.frame - 1,
                               .annotations = annotations,
                               .lines = (const OdlSaidLine *) (void *) lines->data,
                               .n_lines = lines->len,
                               .subject = subject,
                               .recipe = recipe };

  return odl_measure_files_save (&options->files, &options->process, &said, error);
}

static void
tell_suv (const OdlSource *source, OdlSubject *subject)
{
  odl_subject_set_suv (subject, odl_source_detail (source, "suv-factor"),
                       odl_source_detail (source, "suv-unknown"));
}

// Calculates before anything is written; `source` is NULL on a plane, of which there are
// no files.
static bool
tell (const Options *options,
      const OdlSource *source,
      const OdlRecipe *recipe,
      const OdlSubject *subject,
      GError **error)
{
  g_autoptr (GPtrArray) list = list_annotations (options);
  g_autoptr (GArray) calculated = odl_measure_calculate (
      options->calculations, (const OdlAnnotation *const *) (void *) list->pdata,
      list->len, &subject->scale, error);

  return calculated != NULL
         && (source == NULL
             || save_files (options, source, recipe, subject, calculated, error))
         && print (options, recipe, subject, calculated, error);
}

static bool
measure_plane (const Options *options,
               OdlSource *source,
               OdlProcess *task,
               GError **error)
{
  const bool filtered = !odl_recipe_is_identity (&task->run.recipe);
  const bool tilted = odl_source_detail (source, "gantry-tilt") != NULL;
  g_autoptr (OdlImage) volume = read_volume (options, source, error);
  g_autoptr (OdlImage) before
      = volume != NULL ? odl_on_plane_compose (volume, &options->on, error) : NULL;

  if (before == NULL
      || (options->beside
          && !add_beside (options, source, odl_image_info (volume), error))
      || !check_places (options, &odl_image_info (before)->extent, error))
    return false;
  g_auto (OdlGridVolume) result = { 0 };
  g_autoptr (OdlImage) after
      = filtered && filter_volume (volume, task, &result, error)
            ? odl_grid_volume_on_plane (&result, &options->on, error)
            : NULL;
  if (filtered && after == NULL)
    return false;
  OdlSubject subject
      = { .scale = odl_on_plane_scale (odl_image_info (volume), &options->on, tilted),
          .before = before,
          .after = after,
          .filtered = filtered };
  tell_suv (source, &subject);
  return tell (options, NULL, &task->run.recipe, &subject, error);
}

// The picture's own, or by the last calibration that was typed or is kept.
static OdlScale
scale_of (const Options *options, const OdlImage *image)
{
  const OdlScale own = odl_scale_of (odl_image_info (image));
  OdlScale scale = own;

  for (guint i = 0; i < options->annotations->len; i++) {
    OdlScale by_hand = own;
    if (odl_calibration_apply (&g_array_index (options->annotations, Typed, i).annotation,
                               &by_hand))
      scale = by_hand;
  }
  return scale;
}

static bool
measure_input (const Options *options, GError **error)
{
  const char *input = options->process.inputs[0];
  OdlProcess task = { .run = { .input = input } };

  if (!parse_recipe (options, &task.work.asked, error))
    return false;
  OdlEngineRequest request;
  if (!odl_engine_request (options->process.engine, NULL, &request, error))
    return false; // also where no filter needs one
  task.run.recipe = task.work.asked;
  g_autoptr (OdlSource) source = odl_source_open (input, NULL, error);
  if (source == NULL)
    return false;
  if (options->process.plane != NULL)
    return measure_plane (options, source, &task, error);
  if (!odl_measure_files_check (&options->files, &options->process, source, error))
    return false;
  g_autoptr (OdlImage) image = odl_input_read_from (
      source, input, options->process.frame - 1, NULL, NULL, error);
  if (image == NULL)
    return false;
  const OdlImageInfo volume = odl_source_volume_info (source, image);
  const bool filtered
      = !odl_recipe_is_identity (&task.run.recipe) || options->against != NULL;
  if (options->beside && !add_beside (options, source, &volume, error))
    return false;
  g_autoptr (OdlImage) result = filtered ? filter (options, image, &task, error) : NULL;
  if (filtered && result == NULL)
    return false;
  g_autoptr (OdlImage) other = NULL;
  if (!find_other (options, image, result, &task, &other, error))
    return false;
  g_autoptr (OdlImage) before = find_before (options, image, result, &task, error);
  if (before == NULL || !check_places (options, &odl_image_info (before)->extent, error))
    return false;
  OdlSubject subject = { .scale = scale_of (options, before),
                         .before = before,
                         .after = result,
                         .other = other,
                         .filtered = filtered };
  tell_suv (source, &subject);
  return tell (options, source, &task.run.recipe, &subject, error);
}

static int
measure (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (GError) error = NULL;

  if (!parse (&options, argc, argv))
    return ODL_EXIT_USAGE;
  if (measure_input (&options, &error))
    return ODL_EXIT_DONE;
  odl_report_error (options.process.inputs[0], error);
  return odl_report_status (error);
}

const OdlVerb odl_verb_measure = {
  .name = "measure",
  .arguments = N_ ("INPUT"),
  .summary = N_ ("Measure lengths, angles and regions in a picture."),
  .run = measure,
};
