// SPDX-License-Identifier: MIT
// Two pictures that `measure` tells together: how regions stand out, and how wide points
// are, in both of them; and what another recipe makes of the same one.
#pragma once

#include "image/annotation/annotation.h"
#include "filter/recipe.h"

// Of the first region with pixels, and of the second one as its background, and of all
// points: the table that the window copies, on standard output. ODL_ERROR_USAGE: there
// are neither regions nor points.
bool odl_measure_print_statistics (const OdlAnnotation *const *annotations,
                                   guint n,
                                   const OdlSubject *subject,
                                   GError **error);

// Reads the recipe, a file or a preset, that stands for the picture as it came. False: it
// sees more than one picture, or shows none. ODL_ERROR_USAGE, and those of its file.
bool odl_measure_read_other (const char *name, OdlRecipe *recipe, GError **error);
