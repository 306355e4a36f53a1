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
}

bool
odl_measure_files_parse (OdlMeasureFiles *files,
                         const OdlProcessOptions *options,
                         GError **error)
{
  const bool any = files->report != NULL || files->state != NULL;

  if (any && options->plane != NULL)
    return odl_usage_error (error,
                            _ ("--sr and --gsps refer to a stored picture, which a plane "
                               "through a volume is not. Leave out --plane."));
  if (files->state == NULL
      && (options->window != NULL || options->orient != NULL || options->invert))
    return odl_usage_error (
        error, _ ("--window, --orient and --invert are what --gsps FILE keeps of how the "
                  "picture is looked at."));
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
  const char *const outputs[] = { files->report, files->state };
  g_autoptr (GHashTable) inputs = odl_source_files_new ();

  odl_source_files_add (inputs, options->inputs[0]);
  if (options->recipe != NULL)
    odl_source_files_add_path (inputs, options->recipe);
  for (size_t i = 0; i < G_N_ELEMENTS (outputs); i++)
    if (outputs[i] != NULL
        && !(odl_said_is_possible (source, options->frame - 1, error)
             && odl_output_check (inputs, outputs[i], options->force, error)))
      return false;
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
  // The one that is refused more often first: then nothing is written.
  return (files->state == NULL
          || odl_said_save_state (&all, files->state, options->force, error))
         && (files->report == NULL
             || odl_said_save_report (&all, files->report, options->force, error));
}
