// SPDX-License-Identifier: MIT
// What the user set in the environment to look into the program, or to measure it.
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

// False, with ODL_ERROR_USAGE, when ODL_DEBUG, ODL_CPU, ODL_TUNE or ODL_FAULT holds a
// word that means nothing; the sentence names the variable, the word and those that there
// are. Whoever misspelled one would measure or test something else and not know. For
// programs, before they start; ODL_ENGINE is read by odl_engine_request. Any thread.
bool odl_environment_check (GError **error);

G_END_DECLS
