// SPDX-License-Identifier: MIT
// OdlPlan: recipe + geometry -> an ordered list of steps, pure data. Every engine
// executes it.
#pragma once

#include <glib.h>

#include "filter/recipe.h"
#include "image/details.h"
#include "image/volume/neighbours.h"
#include "image/operands.h"
#include "image/beam_picture.h"
#include "plan/step.h"
#include "wavelet/transform.h"

// What the source delivers.
typedef struct {
  int width;
  int height;
  int channels; // 1, 3 or 4; the fourth is alpha, which no step touches
  int bits; // significant bits of a sample: 8, 16, 32
  double kr, kb; // weights of red and blue in luma; both 0: those of BT.601
  int steps; // of whole samples from 0 to 1, such as 4095; 0: as many as the bits allow
  double zero; // the file's value 0, as a fraction of full scale
  bool low_is_bright; // the file shows low samples bright: DICOM's MONOCHROME1
  int depth; // slices of a volume that filters see at once; 0 and 1: a picture
  OdlOperands *operands; // pictures that filters take beside this one; NULL: none
  bool stands_in; // a slice in the place of its volume, or a picture where one may come:
                  // what takes nothing but volumes is left out, with a note, not refused
  bool in_time; // it is one of several volumes, which follow each other in time
  OdlNeighbours *neighbours; // frames before and after this one, as many as
                             // odl_plan_time_reach says; NULL: it stands alone
  OdlBeams beams; // where samples lie that are none of pixels
  OdlBeamContent content; // what samples are, also of pictures without beams
  OdlBeamPicture made_of; // the picture, which a filter made of beams; array NONE: it
                          // was made of none
} OdlGeometry;

typedef enum {
  ODL_SLOT_PICTURE, // samples
  ODL_SLOT_HALF, // after a forward step along x: low | high
  ODL_SLOT_BANDS, // after the step along y: LL HL / LH HH of one level
  ODL_SLOT_MASK, // 1 where the picture, or its bands of a level, count, else 0
  ODL_SLOT_NUMBERS, // what was measured: one row, always in single precision or better
  ODL_SLOT_OCTANTS, // of a volume, after the step along z: bands in each slice, the low
                    // ones along z first. LL of the low slices is LLL, all else details
} OdlSlotKind;

// A buffer. However an engine stores it, its content is a width × height picture:
// PICTURE as it is, HALF with the low half left, BANDS with LL, HL (horizontal detail,
// right), LH (vertical detail, below), HH. A MASK of level l has the size of the LL of
// that level, and numbers are in a row of `width`.
typedef struct {
  OdlSlotKind kind;
  int level; // 0 for full-size pictures; half and bands of level l have the size of level
             // l − 1
  int width;
  int height;
  int channels; // 1 or 3
  bool details; // PICTURE: coefficients of a detail band, or a residual
  bool observed; // numbers that are handed out; the slot is never reused
  int depth; // slices; 1 for pictures
  int precision; // 16 or 32 bits at least: engines may compute in more
} OdlSlot;

typedef struct {
  int ref_count;
  OdlGeometry geometry;
  OdlViewKind view;
  int precision; // that was asked for, 16 or 32; 16 only where the samples have at most 8
                 // bits. What slots need stands with each of them
  int n_slots;
  OdlSlot *slots;
  int n_steps;
  OdlStep *steps;
  int n_groups; // see plan/group.h
  int source; // slot that LOAD wrote: the original, never reused for something else
  int result; // slot with the picture to show; == source for an identity recipe
  OdlDetails details; // of the result: coefficients beyond the LL corner, or a residual
  int band; // the only one that the result has, as OdlRecipe.band; 0: it has all, or none
  double pixel_mm; // the result is a picture of beams, whose pixels are squares of so
                   // many mm; 0: it lies as the source
  bool resized; // the result has another size than the geometry
  bool restated; // samples of the result are shares of full scale, amplitudes or
                 // decibels, and no values of the source's
  OdlBeams beams; // of the result
  OdlBeamsShown made_of; // likewise
  const OdlOverlay *outside; // what of the result lies beyond the beams it was made of;
                             // NULL: nothing
  GPtrArray *kernels; // that steps point into
  char *note; // translated text: what the plan had to change (levels, border, precision),
              // or NULL
} OdlPlan;

// Pure function of its arguments. Levels beyond what the size allows are reduced, a
// border that does not suit a wavelet becomes the wavelet's own, precision 16 of deep
// images, of reversible wavelets and of filters over time becomes 32, and `note` says so.
// Fails with ODL_ERROR_UNSUPPORTED for a view that the recipe has not and for a picture
// without depth where code takes volumes, and as odl_plan_check_operand. Callers
// that have a picture resolve ODL_VALUE_AUTO before (filter/measure.h); where it is left,
// the usual values are taken, which suit no picture in particular. Any thread.
OdlPlan *
odl_plan_new (const OdlRecipe *recipe, const OdlGeometry *geometry, GError **error);

// False when filter `item` needs a second picture, and geometry->operands has none of its
// name (ODL_ERROR_IO) or one of another size (ODL_ERROR_UNSUPPORTED): of a volume also
// where slices differ in number, unless the geometry is that of one slice. Of grey and
// colour pictures either may be the second: each channel is mixed with a grey one, and a
// grey picture with the luma of colours. Both are fractions of their own full scale.
// Alpha stays that of the first. Any thread.
bool odl_plan_check_operand (const OdlRecipe *recipe,
                             int item,
                             const OdlGeometry *geometry,
                             GError **error);

// The description of the result of a picture that `input` describes: of beams that were
// converted the size and spacing of the pixels, and nothing that lies on the beams; of
// what is restated no values. Ranges stay. Any thread.
OdlImageInfo odl_plan_describe (const OdlPlan *plan, const OdlImageInfo *input);

// Geometry of an image, slice 0, frame 0; without operands. Any thread.
OdlGeometry odl_geometry_of (const OdlImage *image);

// Weights of red, green and blue in the luma of such pictures. RGB: BT.601. YCbCr: those
// of the stream, so that luma is its Y′ scaled by its range, (stored − luma_offset) /
// luma_range, and engines may read it there. Any thread.
void odl_geometry_luma_weights (const OdlGeometry *geometry, double weights[3]);

OdlPlan *odl_plan_ref (OdlPlan *plan);
void odl_plan_unref (OdlPlan *plan);

// True when only parameters differ: both need the same buffers, programs and order.
bool odl_plan_same_structure (const OdlPlan *a, const OdlPlan *b);

// The same structure, and the same parameters: one picture becomes the same by both.
bool odl_plan_does_the_same (const OdlPlan *a, const OdlPlan *b);

// Of slice `z` of the result. Of a volume's octants the approximation lies in the first
// slices alone: all of another slice are details, and its bands are those of the coarsest
// level whose high slices lie there; then `height` is 0. Any thread.
OdlDetails odl_plan_details_at (const OdlPlan *plan, int z);

// True for coefficients of a volume that was transformed along z, too. Any thread.
bool odl_plan_has_octants (const OdlPlan *plan);

// A band in the picture, or the volume, of coefficients: columns, rows and slices
// from … to − 1. Of a picture, slice 0.
typedef struct {
  const char *name; // LL, HL, LH, HH or an angle; of octants LLL, HLL … HHH: x, y, z
  int from[3];
  int to[3];
} OdlBandPlace;

// Band 0 (the low one, which only the last level has) … 3 of `level`, of octants … 7
// (plus 1, 2 and 4 where it is high along x, y and z). False: there is none. Any thread.
bool odl_plan_find_band (const OdlPlan *plan, int level, int band, OdlBandPlace *found);

// Frames that the result of one frame depends on, at most and itself included: 1 without
// steps over time, 0 for all since the reset.
int odl_plan_frames (const OdlPlan *plan);

// The lead-in: how many frames before a wanted one must be run for its result not to
// depend on earlier ones. A window needs the frames that it spans. A recursive step of
// weight w needs n frames so that (1 − w)ⁿ, the share of unknown frames, is below half a
// grey level of the source. A chain needs the sum; several recursive steps share that
// half level.
//
// For PERSISTENCE w is that of a still picture; motion increases it. Since its weights
// depend on its history this is not a proven bound; tests/golden/temporal.py measures it
// on real sequences.
int odl_plan_lead_in (const OdlPlan *plan);

// How many frames before and after a frame filters of `recipe` look at (look-ahead):
// geometry->neighbours then has them. 0: none. `geometry` has the operands.
typedef struct {
  int ahead; // after it
  int past; // before it, at least as many
  bool wraps; // beyond the last frame stands the first one
} OdlTimeReach;

OdlTimeReach odl_plan_time_reach (const OdlRecipe *recipe, const OdlGeometry *geometry);

// The frame with which the lead-in of frame `wanted` begins; `wanted` itself where there
// is no plan.
int64_t
odl_lead_in_begin (const OdlRecipe *recipe, const OdlGeometry *geometry, int64_t wanted);

// One line per slot and step; golden tests compare it. Transfer full.
char *odl_plan_to_text (const OdlPlan *plan);

// Prints the plan when ODL_DEBUG asks for plans.
void odl_plan_debug (const OdlPlan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlPlan, odl_plan_unref)
