// SPDX-License-Identifier: MIT
// What a sweep varies, and the points of its grid. A filter may give way to others: then
// there is a recipe for each of these, with the parameters that it has, and the grids of
// all lie one behind the other.
#pragma once

#include "work/sweep/vary.h"

#define ODL_AXES_MOST 40

typedef struct {
  GPtrArray *varied; // OdlVaried, at least one, each of another parameter
  bool has_filters; // the first one says which filter, and so which recipe
  OdlRecipe *recipes; // before anything else is varied
  guint n_recipes;
  gint64 *begins; // their first points, and the number of all
} OdlAxes;

// All of it is borrowed for the call.
typedef struct {
  char **texts; // as odl_varied_new has them, or "FILTER=NAME[:key=value,…],NAME…", once:
                // what stands in its place. Its own name alone leaves it as it is
  char **titles; // of these, likewise; NULL: the command line's
  const OdlRecipe *recipe;
  int divisions; // as odl_varied_new has them
} OdlAxesParams;

// ODL_ERROR_USAGE.
OdlAxes *odl_axes_new (const OdlAxesParams *params, GError **error);
void odl_axes_free (OdlAxes *axes);

static inline const OdlVaried *
odl_axes_at (const OdlAxes *axes, guint axis)
{
  return (const OdlVaried *) g_ptr_array_index (axes->varied, axis);
}

// How many points the grid has; infinite if too many to count.
double odl_axes_points (const OdlAxes *axes);

// Which value of each axis point `point` has; the last axis runs fastest. Of axes that it
// lacks 0.
void odl_axes_indices (const OdlAxes *axes, gint64 point, guint *indices);
gint64 odl_axes_point (const OdlAxes *axes, const guint *indices);

// The number of the recipe of a point.
guint odl_axes_number (const OdlAxes *axes, const guint *indices);

// Whether a recipe, or that of a point, has this parameter.
bool odl_axes_recipe_has (const OdlAxes *axes, guint number, guint axis);
bool odl_axes_has (const OdlAxes *axes, const guint *indices, guint axis);

// The first axis of a recipe, apart from that of filters; −1: it has none.
int odl_axes_first_of (const OdlAxes *axes, guint number);

// As odl_varied_goes_on.
bool odl_axes_goes_on (const OdlAxes *axes, const guint *indices, guint axis);

// The filter of a parameter, in the first recipe that has it; NULL: of the whole recipe.
const OdlFilter *odl_axes_filter (const OdlAxes *axes, guint axis);

// The recipe of a point.
OdlRecipe odl_axes_recipe (const OdlAxes *axes, const guint *indices);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlAxes, odl_axes_free)
