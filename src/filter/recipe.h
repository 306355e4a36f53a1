// SPDX-License-Identifier: MIT
// OdlRecipe: what the user wants, as a plain value, with a text form.
//
// Text form: words separated by blanks or newlines; '#' starts a comment up to the line's
// end.
//   NAME[:key=value[,key=value]…]   a filter; filters act in the order written; with
//                                   bypass=yes it keeps its place and does nothing
//   view=synthesis|analysis|filtered-analysis
//   colour=channels|luma            each colour channel, or the luma only
//   precision=16|32                 bits of the intermediate pictures
//   border=auto|symmetric|periodic|zero   what stands beyond the picture's edges, for
//                                   wavelet filters; auto: what suits the wavelet best
// A matrix (shrinkage's thresholds) is written with slashes, finest level first:
// 0.1/0.05/0.02; a short one repeats its last level, and what goes beyond the filter's
// levels is dropped; the plan's note says so. A level is one number for its three detail
// bands, or three with colons, HL:LH:HH: 0.1/0.05:0.04:0.08/0.02. `auto` in the place of
// a threshold, or none at all, is measured when the recipe meets a picture (measure.h),
// from when on the text has the number. The name of a file (mix's second picture) stands
// as it is, or in double quotes if it holds a blank, a comma, a quote, a backslash, '#'
// or what is no UTF-8: with="a \"b\".png", where backslashes work as in C. The same text
// is a --filter argument, a preset file and what the window copies.
#pragma once

#include <glib.h>

#include "filter/filter.h"
#include "wavelet/transform.h"

G_BEGIN_DECLS

#define ODL_RECIPE_MAX_FILTERS 16

typedef enum {
  ODL_VIEW_SYNTHESIS,
  ODL_VIEW_ANALYSIS,
  ODL_VIEW_FILTERED_ANALYSIS,
} OdlViewKind;

typedef enum {
  ODL_COLOUR_CHANNELS,
  ODL_COLOUR_LUMA,
} OdlColourMode;

// One more than OdlBorder.
typedef enum {
  ODL_BORDER_AUTO,
  ODL_BORDER_CHOICE_SYMMETRIC,
  ODL_BORDER_CHOICE_PERIODIC,
  ODL_BORDER_CHOICE_ZERO,
} OdlBorderChoice;

typedef struct {
  const OdlFilter *filter;
  double values[ODL_FILTER_MAX_VALUES];
  int n_given; // levels of the matrix that the text had; 0: it came without a text, or
               // some value was set since
  bool bypassed; // keeps its place and its values, and does nothing
  const char *file; // of the parameter that is one; interned, so that recipes can be
                    // copied; NULL: none, and the filter does nothing
} OdlRecipeItem;

typedef struct {
  OdlRecipeItem items[ODL_RECIPE_MAX_FILTERS];
  int n_items; // 0: the image as it came
  OdlViewKind view;
  OdlColourMode colour;
  int precision; // 16 or 32
  OdlBorderChoice border;
} OdlRecipe;

// No filter, synthesis, channels, 32 bit, border auto.
void odl_recipe_init (OdlRecipe *recipe);

// Appends a filter with its defaults. False when the recipe is full.
bool odl_recipe_append (OdlRecipe *recipe, const OdlFilter *filter);

// Adds the words of `text` to `recipe`. On failure (ODL_ERROR_USAGE, the message names
// the word and what would be right) `recipe` is unchanged.
bool odl_recipe_parse (OdlRecipe *recipe, const char *text, GError **error);

// Canonical text: every parameter written, canonical names, C locale. `separator` stands
// between words (" " or "\n"). Parsing it gives an equal recipe. Transfer full.
char *odl_recipe_to_text (const OdlRecipe *recipe, const char *separator);

// Levels of a matrix beyond the filter's do not count.
bool odl_recipe_equal (const OdlRecipe *a, const OdlRecipe *b);

// Whether the filter does anything: it is neither bypassed nor pass-through, and has the
// second picture that it takes.
bool odl_recipe_item_acts (const OdlRecipeItem *item);

// True when the picture cannot differ from the source: no filter acts.
bool odl_recipe_is_identity (const OdlRecipe *recipe);

// True when some filter that acts looks at earlier frames.
bool odl_recipe_is_temporal (const OdlRecipe *recipe);

// True when some filter that acts sees all slices of a volume: its `dimensions` are 3.
bool odl_recipe_is_volumetric (const OdlRecipe *recipe);

// 2, or 3 for a filter that sees all slices of a volume.
int odl_recipe_item_dimensions (const OdlRecipeItem *item);

// Index of the last filter in the coefficient domain that acts, −1 when there is none;
// the analysis views show this filter.
int odl_recipe_last_wavelet_item (const OdlRecipe *recipe);

// First value of the parameter, or the i-th of a matrix. The key must exist.
double odl_recipe_get (const OdlRecipe *recipe, int item, const char *key, int i);
void odl_recipe_set (OdlRecipe *recipe, int item, const char *key, int i, double value);

// The second picture of a filter; NULL or "": none.
void odl_recipe_set_file (OdlRecipe *recipe, int item, const char *file);

// Makes whole the names of second pictures, of filter `first` and those behind it, that
// are relative to `folder`, an absolute path.
void odl_recipe_resolve_files (OdlRecipe *recipe, int first, const char *folder);

// The second picture that filter `item` reads: NULL where it takes none or does nothing.
const char *odl_recipe_operand (const OdlRecipe *recipe, int item);

// Values of `parameter` that count in this item: 1, or of a matrix three for each level.
int odl_recipe_item_count (const OdlRecipeItem *item, const OdlParameter *parameter);

const OdlWavelet *
odl_recipe_item_wavelet (const OdlRecipeItem *item); // NULL for spatial filters

// Of a filter with wavelets, as the recipe has it; the plan may have to take another one.
OdlTransformKind odl_recipe_item_transform (const OdlRecipeItem *item);

// Names of views, colour modes and border choices, in the order of their enums,
// NULL-terminated. odl_border_names[border + 1] names an OdlBorder.
extern const char *const odl_view_names[];
extern const char *const odl_colour_names[];
extern const char *const odl_border_names[];

// Reads and writes a preset file: the text form, one word a line, at most 64 KiB. Names
// of files that are relative there count from the preset's folder; those in it or below
// are written so.
bool odl_recipe_load (OdlRecipe *recipe, const char *path, GError **error);
bool odl_recipe_save (const OdlRecipe *recipe, const char *path, GError **error);

G_END_DECLS
