// SPDX-License-Identifier: MIT
#include "cli/measure_files.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "cli/process/present.h"
#include "source/source_files.h"

void
odl_measure_files_clear (OdlMeasureFiles *files)
{
  g_free (files->report);
  g_free (files->state);
  g_free (files->kos);
  g_free (files->derived);
  g_free (files->keys);
  g_clear_pointer (&files->key_frames, g_array_unref);
}

static bool
parse_keys (OdlMeasureFiles *files, gint64 frame, GError **error)
{
  g_auto (GStrv) words = g_strsplit (files->keys != NULL ? files->keys : "", ",", -1);

  files->key_frames = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (files->keys != NULL && files->kos == NULL)
    return odl_usage_error (error, _ ("--keys names the pictures for --kos FILE."));
  for (char **word = words; *word != NULL; word++) {
    gint64 number;
    if (!g_ascii_string_to_signed (g_strstrip (*word), 10, 1, G_MAXINT, &number, NULL))
      return odl_usage_error (error,
                              _ ("--keys “%s” are no numbers of frames, such as 1,5,12."),
                              files->keys);
    number--;
    g_array_append_val (files->key_frames, number);
  }
  frame--;
  if (files->key_frames->len == 0)
    g_array_append_val (files->key_frames, frame);
  return true;
}

bool
odl_measure_files_parse (OdlMeasureFiles *files,
                         const OdlProcessOptions *options,
                         GError **error)
{
  const bool any = files->report != NULL || files->state != NULL || files->kos != NULL;

  if (any && options->plane != NULL)
    return odl_usage_error (
        error, _ ("--sr, --gsps and --kos refer to a stored picture, which a plane "
                  "through a volume is not. Leave out --plane."));
  if (files->derived != NULL && files->report == NULL)
    return odl_usage_error (error, _ ("--derived names what the values of --sr FILE were "
                                      "measured in after the filters."));
  if (files->state == NULL
      && (options->window != NULL || options->orient != NULL || options->invert))
    return odl_usage_error (
        error, _ ("--window, --orient and --invert are what --gsps FILE keeps of how the "
                  "picture is looked at."));
  if (!parse_keys (files, options->frame, error))
    return false;
  if (!odl_process_parse_window (options->window, &files->window, error))
    return false;
  files->window.invert = options->invert;
  return odl_process_find_turn (options->orient != NULL ? options->orient : "0",
                                &files->view.quarter_turns, &files->view.flip_horizontal)
         || odl_usage_error (
             error, _ ("“%s” is no way to turn the picture that a state can keep."),
             options->orient);
}

bool
odl_measure_files_check (const OdlMeasureFiles *files,
                         const OdlProcessOptions *options,
                         const OdlSource *source,
                         GError **error)
{
  const char *const outputs[] = { files->report, files->state, files->kos };
  g_autoptr (GHashTable) inputs = odl_source_files_new ();

  odl_source_files_add (inputs, options->inputs[0]);
  if (options->recipe != NULL)
    odl_source_files_add_path (inputs, options->recipe);
  if (files->derived != NULL)
    odl_source_files_add_path (inputs, files->derived);
  for (size_t i = 0; i < G_N_ELEMENTS (outputs); i++)
    if (outputs[i] != NULL
        && !(odl_said_is_possible (source, options->frame - 1, error)
             && odl_output_check (inputs, outputs[i], options->force, error)))
      return false;
  for (guint i = 0; files->kos != NULL && i < files->key_frames->len; i++) {
    const gint64 frame = g_array_index (files->key_frames, gint64, i);
    if (frame >= MAX (source->info.n_frames, 1))
      return odl_usage_error (error, _ ("there is no frame %d for --keys; there are %d"),
                              (int) frame + 1, source->info.n_frames);
    if (!odl_said_is_possible (source, frame, error))
      return false;
  }
  return true;
}

bool
odl_measure_files_save (const OdlMeasureFiles *files,
                        const OdlProcessOptions *options,
                        const OdlSaidParams *said,
                        GError **error)
{
  OdlSaidParams all = *said;

  all.window = &files->window;
  all.view = &files->view;
  all.derived = files->derived;
  // The one that is refused more often first: then nothing is written.
  return (files->state == NULL
          || odl_said_save_state (&all, files->state, options->force, error))
         && (files->report == NULL
             || odl_said_save_report (&all, files->report, options->force, error))
         && (files->kos == NULL
             || odl_said_save_keys (
                 said->source, (const gint64 *) (void *) files->key_frames->data,
                 files->key_frames->len, files->kos, options->force, error));
}
