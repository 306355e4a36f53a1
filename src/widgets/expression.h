// SPDX-License-Identifier: MIT
// What people type into fields of numbers: a number, or what makes one, as "25/255",
// "2 * (3 + 4)" or "10^-3". Pure; any thread.
#pragma once

#include <stdbool.h>

// Reads one number, as a person writes it. False: it is none.
typedef bool (*OdlNumberReader) (const char *text, double *value);

// Numbers in it are read by `reads`; × ÷ · and − mean what they look like. A sign
// before a power counts after it: −2^2 is −4. False: it is none, as 0/0 is none.
bool odl_expression_read (const char *text, OdlNumberReader reads, double *value);
