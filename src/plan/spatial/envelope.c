// SPDX-License-Identifier: MIT
// The amplitude of radio-frequency lines: the magnitude of their analytic signal, line by
// line along columns, whose rows are samples in depth. With f counted from the file's 0,
//   √(f² + (h * f)²),  h[k] = 2 / (π k) w(k) for odd k, else 0,
// h the Hilbert transform cut to `length` samples by a Hamming window w: A. Oppenheim, R.
// Schafer, "Discrete-time signal processing" (2010), section 12.4. Beyond the first and
// the last sample the line is mirrored. With a length of 63 waves of 0.03 to 0.47 of the
// sampling rate keep their amplitude within 0.3 %. Of IQ
// it is |I + iQ|, whatever the length.
#include "plan/spatial.h"

// The outermost tap of each is odd, and so is none of them 0.
static const char *const lengths[] = { "15", "31", "63", "127", NULL };

static const OdlParameter parameters[] = {
  { CHOICE ("length", N_ ("Length"), N_ ("samples"), lengths), .default_value = 2 },
};

const OdlFilter odl_filter_envelope = {
  SPATIAL_FILTER (ENVELOPE, "envelope"),
  .label = N_ ("Envelope"),
  .description
  = N_ ("The amplitude of the waves in each column, as an ultrasound scanner "
        "takes it of the echoes of a beam."),
  PARAMETERS (parameters),
};

const OdlStepRow odl_step_envelope = {
  SPATIAL_STEP ("envelope"),
  .amplifies = true,
  .fields = { ODL_STEP_STRUCTURE (side, INT), ODL_STEP_VALUE ("zero", 0) },
};

// A slot for the numbers in phase, those in quadrature, or their magnitude.
static int
add_half (OdlPlanner *b)
{
  return odl_planner_add_slot (
      b, ODL_SLOT_PICTURE, 0, odl_beams_count (&b->geometry.beams, b->geometry.width),
      b->geometry.height, g_array_index (b->slots, OdlSlot, b->picture).channels);
}

// The columns of a half, from `from` on; returns their slot.
static int
take_half (OdlPlanner *b, int item, int from)
{
  const int half = add_half (b);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_SHIFT, b->picture, half, item);

  step->parameters.values[0] = -from;
  step->parameters.weight = 1;
  return half;
}

static void
plan_complex (OdlPlanner *b, int item)
{
  const int in_phase = take_half (b, item, 0);
  const int quadrature
      = take_half (b, item, odl_beams_count (&b->geometry.beams, b->geometry.width));
  const int magnitude = add_half (b);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_MAGNITUDE, in_phase, magnitude, item);

  step->reads[1] = quadrature;
  step->parameters.values[0] = b->geometry.zero;
  b->picture = b->origin = magnitude;
  b->resized = true;
}

void
odl_plan_envelope (OdlPlanner *b, int item)
{
  if (b->geometry.content == ODL_BEAMS_COMPLEX) {
    plan_complex (b, item);
    return;
  }
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_ENVELOPE, item);

  step->side = (16 << (int) odl_recipe_get (b->recipe, item, "length", 0)) - 1;
  step->parameters.values[0] = b->geometry.zero;
}
