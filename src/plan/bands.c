// SPDX-License-Identifier: MIT
#include "plan/bands.h"

// About so many bands are in memory at a time, in addition to the frames that steps over
// time keep.
#define PICTURES 4

// A step's result may depend on every row.
#define ALL_ROWS (-1)

static int
reach_of_analysis (const OdlWavelet *wavelet)
{
  return MAX (odl_taps_reach (&wavelet->analysis_low),
              odl_taps_reach (&wavelet->analysis_high) + 1);
}

static int
reach_of_synthesis (const OdlWavelet *wavelet)
{
  return MAX (odl_taps_reach (&wavelet->synthesis_even),
              odl_taps_reach (&wavelet->synthesis_odd));
}

int
odl_transform_step_reach (const OdlStep *step)
{
  const OdlWavelet *wavelet = step->wavelet;
  const int taps = step->kind == ODL_STEP_FORWARD ? reach_of_analysis (wavelet)
                                                  : reach_of_synthesis (wavelet);

  return MAX (taps, wavelet->lifting.count) << (step->level - 1);
}

// A class that is added does not compile until it is here.
#pragma GCC diagnostic error "-Wswitch"

// Of a step of spatial filters, whose kernels have sides of their own.
static int
spatial_reach (const OdlStep *step, OdlAxis axis)
{
  switch (step->kind) {
  case ODL_STEP_PLACE:
  case ODL_STEP_OWN: // nobody knows where it looks
  case ODL_STEP_TIME_GAIN: // rows lie at their depths
    return ALL_ROWS;
  case ODL_STEP_CONVOLVE_LINE:
    return step->parameters.radius;
  case ODL_STEP_CONVOLVE:
    return (axis == ODL_AXIS_X   ? step->kernel_width
            : axis == ODL_AXIS_Y ? step->kernel_height
                                 : step->kernel_depth)
           / 2;
  default:
    return axis == ODL_AXIS_Z ? step->kernel_depth / 2 : odl_step_reach (step);
  }
}

// How many samples along the axis, such as rows above and below, a step's result depends
// on.
static int
reach_of (const OdlStep *step, OdlAxis axis)
{
  if (step->axis != ODL_AXIS_NONE && step->axis != axis)
    return 0;
  switch (odl_step_class (step)) {
  case ODL_STEP_CLASS_SOURCE:
  case ODL_STEP_CLASS_COLOUR:
  case ODL_STEP_CLASS_TENSOR:
    return 0;
  case ODL_STEP_CLASS_SPATIAL:
    return spatial_reach (step, axis);
  case ODL_STEP_CLASS_TRANSFORM:
    return odl_transform_step_reach (step);
  case ODL_STEP_CLASS_DUAL_TREE: // what is put before a line depends on its whole length
    return ALL_ROWS;
  case ODL_STEP_CLASS_COEFFICIENTS:
    return step->kind == ODL_STEP_LAYOUT || step->kind == ODL_STEP_BIVARIATE ? ALL_ROWS
                                                                             : 0;
  case ODL_STEP_CLASS_BANDS: // what is done to a band looks far in the picture
    return ALL_ROWS;
  case ODL_STEP_CLASS_TIME:
    return step->parameters.radius;
  case ODL_STEP_CLASS_MEASURE:
  case ODL_STEP_CLASS_RESAMPLE:
  case ODL_STEP_CLASS_BLOCKS: // they lie where they do from the first row on
    return ALL_ROWS;
  }
  return ALL_ROWS;
}

// Bands begin and end where every level has an even row.
static int64_t
round_up (int64_t rows, int unit)
{
  return (rows + unit - 1) / unit * unit;
}

int
odl_plan_reach (const OdlPlan *plan, OdlAxis axis)
{
  g_return_val_if_fail (plan != NULL, ALL_ROWS);

  g_autofree int *reaches = g_new0 (int, plan->n_slots);
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const int own = reach_of (step, axis);
    int farthest = 0;
    if (own == ALL_ROWS || step->frames > 0)
      return ALL_ROWS;
    for (int r = 0; r < ODL_STEP_MOST_READS; r++)
      if (step->reads[r] != ODL_PLAN_NO_SLOT)
        farthest = MAX (farthest, reaches[step->reads[r]]);
    reaches[step->writes] = farthest + own;
  }
  return reaches[plan->result];
}

OdlBands
odl_bands_of (const OdlPlan *plan, int64_t band_bytes)
{
  g_return_val_if_fail (plan != NULL, (OdlBands){ 0 });

  const OdlGeometry *geometry = &plan->geometry;
  if (geometry->depth > 1)
    return (OdlBands){ 0 };
  const int64_t row_bytes = (int64_t) geometry->width * MIN (geometry->channels, 3)
                            * (int64_t) sizeof (float);
  OdlBands bands = { .height = geometry->height };
  g_autofree int64_t *reaches = g_new0 (int64_t, plan->n_slots);
  int64_t kept = 0, pictures = 0;
  int unit = 1;

  for (int i = 0; i < plan->n_slots; i++)
    pictures += plan->slots[i].kind == ODL_SLOT_PICTURE && plan->slots[i].level == 0;
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const int rows = reach_of (step, ODL_AXIS_Y);
    if (rows == ALL_ROWS)
      return (OdlBands){ 0 };
    int64_t farthest = 0;
    for (int r = 0; r < ODL_STEP_MOST_READS; r++)
      if (step->reads[r] != ODL_PLAN_NO_SLOT)
        farthest = MAX (farthest, reaches[step->reads[r]]);
    reaches[step->writes] = farthest + rows;
    kept += step->frames;
    if (odl_step_class (step) == ODL_STEP_CLASS_TRANSFORM)
      unit = MAX (unit, 1 << step->level);
    bands.ring |= step->border == ODL_BORDER_PERIODIC;
  }
  // At least half of a band's rows are its own.
  const int64_t more = round_up (reaches[plan->result], unit);
  const int64_t rows
      = MAX (band_bytes / row_bytes * PICTURES / (MAX (pictures, PICTURES) + kept),
             4 * more + unit);
  if (2 * geometry->height < 3 * rows)
    return (OdlBands){ 0 };
  bands.unit = unit;
  bands.more = (int) more;
  bands.own = (int) round_up (rows - 2 * more, unit);
  return bands;
}

OdlBand
odl_bands_cut (const OdlBands *bands, int first)
{
  const int height = bands->height, more = bands->more;
  // A remainder that is shorter than the reach is added to the band.
  const int end
      = height - first - bands->own < MAX (more, 1) ? height : first + bands->own;
  OdlBand band = { .first = first, .end = end };

  if (bands->ring && first == 0) {
    band.to = end + more;
    band.tail = (height - more) / bands->unit * bands->unit;
  } else if (bands->ring && end == height) {
    band.to = more;
    band.tail = first - more;
    band.top = band.tail - band.to;
  } else {
    band.from = band.top = MAX (first - more, 0);
    band.to = MIN (end + more, height);
  }
  return band;
}
