// SPDX-License-Identifier: MIT
#include "config.h"

#include "decoder/dicom/shutter.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glib/gi18n-lib.h>
#include <vector>

#include "decoder/dicom/item.hpp"
#include "image/display/overlay.h"

// Edges and vertices may lie this far from the picture.
#define MOST_PLACE 1e6
// Polygons have few corners; each row is compared with all of them.
#define MOST_VERTICES 1024
#define MOST_SHAPES 3

namespace {

// Columns and rows from 1, as DICOM counts them.
struct Point {
  double column, row;
};

// What a row shows: the columns of each span, both ends included.
struct Span {
  double first, last;
};

typedef std::vector<Span> Spans;

struct Shutter {
  bool has_rectangle = false, has_circle = false;
  double left = 0, right = 0, upper = 0, lower = 0;
  Point centre = {};
  double radius = 0; // in columns
  double aspect = 1; // columns that a row is high
  std::vector<Point> polygon;
};

}

static bool
read_place (DcmItem *item, const DcmTagKey &tag, unsigned index, double &value)
{
  return odl_item_number (item, tag, index, value) && fabs (value) <= MOST_PLACE;
}

static bool
read_rectangle (DcmItem *item, Shutter *shutter)
{
  shutter->has_rectangle = true;
  return read_place (item, DCM_ShutterLeftVerticalEdge, 0, shutter->left)
         && read_place (item, DCM_ShutterRightVerticalEdge, 0, shutter->right)
         && read_place (item, DCM_ShutterUpperHorizontalEdge, 0, shutter->upper)
         && read_place (item, DCM_ShutterLowerHorizontalEdge, 0, shutter->lower)
         && shutter->left <= shutter->right && shutter->upper <= shutter->lower;
}

static bool
read_circle (DcmItem *item, Shutter *shutter)
{
  shutter->has_circle = true;
  return read_place (item, DCM_CenterOfCircularShutter, 0, shutter->centre.row)
         && read_place (item, DCM_CenterOfCircularShutter, 1, shutter->centre.column)
         && read_place (item, DCM_RadiusOfCircularShutter, 0, shutter->radius)
         && shutter->radius > 0;
}

static bool
read_polygon (DcmItem *item, Shutter *shutter)
{
  Point at;

  for (unsigned i = 0;
       read_place (item, DCM_VerticesOfThePolygonalShutter, 2 * i, at.row); i++) {
    if (i >= MOST_VERTICES
        || !read_place (item, DCM_VerticesOfThePolygonalShutter, 2 * i + 1, at.column))
      return false;
    shutter->polygon.push_back (at);
  }
  return shutter->polygon.size () >= 3;
}

// False: it is not applied, which was said.
static bool
read_shapes (DcmItem *item, OdlPicture *picture, Shutter *shutter)
{
  static const struct {
    const char *name;
    bool (*read) (DcmItem *item, Shutter *shutter);
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

// ---- what a row shows
// ------------------------------------------------------------------

static Spans
rectangle_spans (const Shutter *shutter, double row)
{
  if (row < shutter->upper || row > shutter->lower)
    return {};
  return { { shutter->left, shutter->right } };
}

static Spans
circle_spans (const Shutter *shutter, double row)
{
  const double away = (row - shutter->centre.row) * shutter->aspect;
  const double square = shutter->radius * shutter->radius - away * away;

  if (square < 0)
    return {};
  const double reach = sqrt (square);
  return { { shutter->centre.column - reach, shutter->centre.column + reach } };
}

// By the even-odd rule; edges and corners belong to it.
static Spans
polygon_spans (const Shutter *shutter, double row)
{
  const std::vector<Point> &corners = shutter->polygon;
  std::vector<double> crossings;
  Spans spans;

  for (size_t i = 0; i < corners.size (); i++) {
    const Point &a = corners[i], &b = corners[(i + 1) % corners.size ()];
    if (a.row == row)
      spans.push_back ({ a.column, a.column });
    if (a.row == row && b.row == row)
      spans.push_back ({ MIN (a.column, b.column), MAX (a.column, b.column) });
    else if ((a.row <= row) != (b.row <= row))
      crossings.push_back (a.column
                           + (row - a.row) / (b.row - a.row) * (b.column - a.column));
  }
  std::sort (crossings.begin (), crossings.end ());
  for (size_t i = 0; i + 1 < crossings.size (); i += 2)
    spans.push_back ({ crossings[i], crossings[i + 1] });
  return spans;
}

// Clears the mark of the columns that one shape shows.
static void
show (const Spans &spans, std::vector<uint8_t> &covered)
{
  const double n = (double) covered.size ();

  for (const Span &span : spans) {
    const double first = MAX (ceil (span.first), 1), last = MIN (floor (span.last), n);
    for (double column = first; column <= last; column++)
      covered[(size_t) column - 1] = 0;
  }
}

// Marks what is covered of row number `row`; returns how many columns are.
static size_t
cover_row (const Shutter *shutter, double row, std::vector<uint8_t> &covered)
{
  std::vector<uint8_t> one (covered.size ());
  const struct {
    bool there;
    Spans (*spans) (const Shutter *shutter, double row);
  } shapes[] = {
    { shutter->has_rectangle, rectangle_spans },
    { shutter->has_circle, circle_spans },
    { !shutter->polygon.empty (), polygon_spans },
  };
  size_t n = 0;

  std::fill (covered.begin (), covered.end (), 0);
  for (const auto &shape : shapes) {
    if (!shape.there)
      continue;
    std::fill (one.begin (), one.end (), 1);
    show (shape.spans (shutter, row), one);
    for (size_t x = 0; x < covered.size (); x++)
      covered[x] |= one[x];
  }
  for (uint8_t is_covered : covered)
    n += is_covered;
  return n;
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
draw (const Shutter *shutter, double level, OdlPicture *picture)
{
  const size_t width = picture->reply.width, height = picture->reply.height;
  uint8_t *bits = odl_picture_add_shutter (picture, level);
  std::vector<uint8_t> covered (width);
  size_t n = 0;

  for (size_t y = 0; bits != NULL && y < height; y++) {
    n += cover_row (shutter, (double) y + 1, covered);
    uint8_t *row = bits + y * odl_overlay_stride (width);
    for (size_t x = 0; x < width; x++)
      row[x / 8] |= (uint8_t) (covered[x] << (x % 8));
  }
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
  Shutter shutter;

  if (!item->tagExistsWithValue (DCM_ShutterShape))
    return;
  odl_picture_detail (picture, "display-shutter", "%s",
                      odl_item_text (item, DCM_ShutterShape).c_str ());
  if (!read_shapes (item, picture, &shutter))
    return;
  shutter.aspect = 1 / picture->reply.pixel_aspect;
  draw (&shutter, read_level (item), picture);
}
