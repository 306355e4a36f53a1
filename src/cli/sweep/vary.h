// SPDX-License-Identifier: MIT
// The parameters that a sweep varies, each with its values, and the points of their grid.
#pragma once

#include "filter/recipe.h"

#define ODL_VARIED_MOST 1000000000 // values

typedef struct {
  char *name; // as it was typed: "soft-threshold.threshold"
  int item; // of the recipe
  const OdlParameter *parameter;
  guint count; // of its values
  GPtrArray *texts; // of these; NULL: from + index × step, made when it is asked for
  double from, step;
  bool ranged; // a range of numbers without a step: any number between its ends may be it
} OdlVaried;

// Parses "FILTER.PARAMETER=FROM:TO:STEP", "=FROM:TO" or "=VALUE,VALUE,…"; FILTER:2 is the
// second filter of that name. `whole` values are refused where a range lacks its step,
// unless `divisions` says in how many parts it is then divided (0: it needs one). Each
// value is one that the recipe accepts. ODL_ERROR_USAGE. NULL on errors.
OdlVaried *
odl_varied_new (const char *text, const OdlRecipe *recipe, int divisions, GError **error);
void odl_varied_free (OdlVaried *axis);

// Value `index` as it is typed. Transfer full.
char *odl_varied_text (const OdlVaried *axis, guint index);

// Puts value `index` into the recipe.
void odl_varied_apply (const OdlVaried *axis, guint index, OdlRecipe *recipe);

// The number of value `index`; NaN for words.
double odl_varied_number (const OdlVaried *axis, guint index);

// Elements are OdlVaried; at least one, each of another parameter. ODL_ERROR_USAGE.
GPtrArray *
odl_axes_new (char **texts, const OdlRecipe *recipe, int divisions, GError **error);

// How many points the grid has; infinite if too many to count.
double odl_axes_points (const GPtrArray *axes);

// Which value of each axis point `point` has; the last axis runs fastest.
void odl_axes_indices (const GPtrArray *axes, gint64 point, guint *indices);
gint64 odl_axes_point (const GPtrArray *axes, const guint *indices);

// The recipe of a point.
OdlRecipe
odl_axes_recipe (const GPtrArray *axes, const OdlRecipe *recipe, const guint *indices);

#define ODL_AXES_MOST 16

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlVaried, odl_varied_free)
