// SPDX-License-Identifier: MIT
// One step of a plan, and the table of step kinds. Each kind is a row: comparing
// structures, resuming after a moved slider, printing, and the defines and uniforms of
// shaders are generated from the rows. No other place lists the kinds.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "filter/filter.h"
#include "image/image.h"
#include "spatial_list.h"
#include "wavelet/dual_tree.h"
#include "wavelet/transform.h"

#define ODL_PLAN_NO_SLOT (-1)
#define ODL_BANDS 4 // of a level: LL and ODL_DETAIL_BANDS
#define ODL_PLAN_MAX_RADIUS 32
#define ODL_PLAN_MAX_FRAMES 7 // that a step over time looks at
#define ODL_PLAN_MAX_SIDE 19 // of the window of a spatial median
#define ODL_PLAN_MOST_REACH 24 // frames before and after, of all filters together
#define ODL_PLAN_MAX_KERNEL 17 // of each axis of a kernel
#define ODL_PLAN_MOST_ITERATIONS 400 // of a diffusion, each of them a step
#define ODL_STEP_MOST_READS 21
#define ODL_DETAIL_OCTANTS 7 // bands of a level of a volume but the low one
#define ODL_STEP_MOST_FIELDS 10 // of one kind
#define ODL_STEP_MOST_VALUES 8

typedef enum {
  ODL_STEP_LOAD, // image -> scaled samples; of the frame, or of its `operand`
  ODL_STEP_LUMA, // RGB -> Y = kr R + (1 − kr − kb) G + kb B, as the step's weights say
  ODL_STEP_CONVOLVE_LINE, // symmetric kernel along one axis, whole-sample border
  ODL_STEP_CUT, // 0 beyond the threshold of TROUGH
  ODL_STEP_OUTLINE, // the contours of SNAKES, drawn or filled
  ODL_STEP_KEEP, // f where g is not 0, else `fill`
  ODL_STEP_INSIDE, // 1 where one of the 3 × 3 samples about f exceeds `tolerance`, else 0
  ODL_STEP_DIVIDE, // f / max (g, least)
  ODL_STEP_RESIDUAL, // f − g
  ODL_STEP_ADD, // f + g
  ODL_STEP_RAISE, // f + `level`
  ODL_STEP_OWN, // what its `code` makes of f, or of f and g, wherever it looks
  ODL_STEP_PYTHON, // likewise of all channels, by a process of its own
  ODL_STEP_LIMIT, // f, within the range of the 3 × 3 samples of g about it, see below
  ODL_STEP_DECOUPLE, // f with another share of illumination and texture, see below
  ODL_STEP_FORWARD, // analysis along one axis
  ODL_STEP_THRESHOLD, // by its rule, detail bands only; LL of `writes` is undefined
  ODL_STEP_COMBINE, // the bands of two pictures, LL included, see below
  ODL_STEP_BIVARIATE, // detail bands, by their surroundings and the next level, see below
  ODL_STEP_INVERSE, // synthesis along one axis
  ODL_STEP_LAYOUT, // bands of one level -> their place in the Mallat picture
  ODL_STEP_BAND, // one band of a level as a picture of its own
  ODL_STEP_JOIN, // pictures as the bands of a level
  ODL_STEP_SHIFT, // a picture moved into one of another size, see below
  // The stationary transform, whose bands are pictures. Taps stand 2^(level − 1) samples
  // apart.
  ODL_STEP_STATIONARY_FORWARD, // one band along one axis, shrunk as by THRESHOLD
  ODL_STEP_STATIONARY_INVERSE, // synthesis along one axis, from low and high
  ODL_STEP_SHRINK, // a band that is a picture, by the threshold that BAYES found, see
                   // below
  // A picture with every 2^level-th sample of a band put where LAYOUT has them. Slots
  // with half of the bands are not for reading back.
  ODL_STEP_PLACE,
  // The dual-tree transform (wavelet/dual_tree.h), whose bands are pictures. Halves, of
  // one axis, are not for reading back.
  ODL_STEP_DUAL_FORWARD, // one band along one axis
  ODL_STEP_DUAL_SHRINK, // the magnitudes of complex coefficients, as by THRESHOLD
  ODL_STEP_DUAL_BIVARIATE, // they, by their surroundings and the next level, see below
  ODL_STEP_DUAL_INVERSE, // synthesis along one axis, from low and high
  ODL_STEP_DUAL_PLACE, // as PLACE, with one magnitude of every 2 × 2 block, of LL with
                       // its first sample
  ODL_STEP_BM3D, // blocks that look alike, together, as image/bm3d/bm3d.h says
  ODL_STEP_BM3D_TIME, // both steps of it, of several frames, as image/bm3d/time.h says
  ODL_STEP_REGISTER, // f deformed until it lies as g does, see below
  ODL_STEP_RECOMBINE, // RGB + (Y' − Y)
  ODL_STEP_OPPONENT, // RGB <-> opponent colours (plan/opponent.h)
  ODL_STEP_SCAN_CONVERT, // a picture of beam data, or the other way, as plan/scan.h says
  // Steps over time. x is what they read, y what they write, y₋₁ what they wrote for the
  // frame before; after a reset all of them write x. Engines keep what they need of
  // earlier frames (OdlMoment, in engine/engine.h, says which frames belong together).
  ODL_STEP_RECURSIVE, // y₋₁ + weight · (x − y₋₁)
  ODL_STEP_PERSISTENCE, // y₋₁ + w · (x − y₋₁), w by motion, see below
  ODL_STEP_MEAN, // of the last `frames` pictures read, this one among them; of those that
                 // are there since the reset
  ODL_STEP_TEMPORAL_MEDIAN, // likewise; of an even number the mean of the two in the
                            // middle
  // Structure tensors (plan/tensor/tensor.h).
  ODL_STEP_MAGNITUDE, // √((f − z)² + (g − z)²)
  ODL_STEP_TENSOR, // what `rule` says of the tensor, an OdlTensorView
  ODL_STEP_STEER, // a picture made of bands, as the control tensor says
  // Measuring steps; plan/numbers.h says what each of them does.
  ODL_STEP_SIDES, // the values of a picture's sides
  ODL_STEP_MASK, // 1 where a picture counts, 0 in its surroundings
  ODL_STEP_NOISE, // σ of white noise
  ODL_STEP_BAYES, // a threshold for each detail band, by an OdlFoundThreshold
  ODL_STEP_TROUGH, // a threshold at a trough of the histogram
  ODL_STEP_SNAKES, // contours about what edges surround
  ODL_STEP_EQUALISE, // curves of tiles, see plan/equalise.h
  ODL_STEP_PEAK, // the largest samples of parts of a picture
// Those of spatial filters with files of their own (plan/spatial/).
#define ODL_STEP_KIND(NAME, name) ODL_STEP_##NAME
  ODL_SPATIAL_STEPS (ODL_STEP_KIND),
  ODL_N_STEP_KINDS,
} OdlStepKind;

// What the result of a step depends on, which decides how engines run it.
typedef enum {
  ODL_STEP_CLASS_SOURCE, // the image
  ODL_STEP_CLASS_COLOUR, // all channels of one pixel
  ODL_STEP_CLASS_SPATIAL, // the neighbours of a sample in its channel: one picture or
                          // two of the same size in, one out
  ODL_STEP_CLASS_BLOCKS, // blocks about a sample, and what they have in common
  ODL_STEP_CLASS_TENSOR, // the same sample of several pictures
  ODL_STEP_CLASS_TRANSFORM, // a line, through a wavelet
  ODL_STEP_CLASS_DUAL_TREE, // a line or a 2 × 2 block of the dual tree
  ODL_STEP_CLASS_COEFFICIENTS, // one coefficient
  ODL_STEP_CLASS_BANDS, // likewise: bands as pictures, pictures as bands, moved pictures
  ODL_STEP_CLASS_RESAMPLE, // samples elsewhere in a picture of another size
  ODL_STEP_CLASS_TIME, // earlier frames, too
  ODL_STEP_CLASS_MEASURE, // much of the picture: numbers and masks, never samples
} OdlStepClass;

typedef enum {
  ODL_AXIS_NONE,
  ODL_AXIS_X,
  ODL_AXIS_Y,
  ODL_AXIS_Z, // from slice to slice of a volume
} OdlAxis;

// Phases of a frame: the columns of timing tables.
typedef enum {
  ODL_PHASE_LOAD,
  ODL_PHASE_FORWARD,
  ODL_PHASE_FILTER,
  ODL_PHASE_BACKWARD,
} OdlPhase;

// What may change from frame to frame: engines keep their buffers and programs.
typedef struct {
  double weights[3]; // LUMA: of red, green and blue; their sum is 1
  int hard; // THRESHOLD, STATIONARY_FORWARD, SHRINK, DUAL_SHRINK: with the rule
            // ODL_SHRINK_SOFT 1 is hard, 0 soft
  int low; // TROUGH, CUT, SNAKES: 1: the low side is kept, 0: the high one
  // BIVARIATE: σ of the noise in HL, LH, HH
  // THRESHOLD: of HL, LH, HH, fraction of full scale; of octants 1 … 7 (plan/numbers.h)
  // DUAL_SHRINK: of the coefficients z1, which rise, and z2, which fall
  double thresholds[ODL_DETAIL_OCTANTS];
  double threshold; // STATIONARY_FORWARD (0: none), SHRINK, PERSISTENCE:
                    // likewise
                    // TENSOR, STEER: the noise
  double tolerance; // MASK of level 0: how far surroundings are off, fraction of full
                    // scale INSIDE, DECOUPLE: what is black
                    // LIMIT: the share of the range that f may exceed it by
                    // STEER: the isotropy
  double sigma; // NOISE: of the noise, fraction of full scale; < 0: it is measured
                // DUAL_BIVARIATE: of its real and imaginary part in the band
                // BM3D, BM3D_TIME: of the noise, fraction of full scale
  double gains[ODL_DETAIL_BANDS]; // NOISE, BAYES: of white noise of σ = 1 in the bands
                                  // BIVARIATE: of the next level's coefficients
                                  // DUAL_SHRINK: what is left of z1 and z2, times these
  double weight; // RECURSIVE, PERSISTENCE: of the new frame; 0 < weight ≤ 1
                 // MIX: of the second picture; 0 ≤ weight ≤ 1
                 // SHIFT: of what is moved
                 // DUAL_BIVARIATE: of the next level's magnitudes
  double values[ODL_STEP_MOST_VALUES]; // what the row of a spatial filter's step calls
                                       // ODL_STEP_VALUE
  double own[ODL_BANDS]; // COMBINE: shares of the first picture, LL, HL, LH, HH
  double other[ODL_BANDS]; // likewise of the second one
  double illumination; // DECOUPLE: its share, 0 … 1
  double texture; // likewise
  double brightness; // DECOUPLE: of no illumination, fraction of full scale
  double least; // DIVIDE, DECOUPLE: the least divisor
  double
      taps[ODL_PLAN_MAX_RADIUS + 1]; // CONVOLVE_LINE: taps 0 … radius, tap[k] = tap[−k]
  int radius; // CONVOLVE_LINE; PERSISTENCE: 1 or 2
  int smoothing; // TROUGH: radius of the moving mean, bins
  double share; // TROUGH: of all samples, that a peak has more than
  double edge; // TROUGH: the threshold that is given, in whole units where unit > 0, else
               // a fraction of full scale; < 0: it is looked for
  double unit; // MEDIAN, SOBEL, TROUGH, CUT, SNAKES (of the picture that CUT read): the
               // step of whole samples, fraction of full scale; 0: they are none
  double tension; // SNAKES: as in image/contour/snakes.h
  double rigidity; // likewise
  double diffusion; // likewise
  double smallest; // likewise
  int n_pulls; // SNAKES: by hand
  double pulls[ODL_PULLS_VALUES]; // likewise: x, y, x, y
  double fill; // KEEP: what is shown black, 0 or 1
  int filled; // OUTLINE: 1: what is inside becomes 1 and all else 0; 0: lines of 1 are
              // drawn over the picture
  int thickness; // OUTLINE: lines cover what is at most so far from a border, samples
  // CONVOLVE: slice by slice, row by row, the first one on top; kept by the plan
  // BM3D, BM3D_TIME: likewise correlations of noise (image/bm3d/noise.h); NULL: it is
  // white
  const float *kernel;
  OdlImage *operand; // LOAD: what it reads, kept by the plan; NULL: the frame
} OdlStepParameters;

// What each kind reads (indices of slots) and writes:
//   LOAD       –                                     -> picture
//   LUMA       picture (3 channels)                  -> picture (1)
//   CONVOLVE_LINE  picture                           -> picture
//   CUT        picture, numbers of TROUGH            -> picture
//   OUTLINE    picture, numbers of SNAKES            -> picture
//   KEEP, DIVIDE, RESIDUAL, ADD, LIMIT, DECOUPLE
//              picture, picture (as many channels, or 1 for all)  -> picture
//   INSIDE, RAISE  picture                           -> picture
//   OWN, PYTHON  picture; picture as for KEEP, or nothing  -> picture
//   FORWARD x  picture, or bands (their LL)          -> half
//   FORWARD y  half                                  -> bands
//   FORWARD z  bands                                 -> octants
//   THRESHOLD  bands; numbers of BAYES, whose thresholds are taken instead, or nothing
//                                                    -> bands (HL, LH, HH only)
//   COMBINE    bands, bands (as many channels)       -> bands
//   BIVARIATE  bands; those of the next level: bands -> bands (HL, LH, HH only)
//   INVERSE z  approximation: picture or octants (LLL); details: octants -> bands
//   INVERSE y  approximation: picture or bands (LL); details: bands -> half
//   INVERSE x  half                                  -> picture
//   STATIONARY_FORWARD  picture                      -> picture
//   STATIONARY_INVERSE  low: picture; high: picture  -> picture
//   SHRINK     picture; numbers of BAYES, or nothing -> picture
//   PLACE      picture; band: picture                -> picture
//   DUAL_FORWARD  picture                            -> picture
//   DUAL_SHRINK   picture; numbers of BAYES, √2 times whose threshold is taken instead
//                 (a magnitude has the noise of two parts), or nothing  -> picture
//   DUAL_BIVARIATE  picture; the same band of the next level: picture  -> picture
//   DUAL_INVERSE  low: picture; high: picture        -> picture
//   DUAL_PLACE    picture; band: picture             -> picture
//   BAND       bands                                 -> picture as large as the band
//   JOIN       of LL, HL, LH, HH those that are there: pictures  -> bands, what has no
//                                                    picture undefined
//   SHIFT      picture; picture as large as what it writes, or nothing  -> picture
//   LAYOUT     approximation (bands, coarsest level only); details: bands -> picture
//   BM3D       picture; in step two the result of step one: picture; where noise is not
//              white what blocks are compared in: picture; numbers of NOISE, whose σ is
//              taken instead, none where it is less than ODL_NO_NOISE, or nothing
//                                                  -> picture
//   BM3D_TIME  ODL_BM3D_PAST pictures of frames before, the oldest first, that of this
//              one, ODL_BM3D_AHEAD after           -> picture
//   REGISTER   picture, picture (as many channels, or 1 for all)  -> picture
//   RECOMBINE  picture (3), luma before, luma after  -> picture (3)
//   OPPONENT   picture (3)                           -> picture (3)
//   SCAN_CONVERT  picture                            -> picture of another size
//   RECURSIVE, PERSISTENCE, MEAN, TEMPORAL_MEDIAN  picture -> picture
//   MAGNITUDE  picture, picture                      -> picture
//   TENSOR     4, 6 or 10 pictures: magnitudes       -> picture
//   STEER      low band, 4, 6 or 10 high bands, as many magnitudes  -> picture
//   SIDES      picture                               -> numbers, of each channel
//   MASK       picture, numbers of SIDES             -> mask of level 0
//              mask of level l − 1                   -> mask of level l
//   NOISE      bands (HH), or HH as a picture; mask  -> numbers, of all channels together
//   BAYES      bands, or one as a picture; mask, numbers of NOISE  -> likewise
//   TROUGH     picture                               -> likewise
//   SNAKES     picture of edges, picture that CUT read and numbers of TROUGH, or neither
//                                                    -> likewise
//   EQUALISE   picture (1 channel)                   -> likewise
//   CLAHE      picture (1 channel), numbers of EQUALISE  -> picture
//   PEAK       picture                               -> likewise
//   LOG_COMPRESS  picture; numbers of PEAK, or nothing  -> picture
//   of another spatial filter  picture; picture as for KEEP, or nothing  -> picture
//
// THRESHOLD of octants: what the recipe says holds for coefficients whose transform along
// z is orthonormal, so that it means as much noise as in two dimensions. Steps along z
// have the gains of the others, 1/√2 and √2: at level l the plan's thresholds are the
// recipe's times 2^(−l/2), those of HLH, LHH and HHH twice that; LLH, where noise is half
// that of HLH, has the recipe's times 2^(−l/2). Where the recipe says nothing about the
// high slices their bands have what HL, LH and HH have, and LLH what HL has.
// With a `side` x of octants becomes x · max (1 − T² / S², 0), SHRINK's rule, S² the mean
// of side slices' sums of the squares of side² coefficients about it, all of its octant
// (whole-sample border): as much noise as in a picture, so that T suits windows alike.
//
// SHRINK: soft by the threshold that was found; without numbers by `threshold` and
// `rule`, as THRESHOLD. With numbers and a `side` x becomes x · max (1 − T² / S², 0), S²
// the sum of the squares of side × side coefficients about it, 2^level samples apart
// (whole-sample border): those that a decimated transform has there, so that the result
// is the mean over all its shifts. G. Chen, T. Bui, A. Krzyzak, "Image denoising using
// neighbouring wavelet coefficients", Proceedings of ICASSP (2004).
//
// DUAL_BIVARIATE: with R² = |y1|² + (weight |y2|)² of a complex coefficient y1 and the
// one of the next level where it stands, and s² = max (mean of |y1|² / 2 − sigma², 0)
// over side × side coefficients of its orientation (whole-sample border), y1 becomes
//   y1 · max (R − √3 sigma² / s, 0) / R
// BIVARIATE: likewise of real coefficients, with R² = y1² + (gain y2)², s² = max (mean of
// y1² − sigma², 0) over side × side coefficients of the band, and y2 the coefficient of
// the next level at half its place, or the last one there. 0 where that level has none.
// L. Şendur, I. Selesnick, "Bivariate shrinkage with local variance estimation", IEEE
// Signal Processing Letters 9 (2002), equations 5 and 8.
//
// SHIFT: with (`dx`, `dy`) of its values, sample p becomes that of the other picture, or
// 0, plus `weight` times that at p − (dx, dy), beyond the picture by `border`; of
// periodic ones what odl_border_length leaves out stays where it is. R. Coifman, D.
// Donoho, "Translation-invariant de-noising", Lecture Notes in Statistics 103 (1995): the
// mean over shifts of a filter that depends on them.
//
// LIMIT: with the least a and the greatest b of the 3 × 3 samples of g (whole-sample
// border) and r = `tolerance` (b − a): f not below a − r and not above b + r.
//
// COMBINE: of the coefficients a and b of two pictures, with x = own · a and y = other ·
// b of their band, x + y in LL and by the rule ODL_RULE_SUM; in the details, by
// ODL_RULE_MAXIMUM, y where |y| > |x| + ODL_BEYOND_TIES, else x. Details of whole samples
// lie on a grid, so that equal ones are common, and each engine would round them its way.
// T. Wong et al., "Discrete wavelet transform on consumer-level graphics hardware", IEEE
// Transactions on Multimedia 9 (2007), section VII-B.
//
// DECOUPLE: f is left as it is where none of the 3 × 3 samples about it (whole-sample
// border) exceeds `tolerance`; else, with g = max (illumination, least) and
// h = (1 − `illumination`) brightness + `illumination` g, it becomes
//   texture · f · h / g + (1 − texture) h
// which is f where both shares are 1. From the same paper, with a guard against zero.
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
// REGISTER: by image/morphon/morphon.h, from the means of the channels, so that all of
// them are deformed alike; `rule` is an OdlRegisterOutput. Displacements are 0.5 + pixels
// / (2 ODL_REGISTER_RANGE). A volume is registered to a volume, by morphon3.h.
// What a magnitude has to exceed another one, or a threshold, by.
#define ODL_BEYOND_TIES 2e-6

// SRAD: the least divisor.
#define ODL_LEAST_FLOW 1e-20

#define ODL_REGISTER_RANGE 128

typedef enum {
  ODL_REGISTER_PICTURE,
  ODL_REGISTER_GRID, // with lines that every 16th column, row and slice have become
  ODL_REGISTER_ACROSS, // displacements
  ODL_REGISTER_DOWN,
  ODL_REGISTER_ALONG, // from slice to slice; of pictures there are none
} OdlRegisterOutput;

typedef struct {
  // Structure: what stands before `parameters` decides buffers and programs.
  OdlStepKind kind;
  OdlAxis axis;
  int level; // 1 is the finest; 0 for spatial steps
  int reads[ODL_STEP_MOST_READS]; // ODL_PLAN_NO_SLOT where unused
  int writes;
  OdlBorder border; // FORWARD, INVERSE and SHIFT, stationary or not: one of the
                    // wavelet's; CONVOLVE: any
  const OdlWavelet *wavelet; // FORWARD and INVERSE
  double quantum; // reversible wavelets: the unit of whole numbers; 0 for others
  const OdlOwnCode *code; // OWN, PYTHON; NULL for others
  int frames; // MEAN and TEMPORAL_MEDIAN: 3, 5 or 7; RECURSIVE and PERSISTENCE: 2; 0 for
              // others
  int side; // of a window, odd: spatial 3 … ODL_PLAN_MAX_SIDE; BIVARIATE, DUAL_BIVARIATE
            // 3 … 9;
            // ENVELOPE: its taps, 15 … 127; SCAN_CONVERT: neighbours along an axis, 2, 8;
            // BM3D_TIME: its frames, 3 … 9;
            // SHRINK, THRESHOLD of octants 3 … 9, 0 for none; EQUALISE, CLAHE: tiles
            // along either side
  int input; // LOAD: 0 the frame, else the plan's first, second, … operand
  int bins; // TROUGH: at most so many; EQUALISE, CLAHE: of a tile
  int rule; // COMBINE: an OdlCombiningRule; TENSOR: an OdlTensorView; BAYES: an
            // OdlFoundThreshold
            // THRESHOLD, STATIONARY_FORWARD, SHRINK, DUAL_SHRINK: an OdlShrinkingRule;
            // that of hard ones, too, is ODL_SHRINK_SOFT, so that they share programs
            // REGISTER: an OdlRegisterOutput
            // PYTHON: 1: all slices of a volume at once
            // BM3D, BM3D_TIME: an OdlBm3dEffort
            // SCAN_CONVERT: an OdlBeamArray, with ODL_SCAN_BACK or without
            // DUAL_PLACE: ODL_PLACE_FALLING and ODL_PLACE_ALONE, or 0
  int kernel_width; // CONVOLVE: odd, 1 … ODL_PLAN_MAX_KERNEL
                    // BM3D, BM3D_TIME: of correlations, 0 where noise is white
  int kernel_height; // likewise
  int kernel_depth; // likewise, 1 for pictures
  int band; // STATIONARY_FORWARD, DUAL_FORWARD: 0 low, 1 high; PLACE, DUAL_PLACE, BAND:
            // 0 LL, 1 HL (right), 2 LH, 3 HH; NOISE, BAYES: likewise, of the picture that
            // is read, 0 where it is a slot of bands
            // BM3D: 1: all three channels have the groups of the first one
            // OPPONENT: 1: back to RGB
  int group; // of the plan (plan/group.h), −1 for none; it follows from the rest
  OdlStepParameters parameters;
  int item; // index of the recipe's filter, −1 for none; of no consequence to engines
} OdlStep;

typedef enum {
  ODL_FIELD_INT,
  ODL_FIELD_DOUBLE,
} OdlFieldType;

// A number of a step that its kind uses.
typedef struct {
  const char *name; // "amount": in a plan's text, and in capitals in shaders
  OdlFieldType type;
  size_t offset; // in OdlStep
} OdlStepField;

typedef struct {
  const char *name; // "sharpen"
  OdlStepClass class;
  OdlPhase phase;
  bool recursive; // depends on all frames since the reset
  bool amplifies; // multiplies rounding errors: wants single precision
  // Whether it makes whole samples of whole ones, of the same steps; NULL: it does not.
  bool (*keeps_whole) (const OdlStep *step);
  int reach; // spatial: samples away that it reads at most; 0: half its side
  bool square; // spatial: reads most of the square that it reaches, which is so worth
               // fetching at once
  OdlStepField fields[ODL_STEP_MOST_FIELDS + 1]; // ends with a NULL name
} OdlStepRow;

// Fields of the structure, those of the parameters, and one of its `values`.
#define ODL_STEP_STRUCTURE(NAME, TYPE) \
  { \
#NAME, ODL_FIELD_##TYPE, offsetof(OdlStep, NAME) \
  }
#define ODL_STEP_PARAMETER(NAME, TYPE) \
  { \
#NAME, ODL_FIELD_##TYPE, offsetof(OdlStep, parameters.NAME) \
  }
#define ODL_STEP_VALUE(name, i) \
  { \
    name, ODL_FIELD_DOUBLE, offsetof (OdlStep, parameters.values[i]) \
  }

// For rows: of whole samples the step always makes whole ones.
bool odl_step_always (const OdlStep *step);

// The row of a kind. Any thread.
const OdlStepRow *odl_step_row (OdlStepKind kind);

static inline OdlStepClass
odl_step_class (const OdlStep *step)
{
  return odl_step_row (step->kind)->class;
}

// Which direction of a band DUAL_PLACE takes, and where it puts it: the one that falls to
// the right, else the other; at the top left, all of it, else where the Mallat layout has
// the band, without what lies beyond lines of odd length.
enum { ODL_PLACE_FALLING = 1, ODL_PLACE_ALONE = 2 };

// How THRESHOLD, STATIONARY_FORWARD and DUAL_SHRINK shrink.
static inline OdlShrinkingRule
odl_step_shrinking (const OdlStep *step)
{
  return step->rule == ODL_SHRINK_SOFT && step->parameters.hard
             ? ODL_SHRINK_HARD
             : (OdlShrinkingRule) step->rule;
}

// STATIONARY_…: the taps that meet what it reads as reads[r], and the samples between
// one and the next.
const OdlTaps *odl_step_taps (const OdlStep *step, int r);

static inline int
odl_step_spacing (const OdlStep *step)
{
  return 1 << (step->level - 1);
}

// DUAL_FORWARD, DUAL_INVERSE: the filter of what it reads as reads[r].
const OdlDualFilter *odl_step_dual_filter (const OdlStep *step, int r);

// How many samples away a spatial step reads, at most and whatever its parameters; PLACE,
// which reads anywhere, says 0.
int odl_step_reach (const OdlStep *step);

// Whether a field belongs to the structure, or else to the parameters.
bool odl_step_field_is_structural (const OdlStepField *field);
double odl_step_field_value (const OdlStep *step, const OdlStepField *field);

// The value of the field of that name, which the row of the step has.
double odl_step_value (const OdlStep *step, const char *name);

// Whether both need the same buffers and programs, and whether they have the same
// numbers. Any thread.
bool odl_step_same_structure (const OdlStep *a, const OdlStep *b);
bool odl_step_same_parameters (const OdlStep *a, const OdlStep *b);

// What a LOAD reads: its operand, or else the frame `input`.
static inline OdlImage *
odl_step_image (const OdlStep *step, OdlImage *input)
{
  return step->parameters.operand != NULL ? step->parameters.operand : input;
}

// Whether `slot` is among what `step` reads. Any thread.
bool odl_step_reads (const OdlStep *step, int slot);
