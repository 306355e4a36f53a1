// SPDX-License-Identifier: MIT
// Where the pixels of ultrasound lie: on a grid of millimetres, or on beams.
#include <math.h>
#include <string.h>

#include "decoder/hdf5/layout.h"

#define MM 1e3
// Fraction of a step by which places may be off a grid.
#define UNEVEN 0.02
#define ROUNDED 1e-3 // steps
// Places are looked at in so many columns and rows.
#define LOOKED 33

// The mean step of places in one direction; 0: they are not equally far apart.
static double
even_step (const double *at, uint32_t n)
{
  if (n < 2)
    return 0;
  const double step = (at[n - 1] - at[0]) / (n - 1);
  for (uint32_t i = 0; i < n; i++)
    if (!(fabs (at[i] - at[0] - i * step) <= UNEVEN * fabs (step)))
      return 0;
  return isfinite (step) ? step : 0;
}

static bool
is_spacing (double mm)
{
  return mm >= 1e-6 && mm <= 1e6;
}

// Pixels, or samples of beams that begin on a line.
static void
set_even (OdlH5Layout *layout, double left, double step, double top, double sample)
{
  layout->spacing_mm[0] = step;
  layout->spacing_mm[1] = sample;
  layout->upright = (OdlBeams){
    .array = ODL_BEAMS_LINEAR,
    .first = left,
    .step = step,
    // What rounding leaves of nothing.
    .start_mm = fabs (top) < UNEVEN * sample ? 0 : top,
    .sample_mm = sample,
  };
}

void
odl_h5_grid_linear (OdlH5Layout *layout, const double *x_m, const double *z_m)
{
  const double x = even_step (x_m, layout->width) * MM,
               z = even_step (z_m, layout->height) * MM;

  if (is_spacing (x) && is_spacing (z)) {
    set_even (layout, x_m[0] * MM, x, z_m[0] * MM, z);
  } else {
    layout->has_odd_places = true;
  }
}

static void
take_beams (OdlH5Layout *layout, const OdlBeams *beams)
{
  if (odl_beams_are_sound (beams, (int) layout->width, (int) layout->height))
    layout->beams = *beams;
  else
    layout->has_odd_places = true;
}

// Beams that lead away from an apex: the surface of the array is where depth is 0.
static OdlBeams
sector (double apex_y_mm, double first_mm, double step_mm, double first, double step)
{
  // What rounding of the places leaves of an apex at the skin is none.
  const double radius = -apex_y_mm > ROUNDED * step_mm ? -apex_y_mm : 0;

  return (OdlBeams){
    .array = ODL_BEAMS_CURVILINEAR,
    .radius_mm = radius,
    .first = first,
    .step = step,
    // What rounding leaves of nothing.
    .start_mm = fabs (first_mm - radius) < UNEVEN * step_mm ? 0 : first_mm - radius,
    .sample_mm = step_mm,
  };
}

void
odl_h5_grid_sector (OdlH5Layout *layout,
                    const double *angles,
                    const double *depths_m,
                    const double apex_m[2])
{
  const OdlBeams beams = sector (apex_m[1] * MM, depths_m[0] * MM,
                                 even_step (depths_m, layout->height) * MM, angles[0],
                                 even_step (angles, layout->width));

  take_beams (layout, &beams);
}

// ---- Places of all pixels ------------------------------------------------------------

typedef struct {
  const float *places_m;
  uint32_t width, height;
  double x_mm, y_mm; // are left out of what is compared
} Places;

static OdlBeamsPoint
place (const Places *places, uint32_t column, uint32_t row)
{
  const float *at = places->places_m + 3 * ((size_t) row * places->width + column);

  return (OdlBeamsPoint){ at[0] * MM - places->x_mm, at[2] * MM - places->y_mm };
}

// Column or row number `i` of those that are looked at.
static uint32_t
looked_at (uint32_t i, uint32_t n)
{
  return (uint32_t) ((uint64_t) i * (n - 1) / (LOOKED - 1));
}

// Whether all places are where they are expected, but for a fraction of the step.
static bool
fits (const Places *places,
      OdlBeamsPoint (*expected) (const void *data, double column, double row),
      const void *data,
      double tolerance)
{
  for (uint32_t i = 0; i < LOOKED * LOOKED; i++) {
    const uint32_t column = looked_at (i % LOOKED, places->width),
                   row = looked_at (i / LOOKED, places->height);
    const OdlBeamsPoint is = place (places, column, row),
                        should = expected (data, column, row);
    if (!(hypot (is.x - should.x, is.y - should.y) <= tolerance))
      return false;
  }
  return true;
}

static OdlBeamsPoint
expect_pixels (const void *data, double column, double row)
{
  const OdlBeamsBox *box = data; // its first place, and steps as right and bottom

  return (OdlBeamsPoint){ box->left + column * box->right, box->top + row * box->bottom };
}

static OdlBeamsPoint
expect_beams (const void *data, double column, double row)
{
  return odl_beams_place (data, column, row);
}

// The beams through the first and last column; false: they do not meet.
static bool
find_sector (Places *places, OdlBeams *beams)
{
  const uint32_t w = places->width - 1, h = places->height - 1;
  const OdlBeamsPoint a = place (places, 0, 0), b = place (places, 0, h),
                      c = place (places, w, 0), d = place (places, w, h);
  const double first = atan2 (b.x - a.x, b.y - a.y), last = atan2 (d.x - c.x, d.y - c.y);
  const double across = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x);
  const double t = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / across;
  const OdlBeamsPoint apex = { a.x + t * (b.x - a.x), a.y + t * (b.y - a.y) };
  const double length = hypot (b.x - a.x, b.y - a.y);

  if (!isfinite (t) || fabs (last - first) < 1e-6)
    return false;
  *beams = sector (apex.y, hypot (a.x - apex.x, a.y - apex.y), length / h, first,
                   (last - first) / w);
  places->x_mm = apex.x;
  places->y_mm = apex.y + beams->radius_mm;
  return true;
}

static bool
find_steered (Places *places, OdlBeams *beams)
{
  const uint32_t w = places->width - 1, h = places->height - 1;
  const OdlBeamsPoint a = place (places, 0, 0), b = place (places, 0, h),
                      c = place (places, w, 0);
  const double steering = atan2 (b.x - a.x, b.y - a.y);
  const double sample = hypot (b.x - a.x, b.y - a.y) / h;

  *beams = (OdlBeams){
    .array = ODL_BEAMS_LINEAR,
    .first = a.x - a.y * tan (steering),
    .step = (c.x - a.x) / w,
    .steering = steering,
    .start_mm = fabs (a.y) < UNEVEN * sample ? 0 : a.y / cos (steering),
    .sample_mm = sample,
  };
  return true;
}

void
odl_h5_grid_places (OdlH5Layout *layout, const float *places_m)
{
  Places places = { places_m, layout->width, layout->height };

  if (layout->width < 2 || layout->height < 2) {
    layout->has_odd_places = true;
    return;
  }
  const OdlBeamsPoint first = place (&places, 0, 0),
                      last = place (&places, layout->width - 1, layout->height - 1);
  const OdlBeamsBox pixels = { first.x, first.y, (last.x - first.x) / (layout->width - 1),
                               (last.y - first.y) / (layout->height - 1) };
  if (is_spacing (pixels.right) && is_spacing (pixels.bottom)
      && fits (&places, expect_pixels, &pixels,
               UNEVEN * MIN (pixels.right, pixels.bottom))) {
    set_even (layout, pixels.left, pixels.right, pixels.top, pixels.bottom);
    return;
  }
  bool (*const ways[]) (Places *, OdlBeams *) = { find_sector, find_steered };
  for (size_t i = 0; i < G_N_ELEMENTS (ways); i++) {
    Places moved = places;
    OdlBeams beams = { 0 };
    if (ways[i](&moved, &beams)
        && odl_beams_are_sound (&beams, (int) layout->width, (int) layout->height)
        && fits (&moved, expect_beams, &beams, UNEVEN * beams.sample_mm)) {
      layout->beams = beams;
      return;
    }
  }
  layout->has_odd_places = true;
}

// What is beams of ultrasound, of what is known of an array and of where its samples lie.

bool
odl_h5_beams_split (const OdlH5Layout *layout)
{
  return layout->beams.array != ODL_BEAMS_NONE
         && layout->beams.content == ODL_BEAMS_COMPLEX;
}

// Columns of the picture that beams of that content make.
static uint32_t
columns_of (const OdlH5Layout *layout, gint64 content)
{
  return content == ODL_BEAMS_COMPLEX ? 2 * layout->width : layout->width;
}

static bool
suits (const OdlH5Layout *layout, const OdlBeams *beams)
{
  const uint32_t columns = columns_of (layout, beams->content);

  return columns <= ODL_IMAGE_MAX_SIDE && layout->channels == 1
         && (beams->content == ODL_BEAMS_COMPLEX) == (layout->parts != ODL_H5_SINGLE)
         && odl_beams_are_sound (beams, (int) columns, (int) layout->height);
}

bool
odl_h5_beams_take_key (OdlH5Layout *layout, const OdlBeams *beams)
{
  if (!suits (layout, beams))
    return false;
  layout->beams = *beams;
  layout->content = (OdlBeamContent) beams->content;
  return true;
}

void
odl_h5_beams_settle (OdlH5Layout *layout)
{
  const bool is_early
      = layout->content != ODL_BEAMS_UNKNOWN && layout->content != ODL_BEAMS_DECIBELS;
  const bool is_even = layout->beams.array == ODL_BEAMS_NONE;
  OdlBeams beams = is_even && is_early ? layout->upright : layout->beams;

  beams.content = layout->content;
  if (layout->n_slices > 0)
    beams.array = ODL_BEAMS_NONE;
  if (beams.array != ODL_BEAMS_NONE && suits (layout, &beams)) {
    layout->beams = beams;
    memset (layout->spacing_mm, 0, sizeof layout->spacing_mm);
  } else {
    layout->beams = (OdlBeams){ .array = ODL_BEAMS_NONE };
  }
}
