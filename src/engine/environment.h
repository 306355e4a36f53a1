// SPDX-License-Identifier: MIT
// Environment variables for debugging and measuring.
#pragma once

#include <glib.h>
#include <stdbool.h>

// False, with ODL_ERROR_USAGE, when ODL_DEBUG, ODL_CPU, ODL_TUNE, ODL_PRICES or ODL_FAULT
// holds an unknown word: a misspelled one would silently measure or test something else.
// The message names the variable, the word and the known words. Programs call it when
// they start; odl_engine_request reads ODL_ENGINE. Any thread.
bool odl_environment_check (GError **error);
