// SPDX-License-Identifier: MIT
// What the lab bench shows, as a file: a table, or a drawing. Main thread.
#pragma once

#include "widgets/lab/lab_pane.h"

// By the ending of `path`: .csv, .svg or .png. The file is written whole or not at all.
// ODL_ERROR_USAGE: there is nothing to save yet, or another ending; ODL_ERROR_IO.
bool odl_lab_file_save (OdlLabPane *pane, const char *path, GError **error);
