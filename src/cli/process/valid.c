// SPDX-License-Identifier: MIT
#include "cli/process/valid.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "plan/bands.h"
#include "source/volume.h"

static bool
find_range (const OdlPlan *plan,
            OdlAxis axis,
            int n,
            int *first,
            int *end,
            GError **error)
{
  const int reach = odl_plan_reach (plan, axis);

  *first = MAX (reach, 0);
  *end = n - *first;
  if (reach < 0)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("--valid: each sample of the result depends on all of the "
                            "picture, or on all pictures before it. Leave out --valid, "
                            "or the filter."));
  else if (*end <= *first)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("--valid: nothing is left, since the filters look at %d samples on "
                    "either side, and there are %d."),
                 reach, n);
  return reach >= 0 && *end > *first;
}

static bool
find_times (const OdlProcess *task,
            const OdlPlan *plan,
            const OdlSourceInfo *info,
            OdlValid *valid,
            GError **error)
{
  const OdlTimeReach reach = odl_plan_time_reach (&task->work.asked, &plan->geometry);

  valid->unit = info != NULL && info->n_slices > 0 ? info->n_slices : 1;
  valid->first_time = reach.past;
  valid->end_time = info != NULL && info->n_frames > 0
                        ? info->n_frames / valid->unit - reach.ahead
                        : G_MAXINT64;
  if (valid->end_time > valid->first_time)
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("--valid: nothing is left, since the filters look at %d times "
                           "before and after, and there are %d."),
                        reach.past, (int) (valid->end_time + reach.ahead));
}

static bool
find_valid (const OdlProcess *task,
            const OdlPlan *plan,
            const OdlSourceInfo *info,
            OdlValid *valid,
            GError **error)
{
  const OdlGeometry *geometry = &plan->geometry;
  int end_x = 0, end_y = 0;

  *valid = (OdlValid){ .end_slice = info != NULL ? MAX (info->n_slices, 1) : 1 };
  if (!find_range (plan, ODL_AXIS_X, geometry->width, &valid->part.x, &end_x, error)
      || !find_range (plan, ODL_AXIS_Y, geometry->height, &valid->part.y, &end_y, error)
      || (geometry->depth > 1
          && !find_range (plan, ODL_AXIS_Z, geometry->depth, &valid->first_slice,
                          &valid->end_slice, error)))
    return false;
  valid->part.width = end_x - valid->part.x;
  valid->part.height = end_y - valid->part.y;
  return find_times (task, plan, info, valid, error);
}

static bool
has_frame (const OdlValid *valid, gint64 index)
{
  const gint64 time = index / valid->unit, slice = index % valid->unit;

  return time >= valid->first_time && time < valid->end_time
         && slice >= valid->first_slice && slice < valid->end_slice;
}

bool
odl_valid_cut_picture (const OdlProcess *task,
                       const OdlSourceInfo *info,
                       gint64 index,
                       OdlPicture *picture,
                       OdlValid *valid,
                       bool *any,
                       GError **error)
{
  OdlArrangement *part = &picture->shape.arrangement;

  if (!find_valid (task, picture->plan, info, valid, error))
    return false;
  valid->part.orientation = part->orientation;
  *part = valid->part;
  *any = has_frame (valid, index);
  return true;
}

bool
odl_valid_has_none (GError **error)
{
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("--valid: these frames depend on a border as a whole. Ask for "
                           "others, or leave out --valid."));
}

static void
cut_shape (const OdlValid *valid,
           gint64 first,
           const OdlImageInfo *slice,
           OdlVolumeShape *shape)
{
  const gint64 time = first / valid->unit;
  const int from = (int) (first % valid->unit), to = from + shape->slices;
  const int first_slice = MAX (from, valid->first_slice);

  shape->slices = MAX (MIN (to, valid->end_slice) - first_slice, 0);
  shape->volumes = (int) MAX (
      MIN (time + shape->volumes, valid->end_time) - MAX (time, valid->first_time), 0);
  if (shape->times_ns != NULL)
    shape->times_ns += MAX (time, valid->first_time) - time;
  for (int row = 0; shape->is_placed && row < 3; row++)
    shape->position_mm[row]
        += (first_slice - from) * shape->slice_step_mm[row]
           + valid->part.x * slice->spacing_mm[0] * shape->orientation[row]
           + valid->part.y * slice->spacing_mm[1] * shape->orientation[3 + row];
}

// A band that is high along an axis begins half a step later.
static void
take_band (const OdlPicture *slice,
           const OdlBandPlace *band,
           int first,
           OdlVolumeShape *shape)
{
  const double *spacing_mm = odl_image_info (slice->source)->spacing_mm;
  double later[3];

  for (int axis = 0; axis < 3; axis++) {
    const int step = odl_picture_band_step (slice, axis);
    later[axis] = (slice->shape.band >> axis & 1) != 0 ? step / 2 : 0;
  }
  if (slice->shape.of_volume)
    shape->slices
        = MAX (MIN (first + shape->slices, band->to[2]) - MAX (first, band->from[2]), 0);
  for (int row = 0; shape->is_placed && row < 3; row++) {
    shape->position_mm[row] += later[0] * spacing_mm[0] * shape->orientation[row]
                               + later[1] * spacing_mm[1] * shape->orientation[3 + row]
                               + later[2] * shape->slice_step_mm[row];
    shape->slice_step_mm[row] *= odl_picture_band_step (slice, 2);
  }
}

OdlVolumeFile *
odl_process_open_volume (const OdlProcess *task,
                         const OdlJob *job,
                         const OdlSource *source,
                         gint64 n,
                         const OdlPicture *slice,
                         const OdlValid *valid,
                         const OdlBandPlace *band,
                         OdlSure sure,
                         GError **error)
{
  const OdlVolumeFormat format = task->work.format->volume;
  bool is_uneven = false;
  OdlVolumeShape shape;

  if (odl_volume_format_holds_pictures (format, odl_source_has_beams (source))
          ? !odl_pages_shape_find (source, task->work.first, n, &shape, &is_uneven, error)
          : !odl_volume_shape_find (source, task->work.first, n, &shape, error))
    return NULL;
  if (is_uneven && format == ODL_VOLUME_TIFF)
    odl_report_note (job->input,
                     _ ("its frames are not equally far apart in time; a TIFF "
                        "stack has their mean distance alone"));
  if (valid != NULL)
    cut_shape (valid, task->work.first, odl_image_info (slice->source), &shape);
  if (band != NULL)
    take_band (slice, band, (int) (task->work.first % MAX (source->info.n_slices, 1)),
               &shape);
  if (shape.slices == 0 || shape.volumes == 0) {
    odl_valid_has_none (error);
    return NULL;
  }
  return odl_volume_file_new (task->guard, job->output, format, &shape, sure,
                              task->replace, error);
}
