// SPDX-License-Identifier: MIT
// The unit in which a session's numbers are read (image/unit.h), chosen once in the
// preferences: under the pointer, in measurements, on the cards of filters. Recipes keep
// shares of full scale, whatever is chosen. Main thread.
#pragma once

#include "image/unit.h"
#include "session/session.h"

OdlUnit odl_units_of (OdlSession *session);

// Has everything that shows numbers shown anew, if it is another one.
void odl_units_set (OdlSession *session, OdlUnit unit);

// As settings keep it: "file", "share", "8-bit", which are in the order of OdlUnit.
extern const char *const odl_unit_keys[];
OdlUnit odl_unit_from_key (const char *key);

// Whether the numbers of a parameter are shares of full scale.
bool odl_units_are_of (const OdlParameter *parameter);

// What 0 and 1 of a parameter are shown as for the picture in place: a value of the
// picture, or an amount of values. 0 and 1: as they are.
OdlUnitRange odl_units_range (OdlSession *session,
                              const OdlFilter *filter,
                              const OdlParameter *parameter);

// What stands below the name of a parameter that odl_units_are_of; translated.
const char *odl_units_caption (OdlSession *session);

// An amount that is a share of full scale, such as σ, with three digits and its unit.
// Transfer full.
char *odl_units_amount (OdlSession *session, double share);

// The same of an image, of whatever session, and what 1 is then.
double odl_units_scale_in (const OdlImage *image, OdlUnit unit);
char *odl_units_amount_in (const OdlImage *image, OdlUnit unit, double share);

// Puts into a recipe what its numbers are shown as, for words about it alone.
void odl_units_tell (OdlSession *session, OdlRecipe *recipe);
