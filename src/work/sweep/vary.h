// SPDX-License-Identifier: MIT
// A parameter that a sweep varies, with its values.
#pragma once

#include "filter/recipe.h"

#define ODL_VARIED_RECIPE (-1) // the place of what belongs to no filter: the strength
#define ODL_VARIED_NOWHERE (-2) // of a parameter that a recipe lacks
#define ODL_VARIED_MOST 1000000000 // values

typedef struct {
  char *name; // as it was typed: "soft-threshold.threshold"
  char *said; // what messages about it begin with: "--vary “soft-threshold.threshold”"
  int *items; // the filter of each recipe that has it, or one of the above
  guint n_recipes;
  const OdlParameter *parameter; // of other filters in one's place: a choice, “filter”
  guint count; // of its values
  GPtrArray *texts; // of these; NULL: from + index × step, made when it is asked for
  double from, step;
  bool ranged; // a range of numbers without a step: any number between its ends may be it
} OdlVaried;

// Parses "FILTER.PARAMETER=FROM:TO:STEP" (or "strength=…"), "=FROM:TO" or
// "=VALUE,VALUE,…"; FILTER:2 is the second filter of that name. Of several recipes those
// have it that have such a filter, at least one. Numbers in a range without a step are
// refused unless `divisions` says in how many parts it is then divided (0: it needs
// one). Each value is one that the recipes accept. Messages call it `title`, translated;
// NULL: what the command line calls it. ODL_ERROR_USAGE. NULL on errors.
typedef struct {
  const char *text, *title;
  const OdlRecipe *recipes;
  guint n_recipes;
  int divisions;
} OdlVariedParams;

OdlVaried *odl_varied_new (const OdlVariedParams *params, GError **error);

// Other filters in the place of one, of which each recipe has another. `name` is that of
// the one. Takes `texts`.
OdlVaried *
odl_varied_new_of_filters (const char *name, GPtrArray *texts, int item, guint n_recipes);
void odl_varied_free (OdlVaried *axis);

// The n-th filter of "NAME" or "NAME:n"; −1: the recipe has none. ODL_ERROR_USAGE: what
// follows the colon is no number; `said` begins the message.
bool odl_varied_find (const OdlRecipe *recipe,
                      const char *name,
                      const char *said,
                      int *item,
                      GError **error);

// Puts value `index` into a recipe that was made of the one with that number.
void
odl_varied_apply (const OdlVaried *axis, guint index, guint number, OdlRecipe *recipe);

// Value `index` as it is typed. Transfer full.
char *odl_varied_text (const OdlVaried *axis, guint index);

// The number of value `index`; NaN for words.
double odl_varied_number (const OdlVaried *axis, guint index);

// Whether value `index` is the least or the greatest of several numbers, and `recipe`,
// that with the number, accepts others beyond it: where the best lies there, a better one
// may not have been tried.
bool odl_varied_goes_on (const OdlVaried *axis,
                         const OdlRecipe *recipe,
                         guint number,
                         guint index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlVaried, odl_varied_free)
