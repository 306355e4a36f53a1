// SPDX-License-Identifier: MIT
#include "image/beam_picture.h"

#include <math.h>
#include <string.h>

// Radians: lines of smaller angles from the y axis lead down.
#define STEEP 1.5

OdlBeamPicture
odl_beam_picture_of (const OdlBeams *beams, int columns, int rows, int width, int height)
{
  const OdlBeamsBox box = odl_beams_box (beams, columns, rows);
  const double across = box.right - box.left, down = box.bottom - box.top;
  const double pixel = across / (width - 1);
  // Rows whose centres lie in the box.
  const double fitting = floor (down / pixel + 1e-6) + 1;
  OdlBeamPicture picture
      = { .beams = *beams,
          .columns = columns,
          .rows = rows,
          .width = width,
          .height
          = height > 0 ? height : (int) CLAMP (fitting, 1, ODL_BEAM_PICTURE_MOST) };

  picture.pixel_mm = pixel;
  if (picture.height > 1 && (height > 0 || fitting > ODL_BEAM_PICTURE_MOST))
    picture.pixel_mm = MAX (pixel, down / (picture.height - 1));
  picture.left = (box.left + box.right) / 2 - picture.pixel_mm * (picture.width - 1) / 2;
  picture.top = height > 0
                    ? (box.top + box.bottom) / 2 - picture.pixel_mm * (height - 1) / 2
                    : box.top;
  return picture;
}

// What the beams and samples fill, with the edge.
typedef struct {
  double near_mm, far_mm; // CURVILINEAR from the circle's centre
  double side[2]; // CURVILINEAR the outermost angles, LINEAR where these beams begin
  double centre; // CURVILINEAR: y of the array's middle from the circle's centre; else 0
} Filled;

static Filled
filled_by (const OdlBeamPicture *picture)
{
  const OdlBeams *beams = &picture->beams;
  const double centre = beams->array == ODL_BEAMS_CURVILINEAR ? beams->radius_mm : 0;
  const double from = centre + beams->start_mm, edge = ODL_BEAM_PICTURE_EDGE;

  return (Filled){
    .near_mm = from - edge * beams->sample_mm,
    .far_mm = from + (picture->rows - 1 + edge) * beams->sample_mm,
    .side = { beams->first - edge * beams->step,
              beams->first + (picture->columns - 1 + edge) * beams->step },
    .centre = centre,
  };
}

// Clears the bits of columns from … to − 1, or sets them.
static void
fill (uint8_t *bits, int from, int to, bool set)
{
  for (; from < to && from % 8 != 0; from++)
    bits[from / 8] = (uint8_t) (set ? bits[from / 8] | 1 << from % 8
                                    : bits[from / 8] & ~(1 << from % 8));
  const int bytes = MAX (to - from, 0) / 8;
  memset (bits + from / 8, set ? 0xff : 0, (size_t) bytes);
  for (from += 8 * bytes; from < to; from++)
    bits[from / 8] = (uint8_t) (set ? bits[from / 8] | 1 << from % 8
                                    : bits[from / 8] & ~(1 << from % 8));
}

// The first column at or behind x_mm.
static int
column_from (const OdlBeamPicture *picture, double x_mm)
{
  return (int) CLAMP (ceil ((x_mm - picture->left) / picture->pixel_mm), 0,
                      picture->width);
}

// The first column behind x_mm.
static int
column_behind (const OdlBeamPicture *picture, double x_mm)
{
  return (int) CLAMP (floor ((x_mm - picture->left) / picture->pixel_mm) + 1, 0,
                      picture->width);
}

// A row of beams that all lead down, between two lines and two arcs about the circle's
// centre, from which y is measured.
static void
clear_wedge (const OdlBeamPicture *picture, const Filled *f, double y, uint8_t *bits)
{
  const double reach = f->far_mm * f->far_mm - y * y,
               hole = f->near_mm * f->near_mm - y * y;

  if (reach < 0)
    return;
  fill (bits, column_from (picture, MAX (y * tan (f->side[0]), -sqrt (reach))),
        column_behind (picture, MIN (y * tan (f->side[1]), sqrt (reach))), false);
  if (f->near_mm > 0 && hole > 0)
    fill (bits, column_behind (picture, -sqrt (hole)), column_from (picture, sqrt (hole)),
          true);
}

// The same of beams in any directions.
static void
clear_around (const OdlBeamPicture *picture, const Filled *f, double y, uint8_t *bits)
{
  for (int column = 0; column < picture->width; column++) {
    const double x = picture->left + picture->pixel_mm * column;
    const double from = hypot (x, y), angle = atan2 (x, y);
    if (from >= f->near_mm && from <= f->far_mm && angle >= f->side[0]
        && angle <= f->side[1])
      fill (bits, column, column + 1, false);
  }
}

static void
clear_parallel (const OdlBeamPicture *picture, const Filled *f, double y, uint8_t *bits)
{
  const double depth = y / cos (picture->beams.steering);
  const double lean = y * tan (picture->beams.steering);

  if (depth >= f->near_mm && depth <= f->far_mm)
    fill (bits, column_from (picture, f->side[0] + lean),
          column_behind (picture, f->side[1] + lean), false);
}

OdlOverlay *
odl_beam_picture_outside (const OdlBeamPicture *picture)
{
  const bool curved = picture->beams.array == ODL_BEAMS_CURVILINEAR;
  const Filled f = filled_by (picture);
  const bool leads_down = f.side[0] > -STEEP && f.side[1] < STEEP;
  const size_t stride = odl_overlay_stride ((size_t) picture->width);
  g_autofree uint8_t *bits = g_malloc0 (stride * (size_t) picture->height);

  for (int row = 0; row < picture->height; row++) {
    uint8_t *own = bits + (size_t) row * stride;
    const double y = picture->top + f.centre + picture->pixel_mm * row;
    fill (own, 0, picture->width, true);
    if (!curved)
      clear_parallel (picture, &f, y, own);
    else if (leads_down)
      clear_wedge (picture, &f, y, own);
    else
      clear_around (picture, &f, y, own);
  }
  return odl_overlay_new (picture->width, picture->height, bits);
}
