// SPDX-License-Identifier: MIT
// OdlPlan: recipe + geometry -> an ordered list of steps, pure data. Every engine
// executes it.
#pragma once

#include <glib.h>

#include "filter/recipe.h"
#include "wavelet/transform.h"

G_BEGIN_DECLS

#define ODL_PLAN_NO_SLOT (-1)
#define ODL_PLAN_MAX_RADIUS 32
#define ODL_PLAN_MAX_FRAMES 7 // that a step over time looks at

// What the source delivers.
typedef struct {
  int width;
  int height;
  int channels; // 1, 3 or 4; the fourth is alpha, which no step touches
  int bits; // significant bits of a sample: 8, 16, 32
  double kr, kb; // weights of red and blue in luma; both 0: those of BT.601
  int steps; // of whole samples from 0 to 1, such as 4095; 0: as many as the bits allow
} OdlGeometry;

typedef enum {
  ODL_SLOT_PICTURE, // samples
  ODL_SLOT_HALF, // after a forward step along x: low | high
  ODL_SLOT_BANDS, // after the step along y: LL HL / LH HH of one level
} OdlSlotKind;

// A buffer. Whatever an engine's storage, its content is a width × height picture:
// PICTURE as it is, HALF with the low half left, BANDS with LL, HL (horizontal detail,
// right), LH (vertical detail, below), HH.
typedef struct {
  OdlSlotKind kind;
  int level; // 0 for full-size pictures; half and bands of level l have the size of level
             // l − 1
  int width;
  int height;
  int channels; // 1 or 3
} OdlSlot;

typedef enum {
  ODL_STEP_LOAD, // image -> scaled samples
  ODL_STEP_LUMA, // RGB -> Y = kr R + (1 − kr − kb) G + kb B, as the step's weights say
  ODL_STEP_CONVOLVE, // symmetric kernel along one axis, whole-sample border
  ODL_STEP_SHARPEN, // f − amount · ∇²f
  ODL_STEP_FORWARD, // analysis along one axis
  ODL_STEP_THRESHOLD, // soft or hard, detail bands only; LL of `writes` is undefined
  ODL_STEP_INVERSE, // synthesis along one axis
  ODL_STEP_LAYOUT, // bands of one level -> their place in the Mallat picture
  ODL_STEP_RECOMBINE, // RGB + (Y' − Y)
  // Steps over time. x is what they read, y what they write, y₋₁ what they wrote for the
  // frame before; after a reset all of them write x. Engines keep what they need of
  // earlier frames (OdlMoment, in engine/engine.h, says which frames belong together).
  ODL_STEP_RECURSIVE, // y₋₁ + weight · (x − y₋₁)
  ODL_STEP_PERSISTENCE, // y₋₁ + w · (x − y₋₁), w by motion, see below
  ODL_STEP_MEAN, // of the last `frames` pictures read, this one among them; of those that
                 // are there since the reset
  ODL_STEP_MEDIAN, // likewise; of an even number the mean of the two in the middle
} OdlStepKind;

typedef enum {
  ODL_AXIS_NONE,
  ODL_AXIS_X,
  ODL_AXIS_Y,
} OdlAxis;

typedef enum {
  ODL_PART_LOAD,
  ODL_PART_FORWARD,
  ODL_PART_FILTER,
  ODL_PART_BACKWARD,
} OdlPart;

// What each kind reads (indices of slots) and writes:
//   LOAD       –                                     -> picture
//   LUMA       picture (3 channels)                  -> picture (1)
//   CONVOLVE   picture                               -> picture
//   SHARPEN    picture                               -> picture
//   FORWARD x  picture, or bands (their LL)          -> half
//   FORWARD y  half                                  -> bands
//   THRESHOLD  bands                                 -> bands (HL, LH, HH only)
//   INVERSE y  approximation: picture or bands (LL); details: bands -> half
//   INVERSE x  half                                  -> picture
//   LAYOUT     approximation (bands, coarsest level only); details: bands -> picture
//   RECOMBINE  picture (3), luma before, luma after  -> picture (3)
//   RECURSIVE, PERSISTENCE, MEAN, MEDIAN  picture    -> picture
//
// PERSISTENCE, channel by channel: d is the mean of |x − y₋₁| over (2 radius + 1)²
// samples about the pixel (whole-sample border), and
//   w = weight + (1 − weight) · min (max (d / threshold − 1, 0), 1)
// so that up to `threshold` the picture counts as still and from twice as much as moving.
// A first-order recursion whose coefficient is a piecewise linear function of the frame
// difference: Dubois and Sabri, "Noise reduction in image sequences using
// motion-compensated temporal filtering", IEEE Transactions on Communications 32 (1984),
// without motion vectors; the mean over neighbours keeps single noisy samples from
// passing for motion.
typedef struct {
  OdlStepKind kind;
  OdlPart part; // for timing tables
  OdlAxis axis;
  int level; // 1 is the finest; 0 for spatial steps
  int reads[3]; // ODL_PLAN_NO_SLOT where unused
  int writes;
  int item; // index of the recipe's filter, −1 for none
  const OdlWavelet *wavelet; // FORWARD and INVERSE; they alone have what follows
  OdlBorder border; // one of the wavelet's
  double quantum; // reversible wavelets: the unit of whole numbers; 0 for others
  int frames; // MEAN and MEDIAN: 3, 5 or 7; RECURSIVE and PERSISTENCE: 2; 0 for others
  // Parameters: they may change without changing the structure.
  double weights[3]; // LUMA: of red, green and blue; their sum is 1
  bool hard; // THRESHOLD
  double threshold; // THRESHOLD and PERSISTENCE, fraction of full scale
  double amount; // SHARPEN
  int neighbours; // SHARPEN: 4 or 8
  double weight; // RECURSIVE, PERSISTENCE: of the new frame; 0 < weight ≤ 1
  int radius; // CONVOLVE: taps 0 … radius, tap[k] = tap[−k]; PERSISTENCE: 1 or 2
  double taps[ODL_PLAN_MAX_RADIUS + 1];
} OdlStep;

typedef struct {
  int ref_count;
  OdlGeometry geometry;
  OdlViewKind view;
  int precision; // 16 or 32; 16 only where the samples have at most 8 bits
  int n_slots;
  OdlSlot *slots;
  int n_steps;
  OdlStep *steps;
  int source; // slot that LOAD wrote: the original, never reused for something else
  int result; // slot with the picture to show; == source for an identity recipe
  int approx_width; // analysis views: size of the LL corner; 0 for synthesis
  int approx_height;
  char *note; // translated text: what the plan had to change (levels, border, precision),
              // or NULL
} OdlPlan;

// Pure function of its arguments. Levels beyond what the size allows are reduced, a
// border that does not suit a wavelet becomes the wavelet's own, precision 16 of deep
// images, of reversible wavelets and of filters over time becomes 32, and `note` says so.
// Fails with ODL_ERROR_UNSUPPORTED for an analysis view without a wavelet filter. Whoever
// has a picture has it measured before (filter/measure.h): values that are still
// ODL_VALUE_AUTO become the usual ones, which suit no picture in particular. Any thread.
OdlPlan *
odl_plan_new (const OdlRecipe *recipe, const OdlGeometry *geometry, GError **error);

// Weights of red, green and blue in the luma of such pictures. RGB: BT.601. YCbCr: those
// of the stream, so that luma is its Y′ scaled by its range, (stored − luma_offset) /
// luma_range, and engines may read it there. Any thread.
void odl_geometry_luma_weights (const OdlGeometry *geometry, double weights[3]);

// Whether `slot` is among what `step` reads. Any thread.
bool odl_step_reads (const OdlStep *step, int slot);

OdlPlan *odl_plan_ref (OdlPlan *plan);
void odl_plan_unref (OdlPlan *plan);

// True when both need the same buffers, programs and order: only parameters differ.
bool odl_plan_same_structure (const OdlPlan *a, const OdlPlan *b);

// Frames that the result of one frame depends on, at most and itself included: 1 without
// steps over time, 0 for all since the reset.
int odl_plan_frames (const OdlPlan *plan);

// The lead-in: how many frames before a wanted one are run first, so that its result no
// longer depends on what came before them. A window needs those that it holds; a
// recursive step with weight w as many as it takes until (1 − w)ⁿ, the share of what it
// does not know, is below half a grey level of the source (a difference of full scale
// has then become less than half a step of a sample). A chain needs the sum, and where it
// holds several recursive steps they share that half level.
//
// For PERSISTENCE w is that of a still picture; where something moves its weight is
// greater. As its weights depend on what it remembers, this is no bound for every
// thinkable sequence; tests/golden/temporal.py measures it on real ones.
int odl_plan_lead_in (const OdlPlan *plan);

// The frame with which the lead-in of frame `wanted` begins; `wanted` itself where there
// is no plan.
int64_t
odl_lead_in_begin (const OdlRecipe *recipe, const OdlGeometry *geometry, int64_t wanted);

// One line per slot and step; golden tests compare it. Transfer full.
char *odl_plan_to_text (const OdlPlan *plan);

// Says the plan, line by line, when ODL_DEBUG wants plans.
void odl_plan_debug (const OdlPlan *plan);

const char *odl_step_name (OdlStepKind kind); // "forward"
const char *odl_part_name (OdlPart part); // "forward"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlPlan, odl_plan_unref)

G_END_DECLS
