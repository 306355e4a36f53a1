// SPDX-License-Identifier: MIT
// What a file says about its picture: for people, and below the whole DICOM header, which
// can be searched.
#pragma once

#include "widgets/window/window.h"

GtkWindow *odl_properties_window_present (OdlMainWindow *parent);
