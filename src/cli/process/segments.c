// SPDX-License-Identifier: MIT
#include "cli/process/segments.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "cli/verb.h"
#include "source/source_file.h"

// The numbers are those of the file's list, from 1.
static bool
parse_shown (const char *text, OdlProcess *task, GError **error)
{
  const int n = odl_segments_count (task->work.segments);
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);

  if (text == NULL)
    return true;
  task->work.hidden_segments = g_malloc (MAX (n, 1));
  memset (task->work.hidden_segments, 1, MAX (n, 1));
  for (char **word = words; *word != NULL; word++) {
    gint64 number;
    if (!g_ascii_string_to_signed (g_strstrip (*word), 10, 1, n, &number, NULL))
      return odl_usage_error (
          error,
          _ ("--show-segments “%s”: these are numbers of segments such as 1,3, and the "
             "file has %d."),
          text, n);
    task->work.hidden_segments[number - 1] = 0;
  }
  return true;
}

bool
odl_process_read_segments (const OdlProcessOptions *options,
                           OdlProcess *task,
                           GError **error)
{
  if (options->segments == NULL)
    return options->show_segments == NULL
           || odl_usage_error (error, _ ("--show-segments chooses those of --segments "
                                         "FILE."));
  if (!task->work.format->shows || task->work.format->write == NULL || task->work.numbered
      || options->rendering != NULL)
    return odl_usage_error (
        error,
        _ ("--segments is for single pictures as they are shown, and planes of volumes: "
           "name a PNG, JPEG or WebP file after -o; --frame N takes one of several."));
  task->work.segments = odl_segments_read (options->segments, NULL, error);
  return task->work.segments != NULL && parse_shown (options->show_segments, task, error);
}

// With segments, whatever lies there.
static bool
draw (const OdlProcess *task,
      const OdlJob *job,
      const OdlSegmentsPlane *plane,
      OdlOutlines **outlines,
      GError **error)
{
  if (!odl_segments_fit (task->work.segments, plane))
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("the segments are for other pictures: they name neither its frame of "
           "reference nor the picture"));
  *outlines = odl_outlines_new ();
  odl_segments_draw (task->work.segments, plane, task->work.hidden_segments,
                     (OdlPoint){ 0, 0 }, *outlines);
  if (odl_outlines_is_empty (*outlines))
    odl_report_note (job->input, _ ("no segment lies on this picture"));
  if ((*outlines)->is_cut)
    odl_report_note (
        job->input, _ ("the segments have more lines than are drawn; some are left out"));
  return true;
}

bool
odl_process_outline (const OdlProcess *task,
                     const OdlJob *job,
                     OdlStill *still,
                     GError **error)
{
  OdlSegmentsPlane plane;

  if (task->work.segments == NULL)
    return true;
  g_autoptr (OdlSource) source = odl_source_open (job->input, NULL, error);
  if (source == NULL)
    return false;
  odl_segments_plane_of (source, task->work.frame, odl_image_info (still->image), &plane);
  return draw (task, job, &plane, &still->outlines, error);
}

bool
odl_process_outline_plane (const OdlProcess *task,
                           const OdlJob *job,
                           const OdlSource *source,
                           const OdlImageInfo *volume,
                           OdlOutlines **outlines,
                           GError **error)
{
  const OdlPlanesLook look = odl_on_plane_look (&task->work.on, volume);
  OdlSegmentsPlane plane;

  if (task->work.segments == NULL)
    return true;
  if (!odl_segments_plane_through (source, volume, task->work.on.plane, &look, &plane))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its slices do not say where they lie, so that nobody knows "
                             "where the segments are"));
  return draw (task, job, &plane, outlines, error);
}
