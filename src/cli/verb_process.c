// SPDX-License-Identifier: MIT
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/process.h"
#include "cli/verb.h"
#include "output/sequence.h"

#define MAX_DURATION_S (366.0 * 24 * 3600)

// What was typed.
typedef struct {
  char **inputs;
  char *out;
  char **filters;
  char *view;
  char *colour;
  char *engine;
  char *precision;
  char *border;
  char *recipe;
  char *window;
  char *format;
  char *frames;
  char *lead_in;
  char *codec;
  char *quality;
  gint64 frame;
  double duration_s;
  gboolean force;
  gboolean progress;
} Options;

static void
options_clear (Options *options)
{
  g_strfreev (options->inputs);
  g_strfreev (options->filters);
  g_free (options->out);
  g_free (options->view);
  g_free (options->colour);
  g_free (options->engine);
  g_free (options->precision);
  g_free (options->border);
  g_free (options->recipe);
  g_free (options->window);
  g_free (options->format);
  g_free (options->frames);
  g_free (options->lead_in);
  g_free (options->codec);
  g_free (options->quality);
}

static bool
parse_options (Options *o, int argc, char **argv)
{
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o->out,
      N_ ("File or folder to write; its extension says the format: .png, .tif; .mkv and "
          "names with %05d take all frames"),
      N_ ("OUT") },
    { "filter", 'f', 0, G_OPTION_ARG_STRING_ARRAY, &o->filters,
      N_ ("Append a filter; “list filters” names them"), "NAME:KEY=VALUE,…" },
    { "recipe", 'r', 0, G_OPTION_ARG_FILENAME, &o->recipe,
      N_ ("Start from a recipe in a file"), N_ ("FILE") },
    { "view", 0, 0, G_OPTION_ARG_STRING, &o->view,
      N_ ("What to show of a wavelet filter: synthesis (default), analysis, "
          "filtered-analysis"),
      "VIEW" },
    { "colour", 0, 0, G_OPTION_ARG_STRING, &o->colour,
      N_ ("Filter each colour channel (channels, default) or the luma only (luma)"),
      "MODE" },
    { "engine", 'e', 0, G_OPTION_ARG_STRING, &o->engine,
      N_ ("One of “list engines”, with :VARIANT if you like, or auto; default: "
          "ODL_ENGINE, "
          "else auto"),
      "ENGINE" },
    { "precision", 0, 0, G_OPTION_ARG_STRING, &o->precision,
      N_ ("Bits of intermediate pictures: 32 (default) or 16"), "BITS" },
    { "border", 0, 0, G_OPTION_ARG_STRING, &o->border,
      N_ ("Border of wavelet filters: auto (default), symmetric, periodic, zero"),
      "BORDER" },
    { "window", 'w', 0, G_OPTION_ARG_STRING, &o->window,
      N_ ("Values to show from black to white in a PNG: file (default), full, or two "
          "numbers"),
      "CENTRE,WIDTH" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &o->format,
      N_ ("png, tiff or mkv, whatever the extension"), "FORMAT" },
    { "frame", 0, 0, G_OPTION_ARG_INT64, &o->frame,
      N_ ("Frame of a moving source, from 0, for a single picture"), "N" },
    { "frames", 0, 0, G_OPTION_ARG_STRING, &o->frames,
      N_ ("Frames for a video or numbered files; default: all"), "FIRST-LAST" },
    { "lead-in", 0, 0, G_OPTION_ARG_STRING, &o->lead_in,
      N_ ("Frames before the first one that filters over time see: a number, or all "
          "(default)"),
      "N" },
    { "duration", 0, 0, G_OPTION_ARG_DOUBLE, &o->duration_s,
      N_ ("Seconds to write of a moving source, such as a camera; default: all"),
      N_ ("SECONDS") },
    { "codec", 0, 0, G_OPTION_ARG_STRING, &o->codec,
      N_ ("Codec of a video, one of “list codecs”; default: the best that is installed"),
      N_ ("CODEC") },
    { "quality", 0, 0, G_OPTION_ARG_STRING, &o->quality,
      N_ ("Of a video: high (default; no visible loss), lossless, small"), "QUALITY" },
    { "force", 0, 0, G_OPTION_ARG_NONE, &o->force,
      N_ ("Replace a video or numbered files that are there already"), NULL },
    { "progress", 0, 0, G_OPTION_ARG_NONE, &o->progress,
      N_ ("Write “progress FRAME TOTAL BYTES” on standard error for each frame"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->inputs, NULL, NULL },
    { NULL },
  };
  const char *description = _ (
      "Several inputs, or a folder, go into the folder OUT. An input can be "
      "phantom:WIDTHxHEIGHT[,seed=N][,rate=FPS][,clean] or webcam[:NAME]. PNG holds the "
      "picture as "
      "it is shown, TIFF holds 32-bit floats in the unit of the input. The frames of a "
      "moving "
      "source go into a video (-o out.mkv) or into numbered files (-o "
      "frame-%05d.png). Exit status 3: done, but frames were damaged and are "
      "marked.");

  if (!odl_verb_parse (&odl_verb_process, entries, description, &argc, &argv))
    return false;
  if (o->inputs == NULL || o->inputs[0] == NULL)
    odl_report_usage (_ ("Name an input: a picture, a folder, or phantom:512x512."));
  else if (o->out == NULL || *o->out == '\0')
    odl_report_usage (_ ("Name the output with -o, such as -o out.png."));
  else if (o->frame < 0)
    odl_report_usage (_ ("Frames are counted from 0."));
  else if (!(o->duration_s >= 0 && o->duration_s <= MAX_DURATION_S))
    odl_report_usage (_ ("--duration is in seconds, from 0 to a year."));
  else
    return true;
  return false;
}

static bool
parse_word (OdlRecipe *recipe, const char *key, const char *value, GError **error)
{
  g_autofree char *word = g_strconcat (key, value, NULL);

  return value == NULL || odl_recipe_parse (recipe, word, error);
}

static bool
parse_recipe (const Options *options, OdlRecipe *recipe, GError **error)
{
  odl_recipe_init (recipe);
  if (options->recipe != NULL && !odl_recipe_load (recipe, options->recipe, error))
    return false;
  for (gsize i = 0; options->filters != NULL && options->filters[i] != NULL; i++) {
    if (*g_strchug (options->filters[i]) == '\0') {
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE,
                           _ ("--filter needs a filter; “list filters” names them."));
      return false;
    }
    if (!odl_recipe_parse (recipe, options->filters[i], error))
      return false;
  }
  return parse_word (recipe, "view=", options->view, error)
         && parse_word (recipe, "colour=", options->colour, error)
         && parse_word (recipe, "precision=", options->precision, error)
         && parse_word (recipe, "border=", options->border, error);
}

static bool
parse_window (const char *text, OdlWindow *window, GError **error)
{
  g_auto (GStrv) numbers = g_strsplit (text != NULL ? text : "file", ",", 3);

  *window = (OdlWindow){ .mode = ODL_WINDOW_FILE };
  if (g_strv_length (numbers) == 1 && g_str_equal (numbers[0], "file"))
    return true;
  window->mode = ODL_WINDOW_FULL;
  if (g_strv_length (numbers) == 1 && g_str_equal (numbers[0], "full"))
    return true;
  window->mode = ODL_WINDOW_CUSTOM;
  if (g_strv_length (numbers) == 2 && odl_number_from_text (numbers[0], &window->centre)
      && odl_number_from_text (numbers[1], &window->width) && window->width > 0)
    return true;
  g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
               _ ("“%s” is no window. Write file, full, or CENTRE,WIDTH such as 40,400."),
               text);
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
  g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
               _ ("“%s” is no quality. There are: %s."), text, known);
  return false;
}

static bool
is_moving (const OdlProcess *task)
{
  return task->numbered || task->format->write == NULL;
}

static bool
parse_lead_in (const char *text, gint64 *frames, GError **error)
{
  *frames = -1;
  if (text == NULL || g_str_equal (text, "all")
      || g_ascii_string_to_signed (text, 10, 0, G_MAXINT32, frames, NULL))
    return true;
  g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
               _ ("--lead-in “%s” is no number of frames. Write all, 0, or a number such "
                  "as 50."),
               text);
  return false;
}

// What is said of frames and videos must fit the output.
static bool
parse_moving (const Options *options, OdlProcess *task, GError **error)
{
  const bool movie = task->format->write == NULL;
  const char *word = NULL;

  task->numbered = odl_sequence_is_pattern (options->out);
  task->replace = options->force || !is_moving (task);
  task->progress = options->progress;
  task->duration_ns = (int64_t) (options->duration_s * 1e9);
  task->last = -1;
  if (!movie && (options->codec != NULL || options->quality != NULL))
    word
        = _ ("--codec and --quality are for videos. Name one after -o, such as out.mkv.");
  else if (!is_moving (task) && options->duration_s > 0)
    word = _ ("--duration writes several pictures. Name a video after -o, such as "
              "out.mkv, or numbered files, such as frame-%05d.png.");
  else if (!is_moving (task) && options->frames != NULL)
    word = _ ("--frames writes several pictures. Name a video after -o, such as out.mkv, "
              "or numbered files, such as frame-%05d.png.");
  else if (is_moving (task) && options->frame > 0)
    word = _ ("--frame writes a single picture; for a video or numbered files say "
              "--frames.");
  else if (movie && task->numbered)
    word = _ ("A video holds all frames; its name takes no number.");
  if (word != NULL) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE, word);
    return false;
  }
  if (options->frames != NULL
      && !odl_process_parse_frames (options->frames, &task->first, &task->last, error))
    return false;
  if (!movie)
    return true;
  if (!parse_quality (options->quality, &task->quality, error))
    return false;
  task->codec = odl_codec_find (options->codec, task->quality, error);
  return task->codec != NULL;
}

static bool
parse_task (const Options *options, OdlProcess *task, GError **error)
{
  const char *const *inputs = (const char *const *) options->inputs;
  // In a folder the names are ours, and PNG is what most people can look at.
  const char *format = options->format;
  if (format == NULL && odl_jobs_want_folder (inputs, options->out))
    format = odl_formats[0].name;

  if (odl_jobs_want_folder (inputs, options->out)
      && odl_format_find (NULL, options->out, NULL) != NULL
      && !g_file_test (options->out, G_FILE_TEST_IS_DIR)) {
    g_autofree char *shown = g_filename_display_name (options->out);
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("%s: this is the name of one picture. Several go into a folder; name "
                    "one after -o."),
                 shown);
    return false;
  }
  task->frame = options->frame;
  task->format = odl_format_find (format, options->out, error);
  if (task->format == NULL || !parse_recipe (options, &task->recipe, error)
      || !parse_window (options->window, &task->window, error)
      || !parse_lead_in (options->lead_in, &task->lead_in, error)
      || !parse_moving (options, task, error))
    return false;
  task->runner = odl_runner_new (options->engine, error);
  if (task->runner == NULL)
    return false;
  if (odl_jobs_want_folder (inputs, options->out)
      && !g_file_test (options->out, G_FILE_TEST_EXISTS))
    task->new_folder = options->out;
  task->jobs = odl_jobs_new (inputs, options->out, task->format->extensions[0], error);
  return task->jobs != NULL;
}

static bool
check_output (const OdlProcess *task, const char *output, GError **error)
{
  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    if (odl_output_is_same_file (job->input, output)) {
      g_autofree char *shown = g_filename_display_name (output);
      g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
                   _ ("%s: this is an input, which is never written over. Choose another "
                      "output."),
                   shown);
      return false;
    }
  }
  return true;
}

void
odl_process_report_notes (const char *input, const OdlImage *image, const OdlPlan *plan)
{
  size_t bad = odl_image_count_non_finite (image);

  if (bad > 0) {
    g_autofree char *text = g_strdup_printf (
        _ ("warning: %zu samples are no finite numbers; they were replaced"), bad);
    odl_report_note (input, text);
  }
  if (plan->note != NULL)
    odl_report_note (input, plan->note);
}

void
odl_process_report_still (const OdlProcess *task, const char *input)
{
  if (odl_recipe_is_temporal (&task->recipe))
    odl_report_note (input, _ ("a still has no frames before it: filters over time leave "
                               "it as it is"));
}

char *
odl_process_description (const OdlProcess *task)
{
  g_autofree char *recipe = odl_recipe_to_text (&task->recipe, " ");

  return g_strdup_printf (
      "recipe %s; engine %s%s", recipe, odl_runner_engine (task->runner),
      odl_recipe_is_identity (&task->recipe) ? ""
                                             : "; processed, not for diagnostic use");
}

gint64
odl_process_lead_in_first (const OdlProcess *task, gint64 wanted)
{
  if (!odl_recipe_is_temporal (&task->recipe))
    return wanted;
  return task->lead_in < 0 ? 0 : MAX (wanted - task->lead_in, 0);
}

bool
odl_process_before (const OdlProcess *task,
                    OdlImage *image,
                    gint64 index,
                    gint64 wanted,
                    GError **error)
{
  g_autofree char *note = NULL;
  g_autoptr (OdlPlan) plan = NULL;

  if (image == NULL) {
    odl_runner_begin (task->runner);
    return true;
  }
  const OdlGeometry geometry = odl_geometry_of (image);
  g_autoptr (OdlPlan) made = odl_plan_new (&task->recipe, &geometry, error);
  if (made == NULL)
    return false;
  const int frames = odl_plan_frames (made);
  if (frames > 0 && index + frames <= wanted) {
    odl_runner_pass (task->runner, image);
    return true;
  }
  g_autoptr (OdlImage) result
      = odl_runner_process (task->runner, &task->recipe, image, &plan, &note, error);
  return result != NULL;
}

static bool
run_before (OdlImage *image, gint64 index, void *data, GError **error)
{
  const OdlProcess *task = data;

  return odl_process_before (task, image, index, task->frame, error);
}

static bool
run_job (OdlProcess *task, const OdlJob *job, gint64 *marked, GError **error)
{
  g_autofree char *note = NULL;
  g_autoptr (OdlPlan) plan = NULL;

  if (!check_output (task, job->output, error))
    return false;
  if (is_moving (task))
    return odl_process_moving (task, job, marked, error);
  odl_runner_begin (task->runner);
  const OdlInputVisit before
      = { run_before, task, odl_process_lead_in_first (task, task->frame) };
  bool still;
  g_autoptr (OdlImage) image
      = odl_input_read (job->input, task->frame, &before, &still, error);
  if (image == NULL)
    return false;
  if (still)
    odl_process_report_still (task, job->input);
  g_autoptr (OdlImage) result
      = odl_runner_process (task->runner, &task->recipe, image, &plan, &note, error);
  if (result == NULL)
    return false;
  if (note != NULL)
    odl_report_note (job->input, note);
  odl_process_report_notes (job->input, image, plan);

  g_autofree char *description = odl_process_description (task);
  OdlPicture picture = { image, result, plan, task->window, description };
  return odl_picture_save (task->guard, &picture, task->format, job->output,
                           task->replace, error);
}

static void
show_progress (const OdlProcess *task, guint index, bool terminal)
{
  const OdlJob *job = g_ptr_array_index (task->jobs, index);
  g_autofree char *base = g_filename_display_basename (job->input);
  g_autofree char *target = g_filename_display_name (job->output);
  g_autofree char *input = odl_text_in_one_line (base);
  g_autofree char *output = odl_text_in_one_line (target);

  if (task->jobs->len == 1)
    return;
  if (terminal)
    g_printerr ("\r\033[K[%u/%u] %s", index + 1, task->jobs->len, input);
  else
    g_printerr ("[%u/%u] %s -> %s\n", index + 1, task->jobs->len, input, output);
}

static int
run_jobs (OdlProcess *task)
{
  bool terminal = isatty (STDERR_FILENO) != 0;
  guint failed = 0;
  gint64 marked = 0, all_marked = 0;

  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    g_autoptr (GError) error = NULL;

    odl_runner_expect (task->runner, (int) (task->jobs->len - i) - 1);
    show_progress (task, i, terminal);
    if (!run_job (task, job, &marked, &error)) {
      if (terminal && task->jobs->len > 1)
        g_printerr ("\r\033[K");
      // What went wrong with the output names the output alone.
      g_autofree char *output = g_filename_display_name (job->output);
      odl_report_error (g_str_has_prefix (error->message, output) ? NULL : job->input,
                        error);
      failed++;
    }
    all_marked += marked;
  }
  if (terminal && task->jobs->len > 1)
    g_printerr ("\r\033[K");
  if (failed == task->jobs->len && task->new_folder != NULL)
    g_rmdir (task->new_folder);
  if (failed == task->jobs->len && failed > 1)
    odl_report_usage (_ ("None of the %u pictures could be processed."), failed);
  else if (failed > 0 && task->jobs->len > 1)
    odl_report_usage (g_dngettext (GETTEXT_PACKAGE,
                                   "%u of %u pictures could not be processed.",
                                   "%u of %u pictures could not be processed.", failed),
                      failed, task->jobs->len);
  if (failed > 0)
    return ODL_EXIT_FAILED;
  return all_marked > 0 ? ODL_EXIT_DAMAGED : ODL_EXIT_DONE;
}

static int
process (int argc, char **argv)
{
  // Before any thread of OpenMP, OpenGL or GLib.
  g_autofree char *farewell
      = g_strdup_printf ("%s: %s", g_get_prgname (),
                         _ ("Stopped. What was finished stays; of the rest nothing was "
                            "written, and nothing was written over."));
  g_autoptr (OdlOutputGuard) guard = odl_output_guard_new (farewell);
  g_autoptr (GError) error = NULL;
  Options options = { 0 };
  OdlProcess task = { .guard = guard };
  int status = ODL_EXIT_USAGE;

  if (parse_options (&options, argc, argv)) {
    if (parse_task (&options, &task, &error)) {
      status = run_jobs (&task);
    } else {
      odl_report_error (NULL, error);
      status = odl_report_status (error);
    }
  }
  g_clear_pointer (&task.runner, odl_runner_free);
  g_clear_pointer (&task.jobs, g_ptr_array_unref);
  options_clear (&options);
  return status;
}

const OdlVerb odl_verb_process = {
  .name = "process",
  .arguments = N_ ("INPUT… -o OUT"),
  .summary = N_ ("Filter pictures and videos; write PNG, float TIFF or Matroska."),
  .run = process,
};
