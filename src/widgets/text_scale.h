// SPDX-License-Identifier: MIT
// How large the system wants words, for those that are drawn over the picture. Main
// thread.
#pragma once

#include <pango/pango.h>

// The font of a widget's context against the one that there is where nobody chose
// another: 1 for 10 points at 96 dots per inch.
double odl_text_scale (PangoContext *context);
