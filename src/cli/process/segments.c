// SPDX-License-Identifier: MIT
#include "cli/process/segments.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/verb.h"
#include "source/dicom/series.h"
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

// Whatever lies there of the segments.
static bool
draw_segments (const OdlProcess *task,
               const OdlJob *job,
               const OdlSegmentsPlane *plane,
               OdlOutlines *outlines,
               GError **error)
{
  const guint before = outlines->lines->len;

  if (!odl_segments_fit (task->work.segments, plane))
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("the segments are for other pictures: they name neither its frame of "
           "reference nor the picture"));
  odl_segments_draw (task->work.segments, plane, task->work.hidden_segments,
                     (OdlPoint){ 0, 0 }, outlines);
  if (outlines->lines->len == before)
    odl_report_note (job->input, _ ("no segment lies on this picture"));
  if (outlines->is_cut)
    odl_report_note (
        job->input, _ ("the segments have more lines than are drawn; some are left out"));
  return true;
}

static bool
draw_fusion (const OdlProcess *task,
             const OdlSegmentsPlane *plane,
             OdlOutlines *outlines,
             GError **error)
{
  g_autofree char *why = NULL;

  if (!odl_fusion_fits (task->work.fusion, plane, &why))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED, "%s", why);
  odl_fusion_draw (task->work.fusion, plane, &task->work.fusion_look, (OdlPoint){ 0, 0 },
                   outlines);
  return true;
}

static bool
draw (const OdlProcess *task,
      const OdlJob *job,
      const OdlSegmentsPlane *plane,
      OdlOutlines **outlines,
      GError **error)
{
  *outlines = odl_outlines_new ();
  return (task->work.fusion == NULL || draw_fusion (task, plane, *outlines, error))
         && (task->work.segments == NULL
             || draw_segments (task, job, plane, *outlines, error));
}

static bool
draws (const OdlProcess *task)
{
  return task->work.segments != NULL || task->work.fusion != NULL;
}

// Into task->work.fusion_look.
static bool
parse_fusion_look (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  const char *colours
      = options->fuse_colours != NULL ? options->fuse_colours : "hot-iron";
  const char *share = options->fuse_share != NULL ? options->fuse_share : "0.5";
  const char *levels = options->fuse_window != NULL ? options->fuse_window : "file";
  OdlFusionLook *look = &task->work.fusion_look;
  g_auto (GStrv) numbers = g_strsplit (levels, ",", 3);

  look->map = odl_colour_map_find (colours);
  if (look->map == NULL)
    return odl_usage_error (error,
                            _ ("--fuse-colours “%s” are no colours; “--help” names "
                               "them."),
                            colours);
  if (!odl_number_from_text (share, &look->share)
      || !(look->share >= 0 && look->share <= 1))
    return odl_usage_error (error, _ ("--fuse-share “%s” is no number from 0 to 1."),
                            share);
  if (g_str_equal (levels, "file")
      || (g_strv_length (numbers) == 2
          && odl_number_from_text (numbers[0], &look->levels.centre)
          && odl_number_from_text (numbers[1], &look->levels.width)
          && look->levels.width > 0))
    return true;
  return odl_usage_error (error,
                          _ ("--fuse-window “%s” is no window. Write file, or "
                             "CENTRE,WIDTH such as 5000,10000."),
                          levels);
}

bool
odl_process_read_fusion (const OdlProcessOptions *options,
                         OdlProcess *task,
                         GError **error)
{
  if (options->fuse == NULL)
    return (options->fuse_colours == NULL && options->fuse_share == NULL
            && options->fuse_window == NULL)
           || odl_usage_error (error, _ ("--fuse-colours, --fuse-share and --fuse-window "
                                         "say how --fuse FILE is seen."));
  if (!task->work.format->shows || task->work.format->write == NULL || task->work.numbered
      || options->rendering != NULL)
    return odl_usage_error (
        error,
        _ ("--fuse is for single pictures as they are shown, and planes of volumes: name "
           "a PNG, JPEG or WebP file after -o; --frame N takes one of several."));
  if (!parse_fusion_look (options, task, error))
    return false;
  g_autofree char *series = g_file_test (options->fuse, G_FILE_TEST_IS_DIR)
                                ? odl_series_location (options->fuse)
                                : g_strdup (options->fuse);
  task->work.fusion = odl_fusion_read (series, NULL, error);
  return task->work.fusion != NULL;
}

bool
odl_process_outline (const OdlProcess *task,
                     const OdlJob *job,
                     OdlStill *still,
                     GError **error)
{
  OdlSegmentsPlane plane;

  if (!draws (task))
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

  if (!draws (task))
    return true;
  if (!odl_segments_plane_through (source, volume, task->work.on.plane, &look, &plane))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its slices do not say where they lie, so that nobody knows "
                             "where the segments are"));
  return draw (task, job, &plane, outlines, error);
}
