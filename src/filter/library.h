// SPDX-License-Identifier: MIT
// Presets by name: those that the program brings along (presets.h), and those that the
// user keeps, a file each, NAME.txt in the folder ondelette/presets of the user's data,
// in the form that odl_recipe_load reads; code of the user's own that they name is kept
// beside them. Main thread. Errors name the preset or the
// file.
#pragma once

#include "filter/recipe.h"

// Names of the user's presets, in the order of the user's language. Transfer full.
GStrv odl_library_names (void);
bool odl_library_has (const char *name);

// Whether a preset of the user may have this name: 1 to 60 characters, no slash, no
// control characters, no dot or blank at its beginning, no blank at its end, and not the
// name of a preset that the program brings along. ODL_ERROR_USAGE.
bool odl_library_check_name (const char *name, GError **error);

// Adds the preset of that name to `recipe`: the user's, or the program's. An unknown name
// is an error that tells the others.
bool odl_library_load (OdlRecipe *recipe, const char *name, GError **error);

// Replaces what has that name.
bool odl_library_save (const OdlRecipe *recipe, const char *name, GError **error);
// Fails where there is one of the new name. Defaults follow.
bool odl_library_rename (const char *name, const char *to, GError **error);
// Defaults that name it end with it.
bool odl_library_remove (const char *name, GError **error);

// The preset of a file, under the file's name without its ending, and a number behind it
// where there is one of that name. Its name; NULL on errors. Transfer full.
char *odl_library_import (const char *path, GError **error);

// The preset that pictures of a kind begin with: "any", "camera", a modality of DICOM
// such as "US", or ODL_LIBRARY_DEVICE and the name of a scanner or camera. NULL: none.
// Transfer full.
#define ODL_LIBRARY_DEVICE "device:"
char *odl_library_default (const char *kind);
// `name` NULL: none.
bool odl_library_set_default (const char *kind, const char *name, GError **error);
