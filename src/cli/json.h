// SPDX-License-Identifier: MIT
// Writes JSON (RFC 8259), indented by two spaces.
//
// Every call adds one value. `key` names it inside an object and is NULL inside an array
// and at the top.
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct {
  GString *text;
  int depth;
  bool first; // nothing was written yet at this depth
} OdlJson;

void odl_json_init (OdlJson *json);
void odl_json_clear (OdlJson *json);

void odl_json_begin_object (OdlJson *json, const char *key);
void odl_json_end_object (OdlJson *json);
void odl_json_begin_array (OdlJson *json, const char *key);
void odl_json_end_array (OdlJson *json);

// NULL gives null. Bytes that are no UTF-8 become U+FFFD.
void odl_json_string (OdlJson *json, const char *key, const char *value);

// An array of `n` strings, or with n < 0 of those before NULL.
void
odl_json_strings (OdlJson *json, const char *key, const char *const *values, gssize n);

// Reads back as the same double. NaN and infinities, which JSON lacks, give null.
void odl_json_number (OdlJson *json, const char *key, double value);
void odl_json_integer (OdlJson *json, const char *key, gint64 value);
void odl_json_bool (OdlJson *json, const char *key, bool value);

// Prints what there is so far, at once; more may follow.
void odl_json_flush (OdlJson *json);

// Prints the text on standard output, as UTF-8 whatever the locale, and clears.
void odl_json_print (OdlJson *json);
