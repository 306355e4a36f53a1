// SPDX-License-Identifier: MIT
// OdlRecipe: the user's filters and settings, as a plain value with a text form.
//
// Text form: words separated by blanks or newlines; '#' starts a comment to the end of
// the line.
//   NAME                            a preset that the program brings along: its filters
//   NAME[:key=value[,key=value]…]   a filter; filters apply in the order written;
//                                   bypass=yes disables one
//   glsl:file=NAME[,sha256=HASH][,key=value]…   code of the user's own (own/own.h), whose
//                                   parameters the file names. Only where the recipe
//                                   trusts code; with a hash only if the file has it. It
//                                   is written with its hash and without folder
//   transform[:…] … inverse         filters between both work on the bands of one
//                                   transform (inside.h): threshold filters on the
//                                   details, others where at=… says
//   view=synthesis|analysis|filtered-analysis|residual, or in these places result,
//                                   coefficients, filtered-coefficients; falling or
//                                   filtered-falling of the dual tree; level:1 …
//                                   level:16
//   colour=channels|luma|opponent   filter each colour channel, or only the luma; bm3d:
//                                   opponent colours by the blocks of their luma
//   precision=16|32                 bits of the intermediate pictures
//   border=auto|symmetric|periodic|zero   of wavelet filters; auto: the wavelet's own
//   strength=NUMBER                 of all filters together (strength.h); 1: as written
// A first line "# Ondelette recipe, format N" says which format the text has; without
// one it is 1. Those of newer formats are refused.
// A matrix (thresholds of shrinkage) lists levels separated by slashes, the finest
// first: 0.1/0.05/0.02. A short matrix repeats its last level; surplus levels are
// dropped with a note of the plan. A level is one number for its three detail bands, or
// HL:LH:HH: 0.1/0.05:0.04:0.08/0.02; those of a volume that are high along z have a
// matrix of their own, LLH:HLH:LHH:HHH, where `auto` is what HL, HL, LH and HH have, and
// stays (z-thresholds of shrinkage). `auto`, or a missing threshold, is measured when
// the recipe meets a picture (measure.h); the text then shows the number. A spectrum
// (profile of bm3d) lists the rows of the coefficients of a block in the same way, each
// one number or all of its columns. File names
// (second picture of mix) that contain a blank, a comma, a quote, a backslash, '#' or
// invalid UTF-8 are written in double quotes with C escapes: with="a \"b\".png". The
// same text serves as --filter argument, preset file and the window's clipboard format.
#pragma once

#include <glib.h>

#include "filter/filter.h"
#include "wavelet/transform.h"

#define ODL_RECIPE_MAX_FILTERS 16
#define ODL_RECIPE_FORMAT 1
#define ODL_MOST_STRENGTH 4.0

typedef enum {
  ODL_VIEW_SYNTHESIS,
  ODL_VIEW_ANALYSIS,
  ODL_VIEW_FILTERED_ANALYSIS,
  ODL_VIEW_RESIDUAL, // what the filters took away: the original less the result
  // Of the dual tree alone: as the analysis views, for the directions that fall to the
  // right.
  ODL_VIEW_FALLING,
  ODL_VIEW_FILTERED_FALLING,
  ODL_VIEW_LEVEL, // what the filtered details of level 1 make alone; + n: of level n + 1
} OdlViewKind;

typedef enum {
  ODL_COLOUR_CHANNELS,
  ODL_COLOUR_LUMA,
  ODL_COLOUR_OPPONENT, // bm3d: luma and differences by the groups of the luma; others as
                       // ODL_COLOUR_CHANNELS
} OdlColourMode;

// Values are those of OdlBorder plus one.
typedef enum {
  ODL_BORDER_AUTO,
  ODL_BORDER_CHOICE_SYMMETRIC,
  ODL_BORDER_CHOICE_PERIODIC,
  ODL_BORDER_CHOICE_ZERO,
} OdlBorderChoice;

// What a filter that is no threshold works on inside a transform.
typedef enum {
  ODL_AT_DETAILS, // HL, LH and HH of each level
  ODL_AT_APPROXIMATION, // LL of each level, before it is taken apart further
  ODL_AT_COARSEST, // LL of the last level
} OdlInsideAt;

typedef struct {
  const OdlFilter *filter;
  double values[ODL_FILTER_MAX_VALUES];
  int n_given; // levels that the text gave for the matrix; 0: no text, or changed since
  bool bypassed; // keeps its place and values but has no effect
  OdlInsideAt at; // of no consequence outside of a transform
  const char *file; // of the file parameter, interned so that recipes can be copied;
                    // NULL: none; a filter of two pictures then has no effect
  guint measured_after; // what stood before it when its noise was measured (measure.h);
                        // 0: it was not, or was changed since. No part of the text
} OdlRecipeItem;

typedef struct {
  OdlRecipeItem items[ODL_RECIPE_MAX_FILTERS];
  int n_items; // 0: unfiltered
  OdlViewKind view;
  OdlColourMode colour;
  int precision; // 16 or 32
  OdlBorderChoice border;
  double strength; // 0 … ODL_MOST_STRENGTH; plans scale the values by it
  // No part of the text: of the views of directions the only one that is shown, as
  // ODL_DETAIL_BANDS · level + band − 1 with levels and detail bands from 1; 0: all.
  int direction;
  // Likewise of the view of coefficients of the stationary transform, whose bands are as
  // large as the picture, the only band that is shown: ODL_BANDS · level + band, with
  // bands 0 LL … 3 HH; 0: all, of which a picture has room for every 2^level-th sample.
  int band;
  // No part of the text: whether it may name code (“glsl”). Whoever sets it has asked the
  // user, or was told by him.
  bool trusts_code;
  // Likewise: whether code that its text names is refused, and its file not opened, also
  // where the program asks its user: another program has sent the text.
  bool refuses_code;
} OdlRecipe;

// No filters, synthesis, channels, 32 bits, border auto, strength 1.
void odl_recipe_init (OdlRecipe *recipe);

// Appends a filter with default values. False if the recipe is full.
bool odl_recipe_append (OdlRecipe *recipe, const OdlFilter *filter);

// Adds the filters and settings of `text` to `recipe`. On failure `recipe` is unchanged;
// the error (ODL_ERROR_USAGE) names the word and the alternatives.
bool odl_recipe_parse (OdlRecipe *recipe, const char *text, GError **error);

// Likewise; relative names of files with code count from `folder`, NULL: from where the
// program runs.
bool odl_recipe_parse_in (OdlRecipe *recipe,
                          const char *text,
                          const char *folder,
                          GError **error);

// Canonical text: canonical names, C locale, and all parameters but those that have no
// effect beside the others and are as the filter begins with them. `separator` (" " or
// "\n") separates words. Parsing it gives an equal recipe. Transfer full.
char *odl_recipe_to_text (const OdlRecipe *recipe, const char *separator);

// Ignores levels of a matrix beyond the filter's levels.
bool odl_recipe_equal (const OdlRecipe *a, const OdlRecipe *b);

// Whether the filter has an effect: not bypassed, not pass-through, and has its second
// picture if it takes one, and its code, which may run (own/own.h), if that is what it
// runs. Such items are called active.
bool odl_recipe_item_acts (const OdlRecipeItem *item);

// Whether a parameter has an effect beside the others: the numbers of a shape have none
// where another shape is chosen, or a kernel named; thresholds along z have none in two
// dimensions.
bool odl_recipe_item_uses (const OdlRecipeItem *item, const OdlParameter *parameter);

// True if no item is active: the result equals the source.
bool odl_recipe_is_identity (const OdlRecipe *recipe);

// True if an active filter uses earlier frames.
bool odl_recipe_is_temporal (const OdlRecipe *recipe);

// True if an active filter processes all slices of a volume together (dimensions=3, or 4
// with time).
bool odl_recipe_is_volumetric (const OdlRecipe *recipe);

// 2, or 3 for a filter that processes all slices of a volume together, 4 for one that
// looks at earlier and later ones, too.
int odl_recipe_item_dimensions (const OdlRecipeItem *item);

// The view of coefficients before or after the filter, and of which directions.
static inline OdlViewKind
odl_view_of_coefficients (bool filtered, bool falling)
{
  return falling ? (filtered ? ODL_VIEW_FILTERED_FALLING : ODL_VIEW_FALLING)
                 : (filtered ? ODL_VIEW_FILTERED_ANALYSIS : ODL_VIEW_ANALYSIS);
}

static inline bool
odl_view_is_falling (OdlViewKind view)
{
  return view == ODL_VIEW_FALLING || view == ODL_VIEW_FILTERED_FALLING;
}

static inline bool
odl_view_is_filtered (OdlViewKind view)
{
  return view == ODL_VIEW_FILTERED_ANALYSIS || view == ODL_VIEW_FILTERED_FALLING;
}

// Whether a view shows coefficients; of the dual tree the magnitudes of three directions.
static inline bool
odl_view_is_analysis (OdlViewKind view)
{
  return view == ODL_VIEW_ANALYSIS || view == ODL_VIEW_FALLING
         || odl_view_is_filtered (view);
}

// The level that a view reconstructs; 0: it is another view.
static inline int
odl_view_level (OdlViewKind view)
{
  return view >= ODL_VIEW_LEVEL ? 1 + (int) (view - ODL_VIEW_LEVEL) : 0;
}

// Whether a view is about the last filter of coefficients alone: shows these, or what one
// of their levels makes.
static inline bool
odl_view_is_within (OdlViewKind view)
{
  return odl_view_is_analysis (view) || odl_view_level (view) > 0;
}

// Whether there is something to see: coefficients need a filter that makes some, falling
// directions one of the dual tree in two dimensions, and a residual one that is active.
bool odl_recipe_has_view (const OdlRecipe *recipe, OdlViewKind view);

// Index of the last active filter of the coefficient domain, which the analysis views
// show; −1 if there is none.
int odl_recipe_last_wavelet_item (const OdlRecipe *recipe);

// The upper limit of a parameter beside the others: that of odl_parameter_maximum, but
// for orthonormal thresholds (normalisation.h) what unit gain makes of it, 2^levels. And
// `value` clamped to the range.
double odl_recipe_item_maximum (const OdlRecipeItem *item, const OdlParameter *parameter);
double odl_recipe_item_clamp (const OdlRecipeItem *item,
                              const OdlParameter *parameter,
                              double value);

// Value of a parameter, for a matrix its i-th. The key must exist.
double odl_recipe_get (const OdlRecipe *recipe, int item, const char *key, int i);
void odl_recipe_set (OdlRecipe *recipe, int item, const char *key, int i, double value);

// The second picture or the kernel of a filter; NULL or "": none.
void odl_recipe_set_file (OdlRecipe *recipe, int item, const char *file);

// A copy for texts about the recipe, with `word` in the place of each file; NULL: as they
// are.
OdlRecipe odl_recipe_with_files_as (const OdlRecipe *recipe, const char *word);

// Makes relative names of second pictures absolute, based on `folder` (an absolute
// path), for filter `first` and those after it.
void odl_recipe_resolve_files (OdlRecipe *recipe, int first, const char *folder);

// The second picture or kernel that filter `item` reads; NULL if it takes none or is not
// active.
const char *odl_recipe_operand (const OdlRecipe *recipe, int item);

// Number of values of `parameter` in use: 1; for a matrix odl_parameter_bands per level.
int odl_recipe_item_count (const OdlRecipeItem *item, const OdlParameter *parameter);

// What stands for value i of a parameter that follows a matrix (OdlFollowing) as long as
// it is ODL_VALUE_AUTO; that one may wait to be measured, too.
double odl_recipe_item_followed (const OdlRecipeItem *item,
                                 const OdlParameter *parameter,
                                 int i);

// Whether these are what a filter begins with.
bool odl_recipe_item_has_default (const OdlRecipeItem *item,
                                  const OdlParameter *parameter);

// NULL for filters without wavelets, and where the transform has filters of its own.
const OdlWavelet *odl_recipe_item_wavelet (const OdlRecipeItem *item);

// The transform that the recipe asks for; the plan may have to substitute another.
OdlTransformKind odl_recipe_item_transform (const OdlRecipeItem *item);

// Names of views, colour modes and border choices, in enum order, NULL-terminated.
// odl_border_names[border + 1] names an OdlBorder.
extern const char *const odl_view_names[];
extern const char *const odl_colour_names[];
extern const char *const odl_border_names[];
extern const char *const odl_at_names[]; // words, translatable

// Reads or writes a preset file (or where there is no such file takes the preset of that
// name, library.h): the text form, one word per line, at most 64 KiB.
// Relative file names are resolved against the preset's folder; names inside that folder
// are written relative.
bool odl_recipe_load (OdlRecipe *recipe, const char *path, GError **error);
bool odl_recipe_load_or_preset (OdlRecipe *recipe, const char *name, GError **error);
bool odl_recipe_save (const OdlRecipe *recipe, const char *path, GError **error);
