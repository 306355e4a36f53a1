// SPDX-License-Identifier: MIT
// The parameters that a sweep varies, each with its values, and the points of their grid.
#pragma once

#include "filter/recipe.h"

#define ODL_VARIED_RECIPE (-1) // the place of what belongs to no filter: the strength
#define ODL_VARIED_MOST 1000000000 // values

typedef struct {
  char *name; // as it was typed: "soft-threshold.threshold"
  int item; // of the recipe, or ODL_VARIED_RECIPE
  const OdlParameter *parameter;
  guint count; // of its values
  GPtrArray *texts; // of these; NULL: from + index × step, made when it is asked for
  double from, step;
  bool ranged; // a range of numbers without a step: any number between its ends may be it
} OdlVaried;

void odl_varied_free (OdlVaried *axis);

// Value `index` as it is typed. Transfer full.
char *odl_varied_text (const OdlVaried *axis, guint index);

// The number of value `index`; NaN for words.
double odl_varied_number (const OdlVaried *axis, guint index);

// Whether value `index` is the least or the greatest of several numbers, and `recipe`
// accepts others beyond it: where the best lies there, a better one may not have been
// tried.
bool odl_varied_goes_on (const OdlVaried *axis, const OdlRecipe *recipe, guint index);

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
