// SPDX-License-Identifier: MIT
// The picture on a page: as it is seen, with a caption that says whose it is (nothing
// while names are hidden), which filters made it, and that it is not for diagnosis. Main
// thread.
#pragma once

#include "widgets/window/window.h"

// Asks for a printer and prints the picture; what goes wrong is said in the window.
void odl_print_picture (const OdlWindowParts *parts);

// One page of the user's paper, as a PDF file in memory, turned as the picture needs.
// Errors: those of odl_viewport_render_picture, ODL_ERROR_IO.
GBytes *odl_print_to_pdf (const OdlWindowParts *parts, GError **error);
