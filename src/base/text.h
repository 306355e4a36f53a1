// SPDX-License-Identifier: MIT
// Text helpers that many layers need: translation marks and numbers in the C locale.
#pragma once

#include <glib.h>

// Marks a string of a const table for translation; the widget or verb that shows it calls
// _().
#ifndef N_
#define N_(string) (string)
#endif

// `text` as valid UTF-8 with '?' in place of control characters, so that names from a
// file system or a file can be shown. Transfer full. Any thread.
char *odl_text_in_one_line (const char *text);

// Shortest decimal text, in the C locale whatever the user's is, that reads back as
// `value` to the precision of a float (so 0.05f gives "0.05"). Transfer full. Any thread.
char *odl_number_to_text (double value);

// Reads the whole of `text` as a finite number in the C locale. Any thread.
gboolean odl_number_from_text (const char *text, double *value);
