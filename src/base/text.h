// SPDX-License-Identifier: MIT
// Text helpers: translation marks, and numbers in the C locale.
#pragma once

#include <glib.h>

// Marks a string of a const table for translation; whoever displays it calls _().
#ifndef N_
#define N_(string) (string)
#endif

// `text` as valid UTF-8 with control characters replaced by '?', for displaying names
// from files. Transfer full. Any thread.
char *odl_text_in_one_line (const char *text);

// Cuts the full stop off a library's message, which stands in brackets within a sentence
// of ours; an ellipsis stays. Returns `text`. Any thread.
char *odl_text_cut_stop (char *text);

// Cuts the ending off a name without folder: “.nii.gz” as well as “.png”. Returns `name`.
// Any thread.
char *odl_text_cut_ending (char *name);

// The length of the file's name in "FILE:/NAME", of something in it; 0: it is none, such
// as an address with "://". Only the form is looked at. Any thread.
size_t odl_text_before_inner (const char *location);

// The shortest decimal text, in the C locale, that parses to the same float as `value`
// (0.05f gives "0.05"). Transfer full. Any thread.
char *odl_number_to_text (double value);

// Takes U+2212, the minus sign, for each hyphen that begins a number: neither those of
// exponents nor of dates. Takes `text`; transfer full. Any thread.
char *odl_text_with_minus (char *text);

// Parses the whole of `text` as a finite number in the C locale. Any thread.
gboolean odl_number_from_text (const char *text, double *value);

// Likewise `n` numbers between backslashes, as in DICOM files; NULL is none. Any thread.
gboolean odl_numbers_from_text (const char *text, int n, double *values);
