// SPDX-License-Identifier: MIT
// The state of the planner: growing lists of slots and steps, and the picture that the
// next step reads. Private to this folder.
#pragma once

#include "plan/plan.h"

// A frame of the sequence that the geometry's neighbours are of. Beyond an end, where the
// border leads back, its place goes on, so that plans of all frames have one structure.
typedef struct {
  int64_t place;
  int64_t index;
  int sign; // of steps in time: −1 where the border mirrors
} OdlFrameAt;

// The picture of a frame as item `item` reads it; −1: as it came.
typedef struct {
  OdlFrameAt at;
  int item;
  int slot;
} OdlElsewhere;

// A band that stands for the picture, while filters inside a transform are planned.
typedef struct {
  int level; // 0: the picture itself, or a band of its size
  int width, height;
} OdlBandPart;

// A threshold that no detail exceeds, though whole numbers of 16 bits still hold it.
#define ODL_EVERY_DETAIL 1024

typedef struct _OdlPlanner OdlPlanner;

struct _OdlPlanner {
  const OdlRecipe *recipe;
  OdlGeometry geometry; // of the picture that the next filter reads
  OdlGeometry came; // of what the first one reads
  GArray *slots;
  GArray *steps;
  int picture; // slot with the current picture
  int origin; // slot with the picture that the first filter reads
  GString *note;
  GPtrArray *kernels; // as in OdlPlan
  OdlBorder border; // of the wavelet filter that is being planned
  bool volumetric; // the wavelet filter that is being planned sees all slices
  bool reversible; // a wavelet computes in whole numbers
  bool peaks; // a step reads the numbers of PEAK, in single precision
  bool cuts; // a step reads the numbers of TROUGH, SNAKES or EQUALISE, in single
             // precision, beside samples
  bool divides; // a step divides one picture by another
  bool temporal; // a step over time, whose rounding errors last
  bool dual; // a filter has the dual tree
  bool steep; // a rule that multiplies rounding errors
  bool shrinks; // a step reads the numbers of BAYES beside samples
  bool parts; // a filter works on a band as on a picture
  OdlBandPart part; // what pictures of full size are now
  bool spins; // a filter is the mean over shifts
  bool with_margins; // a filter works on a picture with mirrored margins
  bool deep; // a picture has more than 8 bits
  int n_operands; // that are loaded so far
  bool luma; // filters see the luma alone
  OdlFrameAt at; // whose picture is being planned
  bool away; // it is another one than that of the plan
  GArray *elsewhere; // pictures of other frames, see odl_planner_picture_at
  // Plans the filters before `end` from the current picture on.
  void (*plan_items) (OdlPlanner *b, int end);
  // Plans one filter; notes whether it has no place in this plan.
  void (*plan_item) (OdlPlanner *b, int item);
  bool (*is_left_out) (OdlPlanner *b, int item);
  int n_groups; // so far
  int group; // of the steps that are added; −1: none
  OdlDetails details; // of the result
  int band; // as in OdlPlan
  double pixel_mm; // likewise
  bool resized; // likewise
  bool has_outside; // what lies beyond the beams is no picture
  OdlBeamContent came_content; // what samples were, as far as the filters say
};

// Each returns the index of the new slot. Every step writes a slot of its own; when the
// plan is finished, slots whose contents are dead are shared.
int odl_planner_add_slot (OdlPlanner *b,
                          OdlSlotKind kind,
                          int level,
                          int width,
                          int height,
                          int channels);

// A slot of another kind, or at another level, with as many channels as slot `like`.
int odl_planner_add_slot_like (OdlPlanner *b, int like, OdlSlotKind kind, int level);

// A step of recipe item `item` (−1: of none) that reads one slot. Valid until the next
// one is added, as what odl_planner_add_picture_step returns.
OdlStep *
odl_planner_add_step (OdlPlanner *b, OdlStepKind kind, int read, int write, int item);

// A step that makes a picture like the current one, which becomes the current one.
OdlStep *odl_planner_add_picture_step (OdlPlanner *b, OdlStepKind kind, int item);

// Adds to the plan's note what had to be changed; `format` is translated. The same of
// other frames is not said again.
void odl_planner_note (OdlPlanner *b, const char *format, ...) G_GNUC_PRINTF (2, 3);

// That a picture has no third axis, and how frames become one.
void odl_planner_note_flat (OdlPlanner *b);

// Adds the steps that measure the noise of recipe item `item` and a threshold for each
// detail band of levels 1 … levels. `pictures`: bands[l][1 … 3] are slots with HL, LH and
// HH, and numbers[l][1 … 3] those with what was measured; else bands[l][0] has all of
// them, and numbers[l][0] likewise.
void odl_plan_measures (OdlPlanner *b,
                        int item,
                        int levels,
                        bool pictures,
                        const int bands[][ODL_BANDS],
                        int numbers[][ODL_BANDS]);

// Adds the steps that measure the noise of the current picture for recipe item `item`,
// which sees pictures; the slot with the numbers of NOISE.
int odl_plan_noise (OdlPlanner *b, int item);

// Whether thresholds are those that odl_plan_measures adds.
static inline bool
odl_planner_measures (const OdlPlanner *b, int item)
{
  return odl_filter_finds_thresholds (b->recipe->items[item].filter);
}

// Adds the steps of recipe item `item`, a threshold at a trough. `unit`: of whole samples
// in the current picture; 0: they are none.
void odl_plan_trough (OdlPlanner *b, int item, double unit);

// Adds a slot for so many numbers of each channel, and returns its index.
int odl_planner_add_numbers (OdlPlanner *b, int width, int channels, bool observed);

// The step of whole samples in the current picture, fraction of full scale; 0 where a
// filter has made others of them.
double odl_planner_whole_unit (const OdlPlanner *b);

// Adds the steps of recipe item `item`: active contours, or the mask that they, or else a
// threshold, put onto the original.
void odl_plan_contours (OdlPlanner *b, int item);
void odl_plan_mask (OdlPlanner *b, int item);

// Adds the steps of recipe item `item`, a filter of wavelet coefficients.
void odl_plan_wavelet (OdlPlanner *b, int item);

// The levels that a filter with a wavelet gets, with notes on what the picture does not
// allow; 0 for one pixel.
int odl_planner_levels (OdlPlanner *b, int item);

// The slot with what is left of the picture in slot `picture` without any details; with
// no levels the picture itself.
int odl_plan_low_band (OdlPlanner *b, int item, int levels, int picture);

// Samples up to this value are black, fraction of full scale: those of 8 bits were often
// compressed.
double odl_planner_black (const OdlPlanner *b);

// The threshold of a threshold filter for a detail band of a level, fraction of full
// scale.
double
odl_planner_threshold (const OdlPlanner *b, int item, int level, OdlDetailBand band);
// Likewise for the direction of a band of the dual tree that falls to the right.
double odl_planner_falling_threshold (const OdlPlanner *b,
                                      int item,
                                      int level,
                                      OdlDetailBand band);
// Likewise in octant 1 … 7 of a volume (plan/numbers.h), as the step has it.
double
odl_planner_octant_threshold (const OdlPlanner *b, int item, int level, int octant);
// The side of a window of coefficients.
int odl_planner_window (const OdlPlanner *b, int item);
// For bivariate shrinkage: the standard deviation in a detail band of noise of σ = 1, by
// the filter's profile, and what brings parents to the noise of their children. `wavelet`
// NULL: of the dual tree.
double odl_planner_noise_gain (const OdlPlanner *b,
                               int item,
                               const OdlWavelet *wavelet,
                               int level,
                               OdlDetailBand band);
double odl_planner_parent_weight (const OdlPlanner *b,
                                  int item,
                                  const OdlWavelet *wavelet,
                                  int level,
                                  OdlDetailBand band);

// Sets by which rule `step` shrinks.
void odl_planner_set_rule (OdlPlanner *b, int item, OdlStep *step);

// The parts of a filter in the decimated transform; arrays have a slot for each level
// from 1 on. Bands of the next level, of slot `read`; thresholds, those of the filter
// `item`; shares of the filter `item`, which scales bands; synthesis, LL of the coarsest
// level being in slot `approximation`; a picture of bands, LL in slot `approximation`.
int odl_planner_forward (OdlPlanner *b, int item, int level, int read);
void odl_planner_thresholds (OdlPlanner *b,
                             int item,
                             int levels,
                             const int bands[],
                             int filtered[]);
void
odl_planner_scale (OdlPlanner *b, int item, int levels, const int bands[], int scaled[]);
void odl_planner_inverse (OdlPlanner *b,
                          int item,
                          int levels,
                          int approximation,
                          const int bands[],
                          const int filtered[]);
void odl_planner_layout (OdlPlanner *b,
                         int item,
                         int levels,
                         int approximation,
                         const int details[]);

// Puts 0 in the place of all but the filtered details of the level that the view shows;
// the first: for LL of the coarsest level, which is in slot `approximation`; returns its
// slot. Levels that the filter does not have: of the last one, with a note.
int odl_planner_keep_level (OdlPlanner *b,
                            int item,
                            int levels,
                            int approximation,
                            int filtered[]);

// Whether the plan has to compute in 32 bits, with a note where 16 were asked for.
bool odl_planner_needs_single (OdlPlanner *b);

// The level that the view shows, of `levels`, with that note.
int odl_planner_kept_level (OdlPlanner *b, int levels);

// A picture whose samples are `gain` times those of slot `read`.
int odl_planner_gain (OdlPlanner *b, int item, int read, double gain);

// Slot `read`, LL, multiplied by what filter `item`, which scales bands, gives it.
int odl_planner_scale_base (OdlPlanner *b, int item, int read);

// The transform that filter `item` gets, and the border that it begins with.
OdlTransformKind odl_planner_begin_transform (OdlPlanner *b, int item);

// Likewise in the stationary one: all four bands of a level, details as they are;
// details of all levels shrunk by what filter `item` measures, or all bands scaled, or
// details shrunk by what it says; the picture of
// these; and what a view shows of them.
void odl_planner_stationary_level (OdlPlanner *b,
                                   int item,
                                   int level,
                                   int approximation,
                                   int bands[ODL_BANDS]);
void odl_planner_stationary_measured (OdlPlanner *b,
                                      int item,
                                      int levels,
                                      int bands[][ODL_BANDS]);
void odl_planner_stationary_scale (OdlPlanner *b,
                                   int item,
                                   int levels,
                                   int bands[][ODL_BANDS]);
void odl_planner_stationary_shrink (OdlPlanner *b,
                                    int item,
                                    int levels,
                                    int bands[][ODL_BANDS]);
int odl_planner_stationary_sum (OdlPlanner *b,
                                int item,
                                int level,
                                const int bands[ODL_BANDS]);
void odl_planner_stationary_view (OdlPlanner *b,
                                  int item,
                                  int levels,
                                  const int bands[][ODL_BANDS]);
void
odl_planner_stationary_keep (OdlPlanner *b, int item, int levels, int bands[][ODL_BANDS]);

// Adds the steps of recipe item `item`, a transform, and of the filters inside; the
// inverse is its last step.
void odl_plan_transform (OdlPlanner *b, int item);

// Where LL of that level lies in a picture of coefficients.
void odl_planner_set_approximation (OdlPlanner *b, int levels);

// Adds the steps of a filter in the stationary transform.
void odl_plan_stationary (OdlPlanner *b, int item, int levels, OdlViewKind view);

// Adds the steps of a filter in the dual-tree transform.
void odl_plan_dual_tree (OdlPlanner *b, int item, int levels, OdlViewKind view);
// Likewise of all filters that `acts` names, on one decomposition, which is that of
// `item`.
void odl_planner_dual_tree (OdlPlanner *b,
                            int item,
                            int levels,
                            OdlViewKind view,
                            const bool acts[]);

// The slot with the second picture of recipe item `item`, whose steps it adds: all its
// channels, or its luma if the current picture has only one. odl_plan_check_operand was
// true.
int odl_planner_add_operand (OdlPlanner *b, int item);

// Slices of the second picture of recipe item `item`; 1 without.
int
odl_plan_operand_depth (const OdlRecipe *recipe, int item, const OdlGeometry *geometry);

// The same slot, or one with as many channels as the current picture.
int odl_planner_add_operand_alike (OdlPlanner *b, int item);

// Frames of the sequence that the geometry's neighbours are of; 1 without.
int odl_planner_time_count (const OdlPlanner *b);

// What recipe item `item` reads `offset` frames later, whose filters before `item` are
// planned as well; `own`: what it reads now. Keeps the current picture.
typedef struct {
  int slot;
  bool is_zero; // the border has nothing there
} OdlOtherPicture;

OdlOtherPicture odl_planner_other_picture (OdlPlanner *b,
                                           int item,
                                           int own,
                                           OdlBorder border,
                                           int offset);

// How many frames before and after the one that is planned belong together with it: those
// that the geometry has, up to the ends of the sequence, to a cut (image/change.h) and to
// a marked frame.
typedef struct {
  int past, ahead;
} OdlTake;

OdlTake odl_planner_take (const OdlPlanner *b, int past, int ahead);

// As odl_planner_other_picture; what is beyond the take is the picture at its end, so
// that all frames have plans of one structure.
int
odl_planner_picture_in_take (OdlPlanner *b, int item, int own, int offset, OdlTake take);

// Both steps of BM3D, and how many frames it looks at.
void odl_plan_bm3d (OdlPlanner *b, int item);
OdlTimeReach odl_plan_bm3d_reach (const OdlRecipe *recipe, int item);

// Whether its noise is measured in each frame.
bool odl_plan_bm3d_measures (const OdlRecipeItem *item);

// Adds f + g, which becomes the current picture; `f` is ODL_PLAN_NO_SLOT for none.
void odl_planner_add (OdlPlanner *b, int item, int f, int g);

// Adds the steps of recipe item `item`, illumination and texture.
void odl_plan_decouple (OdlPlanner *b, int item);

// Adds the steps of recipe item `item`, a structure tensor, or denoising along it.
void odl_plan_structure_tensor (OdlPlanner *b, int item);
void odl_plan_adaptive (OdlPlanner *b, int item);
