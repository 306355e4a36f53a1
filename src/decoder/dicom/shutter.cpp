// SPDX-License-Identifier: MIT
#include "decoder/dicom/shutter.hpp"

#include <algorithm>
#include <cstring>
#include <glib/gi18n-lib.h>
#include <memory>
#include <vector>

#include "decoder/dicom/item.hpp"
#include "image/display/shutter.h"

#define MOST_SHAPES 3

// The first numbers of elements; empty: one is missing.
static std::vector<double>
read_numbers (DcmItem *item,
              std::initializer_list<std::pair<DcmTagKey, unsigned> > places)
{
  std::vector<double> numbers;
  double value = 0;

  for (const auto &place : places) {
    if (!odl_item_number (item, place.first, place.second, value))
      return {};
    numbers.push_back (value);
  }
  return numbers;
}

static bool
read_rectangle (DcmItem *item, OdlShutter *shutter)
{
  const std::vector<double> edges
      = read_numbers (item, { { DCM_ShutterLeftVerticalEdge, 0 },
                              { DCM_ShutterRightVerticalEdge, 0 },
                              { DCM_ShutterUpperHorizontalEdge, 0 },
                              { DCM_ShutterLowerHorizontalEdge, 0 } });

  return !edges.empty () && odl_shutter_set_rectangle (shutter, edges.data ());
}

static bool
read_circle (DcmItem *item, OdlShutter *shutter)
{
  const std::vector<double> numbers
      = read_numbers (item, { { DCM_CenterOfCircularShutter, 0 },
                              { DCM_CenterOfCircularShutter, 1 },
                              { DCM_RadiusOfCircularShutter, 0 } });

  return !numbers.empty () && odl_shutter_set_circle (shutter, numbers.data ());
}

static bool
read_polygon (DcmItem *item, OdlShutter *shutter)
{
  std::vector<double> numbers;
  double value = 0;

  while (numbers.size () <= 2 * ODL_SHUTTER_MOST_VERTICES
         && odl_item_number (item, DCM_VerticesOfThePolygonalShutter,
                             (unsigned) numbers.size (), value))
    numbers.push_back (value);
  return odl_shutter_set_polygon (shutter, numbers.data (), numbers.size ());
}

// False: it is not applied, which was said.
static bool
read_shapes (DcmItem *item, OdlPicture *picture, OdlShutter *shutter)
{
  static const struct {
    const char *name;
    bool (*read) (DcmItem *item, OdlShutter *shutter);
  } shapes[] = {
    { "RECTANGULAR", read_rectangle },
    { "CIRCULAR", read_circle },
    { "POLYGONAL", read_polygon },
  };
  OFString name;

  for (unsigned i = 0;
       i < MOST_SHAPES && item->findAndGetOFString (DCM_ShutterShape, name, i).good ();
       i++) {
    const auto *row = std::find_if (
        std::begin (shapes), std::end (shapes), [&name] (const auto &shape) {
          return strncmp (name.c_str (), shape.name, strlen (shape.name)) == 0;
        });
    if (row == std::end (shapes)) {
      odl_picture_warn (picture,
                        _ ("its display shutter of the shape “%s” is not applied"),
                        name.c_str ());
      return false;
    }
    if (!row->read (item, shutter)) {
      odl_picture_warn (picture, _ ("its display shutter is invalid and is not applied"));
      return false;
    }
  }
  return true;
}

// PS3.14 P-Values: 0 is black.
static double
read_level (DcmItem *item)
{
  uint32_t value = 0;

  odl_item_short (item, DCM_ShutterPresentationValue, value);
  return value / (double) UINT16_MAX;
}

static void
draw (const OdlShutter *shutter, double level, OdlPicture *picture)
{
  const size_t width = picture->reply.width, height = picture->reply.height;
  uint8_t *bits = odl_picture_add_shutter (picture, level);
  const size_t n
      = bits != NULL ? odl_shutter_cover (shutter, (int) width, (int) height, bits) : 0;

  if (n == 0 || n == width * height)
    odl_picture_drop_shutter (picture);
  if (n == width * height)
    odl_picture_warn (picture, _ ("its display shutter would cover the whole picture and "
                                  "is not applied"));
}

void
odl_dicom_shutter_read (DcmItem *dataset, uint32_t frame, OdlPicture *picture)
{
  DcmItem *item = odl_item_macro (dataset, DCM_FrameDisplayShutterSequence, frame);
  auto shutter = std::make_unique<OdlShutter> ();

  if (!item->tagExistsWithValue (DCM_ShutterShape))
    return;
  odl_picture_detail (picture, "display-shutter", "%s",
                      odl_item_text (item, DCM_ShutterShape).c_str ());
  if (!read_shapes (item, picture, shutter.get ()))
    return;
  shutter->aspect = 1 / picture->reply.pixel_aspect;
  draw (shutter.get (), read_level (item), picture);
}
