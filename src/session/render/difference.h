// SPDX-License-Identifier: MIT
// Results of two recipes, one less the other. Any thread.
#pragma once

#include "image/image.h"

// `a` less `b`, fractions of full scale about 0, as a residual is; both have one size and
// as many channels. Transfer full. ODL_ERROR_TOO_LARGE.
OdlImage *odl_difference_new (OdlImage *a, OdlImage *b, GError **error);
