// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/machine.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cli/process/present.h"
#include "cli/process/process.h"
#include "cli/process/segments.h"
#include "filter/library.h"
#include "filter/measure.h"
#include "output/sequence.h"
#include "source/operand.h"
#include "source/dicom/series.h"
#include "source/source_files.h"
#include "work/operands.h"

// What is done to results when they are written.

static bool
parse_part (const char *option,
            const char *text,
            OdlArrangement *arrangement,
            GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", 5);
  gint64 numbers[4] = { 0 };
  bool good = g_strv_length (words) == 4;

  for (int i = 0; i < 4 && good; i++)
    good = g_ascii_string_to_signed (g_strstrip (words[i]), 10, i < 2 ? 0 : 1,
                                     ODL_IMAGE_MAX_SIDE, &numbers[i], NULL);
  arrangement->x = (int) numbers[0];
  arrangement->y = (int) numbers[1];
  arrangement->width = (int) numbers[2];
  arrangement->height = (int) numbers[3];
  if (!good)
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("%s “%s” is no part of a picture. Write X,Y,WIDTH,HEIGHT in pixels, "
                    "such as 0,0,256,256."),
                 option, text);
  return good;
}

static bool
parse_orientation (const char *text, OdlOrientation *orientation, GError **error)
{
  if (odl_orientation_find (text, orientation))
    return true;
  g_autofree char *known = g_strjoinv (", ", (char **) odl_orientation_names ());
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("--orient “%s” is no way to turn a picture. There are: %s."),
                        text, known);
}

static bool
parse_wipe (const char *text, OdlShape *shape, GError **error)
{
  g_autofree char *number = g_strdup (text);
  const bool share = g_str_has_suffix (number, "%");

  if (share)
    number[strlen (number) - 1] = '\0';
  if (odl_number_from_text (number, &shape->wipe) && shape->wipe >= 0
      && shape->wipe <= (share ? 100 : ODL_IMAGE_MAX_SIDE)) {
    shape->wipe_is_share = share;
    shape->wipe *= share ? 0.01 : 1;
    return true;
  }
  return odl_usage_error (
      error,
      _ ("--wipe “%s” is no column. Write a number of pixels, such as 128, or 50%%."),
      text);
}

// A letter for each axis, or an angle in degrees.
static bool
parse_band_name (const char *name, OdlShape *shape)
{
  const OdlDetails sought = { .directions = name[0] == '-' ? -1 : 1 };
  const size_t letters = strspn (name, "HLhl");
  gint64 angle;

  if (letters > 1 && name[letters] == '\0') {
    shape->of_volume = letters == 3;
    for (size_t i = 0; i < letters; i++)
      shape->band |= (g_ascii_toupper (name[i]) == 'H') << i;
    return true;
  }
  if (!g_ascii_string_to_signed (name, 10, -90, 90, &angle, NULL) || angle == 0)
    return false;
  for (int band = 1; band < ODL_BANDS; band++)
    if (angle == odl_details_angle (&sought, band)) {
      shape->band = band;
      shape->directions = sought.directions;
      return true;
    }
  return false;
}

// "band:2:HL", one band of a level, of a volume "band:2:HLH"; or "band:2:-75", one
// direction.
static bool
parse_band (const char *text, OdlShape *shape, GError **error)
{
  char name[4] = "", after = '\0';
  int level = 0;

  if (sscanf (text, "band:%2d:%3[-+0-9HLhl]%c", &level, name, &after) == 2 && level > 0
      && parse_band_name (name, shape)) {
    shape->level = level;
    return true;
  }
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("--view “%s” is no band. Write the level and LL, HL, LH or "
                           "HH, such as band:2:HL, or of a volume a letter for each of "
                           "x, y and z, such as band:2:HLH, or a direction of the dual "
                           "tree, 75, 15, 45, -75, -15 or -45, such as band:2:-15."),
                        text);
}

// Volumes, DICOM files and grids say where their samples lie.
static bool
may_be_arranged (const OdlFormat *format)
{
  return format->write != odl_obj_write && format->volume == ODL_VOLUME_NONE
         && !format->is_dicom;
}

// --valid cuts out a part of its own, of the result alone.
static bool
may_be_valid (const OdlProcessOptions *options, const OdlFormat *format, GError **error)
{
  const bool other = options->crop != NULL || options->wipe != NULL
                     || options->view != NULL || options->rendering != NULL
                     || options->presentation_state != NULL;

  if (other)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE,
                         _ ("--valid is a part of the result. Leave out --crop, --wipe, "
                            "--view, --rendering and --presentation-state."));
  else if (format->volume == ODL_VOLUME_NONE
           && (!may_be_arranged (format) || format->write == odl_jp2_write
               || format->write == odl_j2k_write))
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("--valid is not for the format “%s”."), format->name);
  else
    return true;
  return false;
}

// What --invert, --crop, --orient and --wipe say. ODL_ERROR_USAGE.
static bool
odl_process_parse_shape (const OdlProcessOptions *options,
                         OdlProcess *task,
                         GError **error)
{
  OdlShape *shape = &task->work.shape;
  const bool any
      = options->crop != NULL || options->orient != NULL || options->wipe != NULL;
  const bool band = options->view != NULL && g_str_has_prefix (options->view, "band:");

  if (options->invert && !task->work.format->shows)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--invert is for files that hold the picture as it is "
                             "shown, such as PNG; other formats hold its values."));
  if (band && (options->crop != NULL || options->wipe != NULL))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--view band:… is a part of the picture already. "
                             "Leave out --crop and --wipe."));
  const bool is_volume = task->work.format->volume != ODL_VOLUME_NONE;
  if ((any || (band && !is_volume)) && !may_be_arranged (task->work.format))
    return odl_usage_error (
        error,
        any ? _ ("--crop, --orient and --wipe are for pictures and videos, not for the "
                 "format “%s”.")
            : _ ("--view band:… is for pictures, videos and volumes, not for the format "
                 "“%s”. Write a TIFF, an NPY or a PNG, or of a volume a NIfTI."),
        task->work.format->name);
  if (options->valid && !may_be_valid (options, task->work.format, error))
    return false;
  task->work.valid = options->valid;
  task->work.window.invert = options->invert;
  if (band && !parse_band (options->view, shape, error))
    return false;
  if (band && shape->directions == 0 && !shape->of_volume)
    task->work.asked.band = ODL_BANDS * shape->level + shape->band;
  if (shape->directions != 0)
    task->work.asked.direction = ODL_DETAIL_BANDS * shape->level + shape->band - 1;
  return (options->crop == NULL
          || parse_part ("--crop", options->crop, &shape->arrangement, error))
         && (options->sigma_from == NULL
             || parse_part ("--sigma-from", options->sigma_from, &task->work.homogeneous,
                            error))
         && (options->orient == NULL
             || parse_orientation (options->orient, &shape->arrangement.orientation,
                                   error))
         && (options->wipe == NULL || parse_wipe (options->wipe, shape, error));
}

#define MAX_JOBS 1024
#define MAX_WINDOWS 1024
#define MAX_MIB 1048576
#define BYTES_PER_MIB 1048576.0
// For machines that do not report their memory.
#define USUAL_BUDGET 1e9

bool
odl_process_is_moving (const OdlProcess *task)
{
  return task->work.numbered || task->work.format->write == NULL;
}

// How much memory pictures may usually take, in bytes: a quarter of what is free.
static double
usual_budget (void)
{
  const double memory = odl_machine_free_memory ("");

  return memory > 0 ? memory / 4 : USUAL_BUDGET;
}

static bool
parse_word (OdlRecipe *recipe, const char *key, const char *value, GError **error)
{
  // What has blanks would be several words, filters among them.
  const char *quote = value != NULL && strpbrk (value, " \t\r\n#") != NULL ? "\"" : "";
  g_autofree char *word
      = g_strconcat (key, quote, value, *quote != '\0' ? quote : NULL, NULL);

  return value == NULL || odl_recipe_parse (recipe, word, error);
}

// A band is cut out of all of them when they are written.
static bool
parse_view (OdlRecipe *recipe, const char *view, GError **error)
{
  g_autoptr (GError) cause = NULL;
  const bool one = view != NULL && g_str_has_prefix (view, "band:");

  const char *all
      = one && strstr (view, ":-") != NULL ? "filtered-falling" : "filtered-coefficients";

  return parse_word (recipe, "view=", one ? all : view, &cause)
         // Translators: what is no view, and which views there are.
         || odl_error_set (error, ODL_ERROR_USAGE,
                           _ ("%s, or one band, such as band:2:HL"), cause->message);
}

bool
odl_process_recipe (const OdlProcessOptions *options, OdlRecipe *recipe, GError **error)
{
  odl_recipe_init (recipe);
  recipe->trusts_code = options->trust_code;
  if (options->preset != NULL && options->recipe != NULL)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--preset and --recipe both say what to start "
                             "from; give one of them."));
  if (options->preset != NULL && !odl_library_load (recipe, options->preset, error))
    return false;
  if (options->recipe != NULL
      && !odl_recipe_load_or_preset (recipe, options->recipe, error))
    return false;
  for (gsize i = 0; options->filters != NULL && options->filters[i] != NULL; i++) {
    if (*g_strchug (options->filters[i]) == '\0')
      return odl_error_set (error, ODL_ERROR_USAGE,
                            _ ("--filter needs a filter; “list filters” names them."));
    if (!odl_recipe_parse (recipe, options->filters[i], error))
      return false;
  }
  return parse_view (recipe, options->view, error)
         && parse_word (recipe, "colour=", options->colour, error)
         && parse_word (recipe, "precision=", options->precision, error)
         && parse_word (recipe, "border=", options->border, error)
         && parse_word (recipe, "strength=", options->strength, error);
}

// "file:2", the second of the windows that the file offers.
static bool
parse_choice (const char *text, int *choice)
{
  double number = 0;

  if (!g_str_has_prefix (text, "file:")
      || !odl_number_from_text (text + strlen ("file:"), &number) || number < 1
      || number > MAX_WINDOWS || number != (int) number)
    return false;
  *choice = (int) number - 1;
  return true;
}

bool
odl_process_parse_window (const char *text, OdlWindow *window, GError **error)
{
  g_auto (GStrv) numbers = g_strsplit (text != NULL ? text : "file", ",", 3);

  *window = (OdlWindow){ .mode = ODL_WINDOW_FILE };
  if (g_strv_length (numbers) == 1 && g_str_equal (numbers[0], "file"))
    return true;
  if (g_strv_length (numbers) == 1 && parse_choice (numbers[0], &window->choice))
    return true;
  window->mode = ODL_WINDOW_FULL;
  if (g_strv_length (numbers) == 1 && g_str_equal (numbers[0], "full"))
    return true;
  window->mode = ODL_WINDOW_CUSTOM;
  if (g_strv_length (numbers) == 2 && odl_number_from_text (numbers[0], &window->centre)
      && odl_number_from_text (numbers[1], &window->width) && window->width > 0)
    return true;
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("“%s” is no window. Write file, file:2 for its second one, "
                           "full, or CENTRE,WIDTH such as 40,400."),
                        text);
}

static bool
parse_colour_map (const char *name, OdlProcess *task, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  const OdlColourMap *map = name != NULL ? odl_colour_map_find (name) : NULL;

  for (size_t i = 0; i < odl_colour_map_count (); i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "",
                            odl_colour_map_at (i)->name);
  if (name != NULL && map == NULL)
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("“%s” is no colour map. There are: %s."), name, known->str);
  else if (name != NULL
           && (!task->work.format->shows || task->work.format->write == NULL))
    g_set_error_literal (
        error, ODL_ERROR, ODL_ERROR_USAGE,
        _ ("--colour-map is for PNG, JPEG and WebP files, which hold the "
           "picture as it is shown; other formats hold its values."));
  else {
    task->work.window.map = map != odl_colour_map_at (0) ? map : NULL;
    return true;
  }
  return false;
}

static bool
parse_quality (const char *text, OdlQuality *quality, GError **error)
{
  g_autofree char *known = g_strjoinv (", ", (char **) odl_quality_names);

  for (int i = 0; i < ODL_N_QUALITIES; i++)
    if (g_str_equal (text != NULL ? text : odl_quality_names[0], odl_quality_names[i])) {
      *quality = (OdlQuality) i;
      return true;
    }
  return odl_error_set (error, ODL_ERROR_USAGE, _ ("“%s” is no quality. There are: %s."),
                        text, known);
}

static bool
parse_area (const char *name, OdlArea *area, GError **error)
{
  g_autofree char *known = g_strjoinv (", ", (char **) odl_area_names);

  for (int i = 0; i < ODL_N_AREAS; i++)
    if (g_str_equal (name != NULL ? name : odl_area_names[0], odl_area_names[i])) {
      *area = (OdlArea) i;
      return true;
    }
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("--inside “%s” is not known. There are: %s."), name, known);
}

static bool
parse_lead_in (const char *text, gint64 *frames, GError **error)
{
  *frames = ODL_LEAD_IN_AUTO;
  if (text == NULL || g_str_equal (text, "auto"))
    return true;
  *frames = ODL_LEAD_IN_ALL;
  if (g_str_equal (text, "all")
      || g_ascii_string_to_signed (text, 10, 0, G_MAXINT32, frames, NULL))
    return true;
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("--lead-in “%s” is not a number of frames. Write auto, all, "
                           "0, or a number such as 50."),
                        text);
}

// "1-100", "5-" or "7", counted from 1; *first and *last are from 0.
static bool
parse_frames (const char *text, gint64 *first, gint64 *last, GError **error)
{
  g_auto (GStrv) ends = g_strsplit (text, "-", 2);
  const guint n = g_strv_length (ends);
  guint64 a = 0, b = 0;

  bool good = n >= 1 && g_ascii_string_to_unsigned (ends[0], 10, 1, G_MAXINT32, &a, NULL);
  *first = (gint64) a - 1;
  *last = n == 1 ? *first : -1;
  if (good && n == 2 && *ends[1] != '\0') {
    good = g_ascii_string_to_unsigned (ends[1], 10, a, G_MAXINT32, &b, NULL);
    *last = (gint64) b - 1;
  }
  if (!good)
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("“%s” is no range of frames. Write 1-100, 100- or 7; frames are "
                    "counted from 1."),
                 text);
  return good;
}

static bool
parse_count (const char *option,
             const char *text,
             guint64 most,
             guint64 usual,
             guint64 *count,
             GError **error)
{
  *count = usual;
  if (text == NULL || g_ascii_string_to_unsigned (text, 10, 1, most, count, NULL))
    return true;
  // Translators: an option such as --jobs, what was typed, and the greatest number.
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("%s “%s” is not a number from 1 to %" PRIu64 "."), option,
                        text, most);
}

static bool
parse_jobs (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  const guint64 budget = (guint64) (usual_budget () / BYTES_PER_MIB);
  guint64 n_jobs = 1, mib = 1;

  if (!parse_count ("--jobs", options->jobs, MAX_JOBS, (guint64) odl_parallel_threads (),
                    &n_jobs, error)
      || !parse_count ("--memory", options->memory, MAX_MIB, MAX (budget, 1), &mib,
                       error))
    return false;
  task->n_jobs = (int) n_jobs;
  task->budget = (double) mib * BYTES_PER_MIB;
  return true;
}

#define MOST_RATE 128.0
#define MOST_PSNR 200.0

static bool
parse_amount (const char *text, double most, double *value)
{
  return odl_number_from_text (text, value) && *value > 0 && *value <= most;
}

// At most one of --lossless, --rate and --psnr, and only for JPEG 2000.
static bool
parse_jpeg2000 (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  OdlJpeg2000Quality *quality = &task->work.jpeg2000;
  const int said = options->lossless + (options->rate != NULL) + (options->psnr != NULL);

  quality->goal = options->rate != NULL   ? ODL_JPEG2000_RATE
                  : options->psnr != NULL ? ODL_JPEG2000_PSNR
                                          : ODL_JPEG2000_LOSSLESS;
  if (said > 1)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE,
                         _ ("--lossless, --rate and --psnr exclude each other. Choose "
                            "one of them."));
  else if (said > 0 && task->work.format->write != odl_jp2_write
           && task->work.format->write != odl_j2k_write)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE,
                         _ ("--lossless, --rate and --psnr are for JPEG 2000. Name such "
                            "a file after -o, such as out.jp2."));
  else if (options->rate != NULL
           && !parse_amount (options->rate, MOST_RATE, &quality->value))
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("--rate “%s” is no number of bits for each pixel. Write a number "
                    "such as 0.5 or 2."),
                 options->rate);
  else if (options->psnr != NULL
           && !parse_amount (options->psnr, MOST_PSNR, &quality->value))
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("--psnr “%s” is no ratio in dB. Write a number such as 40."),
                 options->psnr);
  else
    return true;
  return false;
}

static bool
wants_folder (const OdlProcessOptions *options)
{
  return !odl_jobs_is_template (options->out)
         && odl_jobs_want_folder ((const char *const *) options->inputs, options->out);
}

static bool
is_lossy (const OdlFormat *format)
{
  return format->write == odl_jpeg_write || format->write == odl_webp_write;
}

// Options for frames and videos must suit the output.
static bool
parse_moving (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  const bool volume = task->work.format->volume != ODL_VOLUME_NONE;
  const bool dicom = task->work.format->is_dicom;
  const bool movie = task->work.format->write == NULL && !volume && !dicom;
  const char *word = NULL;

  // Folders may have any name.
  task->work.numbered = odl_sequence_is_pattern (options->out) && !wants_folder (options);
  task->replace = options->force;
  task->work.badge = !options->no_badge;
  task->progress = options->progress;
  task->work.duration_ns = (int64_t) (options->duration_s * 1e9);
  task->work.last = -1;
  if (!movie
      && (options->codec != NULL || (options->no_badge && options->rendering == NULL)
          || (options->quality != NULL && !is_lossy (task->work.format))))
    word = _ ("--codec and --no-badge are for videos, --quality for them, JPEG and WebP. "
              "Name one after -o, such as out.mkv.");
  else if (!odl_process_is_moving (task) && options->duration_s > 0)
    word = _ ("--duration writes several pictures. Name a video after -o, such as "
              "out.mkv, or numbered files, such as frame-%05d.png.");
  else if (!odl_process_is_moving (task) && options->frames != NULL)
    word = _ ("--frames writes several pictures. Name a video after -o, such as out.mkv, "
              "or numbered files, such as frame-%05d.png.");
  else if (odl_process_is_moving (task) && !dicom && options->frame != ODL_FRAME_UNSAID)
    word = _ ("--frame writes a single picture; for a video or numbered files say "
              "--frames.");
  else if (dicom && task->work.numbered)
    word = _ ("A DICOM file holds all frames; its name takes no number.");
  else if (volume && task->work.numbered)
    word = _ ("A volume holds all slices; its name takes no number.");
  else if (movie && task->work.numbered)
    word = _ ("A video holds all frames; its name takes no number.");
  if (word != NULL) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE, word);
    return false;
  }
  if (options->frames != NULL
      && !parse_frames (options->frames, &task->work.first, &task->work.last, error))
    return false;
  if (dicom && options->frame != ODL_FRAME_UNSAID)
    task->work.first = task->work.last = task->work.frame;
  if (!movie && is_lossy (task->work.format)) {
    G_STATIC_ASSERT ((int) ODL_LOSSY_LOSSLESS == (int) ODL_QUALITY_LOSSLESS
                     && (int) ODL_LOSSY_SMALL == (int) ODL_QUALITY_SMALL);
    if (!parse_quality (options->quality, &task->work.quality, error))
      return false;
    task->work.shape.lossy = (OdlLossy) task->work.quality;
  }
  if (!movie)
    return true;
  if (!parse_quality (options->quality, &task->work.quality, error))
    return false;
  task->work.codec = odl_codec_find (options->codec, task->work.quality,
                                     task->work.format->container, error);
  return task->work.codec != NULL;
}

static bool
read_reference (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  if (options->reference == NULL)
    return true;
  if (task->work.asked.view != ODL_VIEW_SYNTHESIS) {
    g_set_error_literal (
        error, ODL_ERROR, ODL_ERROR_USAGE,
        task->work.asked.view == ODL_VIEW_RESIDUAL
            ? _ ("--reference compares the result, not what was taken away. Leave out "
                 "--view.")
            : _ ("--reference compares pictures; coefficients are none."));
    return false;
  }
  task->reference_name = options->reference;
  g_autoptr (OdlSource) source
      = odl_operand_open_reference (options->reference, NULL, error);
  if (source == NULL)
    return false;
  if (odl_process_is_moving (task)) {
    task->frame_references = g_steal_pointer (&source);
    return true;
  }
  task->reference = odl_operand_read_reference (source, task->work.frame, NULL, error);
  return task->reference != NULL;
}

static bool
parse_noise (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  if (options->noise == NULL)
    return true;
  if (!odl_recipe_is_volumetric (&task->work.asked)
      && (task->work.format->volume == ODL_VOLUME_NONE))
    return odl_noise_model_parse (options->noise, &task->work.noise, error);
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("--noise is added to pictures, not to volumes. Leave "
                           "it out, or filter slice by slice."));
}

// A volume of a folder is that of the series in it.
static void
take_series (const OdlProcessOptions *options)
{
  char **inputs = options->inputs;
  const OdlFormat *format = odl_format_find (options->format, options->out, NULL);

  if (g_strv_length (inputs) != 1 || !g_file_test (inputs[0], G_FILE_TEST_IS_DIR)
      || format == NULL || (format->volume == ODL_VOLUME_NONE && options->plane == NULL)
      || g_str_has_suffix (options->out, "/")
      || g_file_test (options->out, G_FILE_TEST_IS_DIR))
    return;
  g_autofree char *folder = g_steal_pointer (&inputs[0]);
  inputs[0] = odl_series_location (folder);
}

// The names of the filters that act, for file names. Transfer full.
static char *
filters_of (const OdlRecipe *recipe)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (int i = 0; i < recipe->n_items; i++)
    if (odl_recipe_item_acts (&recipe->items[i]))
      g_string_append_printf (names, "%s%s", names->len > 0 ? "+" : "",
                              recipe->items[i].filter->name);
  if (names->len == 0)
    g_string_append (names, "original");
  return g_string_free (g_steal_pointer (&names), FALSE);
}

static bool
make_jobs (OdlProcess *task, const OdlProcessOptions *options, GError **error)
{
  const bool template = odl_jobs_is_template (options->out);
  const char *const *inputs = (const char *const *) options->inputs;
  // The folder of a template is there, since only names follow.
  g_autofree char *folder = template ? g_strdup ("./") : g_strdup (options->out);

  task->jobs = odl_jobs_new (inputs, folder, task->work.format->extensions[0],
                             options->recursive, error);
  if (task->jobs == NULL)
    return false;
  g_autofree char *filters = template ? filters_of (&task->work.asked) : NULL;
  return (!template || odl_jobs_name (task->jobs, options->out, filters, error))
         && odl_jobs_take_pages (task->jobs, options->pages, error);
}

// A band of a volume is one array, unless one slice of it is asked for.
static const OdlFormat *
find_format (const char *name, const OdlProcessOptions *options, GError **error)
{
  const OdlFormat *format = odl_format_find (name, options->out, error);
  OdlShape shape = { 0 };
  const bool one = format != NULL && format->write == odl_npy_write
                   && options->frame == ODL_FRAME_UNSAID
                   && !odl_sequence_is_pattern (options->out) && !wants_folder (options);

  return one && options->view != NULL && g_str_has_prefix (options->view, "band:")
                 && parse_band (options->view, &shape, NULL) && shape.of_volume
             ? odl_format_find ("npy-stack", options->out, error)
             : format;
}

bool
odl_process_task_init (OdlProcess *task, const OdlProcessOptions *options, GError **error)
{
  take_series (options);
  // In a folder the program chooses the names; PNG is the format that most people can
  // view.
  const char *format = options->format;
  if (format == NULL && wants_folder (options))
    format = odl_formats[0].name;

  if (wants_folder (options) && odl_format_find (NULL, options->out, NULL) != NULL
      && !g_file_test (options->out, G_FILE_TEST_IS_DIR)) {
    g_autofree char *shown = g_filename_display_name (options->out);
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("%s: this is the name of one picture. Several go into a "
                             "folder; name one after -o."),
                          shown);
  }
  task->work.frame_said = options->frame != ODL_FRAME_UNSAID;
  task->work.frame = task->work.frame_said ? options->frame - 1 : 0;
  task->work.format = find_format (format, options, error);
  if (task->work.format == NULL
      || !odl_format_depth (task->work.format, options->depth, &task->work.depth, error)
      || !odl_process_recipe (options, &task->work.asked, error)
      || !odl_process_parse_window (options->window, &task->work.window, error)
      || !parse_colour_map (options->colour_map, task, error)
      || !parse_area (options->inside, &task->work.area, error)
      || !parse_lead_in (options->lead_in, &task->work.lead_in, error)
      || !parse_jpeg2000 (options, task, error) || !parse_moving (options, task, error)
      || !odl_process_parse_shape (options, task, error)
      || !odl_process_read_state (options, task, error)
      || !odl_process_read_segments (options, task, error)
      || !odl_process_read_fusion (options, task, error)
      || !parse_jobs (options, task, error) || !parse_noise (options, task, error)
      || !read_reference (options, task, error))
    return false;
  if (task->work.homogeneous.width > 0 && !odl_recipe_waits_for_noise (&task->work.asked))
    odl_report_note (NULL, _ ("warning: --sigma-from changes nothing, since no filter "
                              "measures the noise; of those that can, leave sigma and "
                              "thresholds out, or say auto"));
  if (options->recipe != NULL && task->work.asked.n_items == 0)
    odl_report_note (NULL, _ ("note: the recipe has settings, but no filters; pictures "
                              "stay as they came"));
  task->run.recipe = task->work.asked;
  task->run.runner = odl_runner_new_for (options->engine, &task->work.asked, error);
  if (task->run.runner == NULL
      || !odl_runner_read_operands (task->run.runner, &task->work.asked, NULL, error))
    return false;
  if (wants_folder (options) && !g_file_test (options->out, G_FILE_TEST_EXISTS))
    task->new_folder = options->out;
  task->work.window.hide_overlay = options->no_overlays;
  if (!make_jobs (task, options, error))
    return false;
  task->input_files = odl_jobs_files (task->jobs);
  if (options->recipe != NULL)
    odl_source_files_add_path (task->input_files, options->recipe);
  if (options->reference != NULL)
    odl_source_files_add (task->input_files, options->reference);
  if (options->presentation_state != NULL)
    odl_source_files_add_path (task->input_files, options->presentation_state);
  if (options->segments != NULL)
    odl_source_files_add_path (task->input_files, options->segments);
  if (task->work.fusion != NULL)
    odl_source_files_add (task->input_files, odl_fusion_location (task->work.fusion));
  for (int i = 0; i < task->work.asked.n_items; i++)
    if (task->work.asked.items[i].file != NULL)
      odl_source_files_add (task->input_files, task->work.asked.items[i].file);
  return true;
}

bool
odl_process_check_output (const OdlProcess *task, const char *output, GError **error)
{
  return odl_output_check (task->input_files, output, task->replace, error);
}

void
odl_process_task_clear (OdlProcess *task)
{
  g_clear_pointer (&task->run.runner, odl_runner_free);
  g_free ((OdlBlank *) task->work.derived.blanks);
  g_clear_pointer (&task->work.state, g_free);
  g_clear_pointer (&task->work.segments, odl_segments_unref);
  g_clear_pointer (&task->work.fusion, odl_fusion_unref);
  g_clear_pointer (&task->work.hidden_segments, g_free);
  g_clear_pointer (&task->jobs, g_ptr_array_unref);
  if (task->log != NULL)
    odl_log_close (g_steal_pointer (&task->log), NULL);
  g_clear_pointer (&task->input_files, g_hash_table_unref);
  g_clear_pointer (&task->reference, odl_image_unref);
  g_clear_pointer (&task->frame_references, odl_source_unref);
}
