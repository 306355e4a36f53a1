// SPDX-License-Identifier: MIT
// What is done to results when they are written.
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/process/process.h"

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

bool
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
  if ((any || band) && !may_be_arranged (task->work.format))
    return odl_usage_error (
        error,
        any ? _ ("--crop, --orient and --wipe are for pictures and videos, not for the "
                 "format “%s”.")
            : _ ("--view band:… is for pictures and videos, not for the format “%s”, "
                 "which says where its samples lie. Write a TIFF, an NPY or a PNG."),
        task->work.format->name);
  if (options->valid && !may_be_valid (options, task->work.format, error))
    return false;
  task->work.valid = options->valid;
  task->work.window.invert = options->invert;
  if (band && !parse_band (options->view, shape, error))
    return false;
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
