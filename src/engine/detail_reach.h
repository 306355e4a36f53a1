// SPDX-License-Identifier: MIT
// How strong the details are that a view shows, which finds their gains.
#pragma once

#include "image/details.h"
#include "plan/plan.h"

// The recipe whose result is measured for the view of `recipe`: the coefficients that its
// last filter of them reads, so that filtered ones have the same gains and can be
// compared, and so that thresholds that are moved change none. Filters over time are left
// out, and those of volumes see one slice, so that one picture suffices. False: the view
// shows nothing of a level.
bool odl_detail_reach_recipe (const OdlRecipe *recipe, OdlRecipe *measured);

// Runs such a recipe on slice 0, frame 0 of `image`, on the engine cpu, whichever makes
// what is shown, so that all of them show the same. For each level the 95th percentile
// (as NumPy's quantile by "inverted_cdf", up to 1 % more) of the magnitudes of its three
// bands, without those that stand for surroundings of the picture and those that rounding
// left (both: filter/noise.h); of colours that of the channel where it is greatest. Takes
// about as long as a frame of that engine. Errors: those of planning and running. Any
// thread.
bool odl_detail_reach_measure (const OdlRecipe *measured,
                               OdlImage *image,
                               OdlOperands *operands,
                               OdlDetailReach *reach,
                               GError **error);

// Of a picture of coefficients: the same where `inside` has 1 for each sample of the
// picture that they were made of, which is as large. Any thread.
OdlDetailReach
odl_detail_reach_of (const OdlImage *coefficients, int levels, const uint8_t *inside);
