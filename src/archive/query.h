// SPDX-License-Identifier: MIT
// What a node is asked for (PS3.4 C.2.2.2), and whether an answer is one to it: nodes
// know fewer keys than they are asked for, and match by rules of their own.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "network/keys.h"

// Patterns in UTF-8, by OdlKey; NULL: any value. UIDs as they are; a date "FROM-TO", of
// which one may be missing, or one day, in eight digits each; in other texts * stands for
// any characters and ? for one.
typedef struct {
  char *wanted[ODL_N_KEYS];
} OdlQuery;

// Which values an answer has: NULL or empty, it does not say.
typedef const char *const *OdlValues;

// Sets the pattern of a key from what was typed; NULL: nothing was. Names match those
// that begin so, unless there are wildcards; of dates, "2019", "201903" and "-20190401"
// do as well. ODL_ERROR_USAGE names the option.
bool odl_query_set (OdlQuery *self,
                    OdlKey key,
                    const char *option,
                    const char *text,
                    GError **error);
void odl_query_clear (OdlQuery *self);

// Some nodes tell letters of both cases apart, and some do not convert between character
// sets, so that a query with letters is asked in several ways.
typedef struct {
  int letters; // as typed, capitals, small, capitals at the beginning of words
  bool latin; // in Latin-1, else UTF-8
  bool no_classes; // of pictures; the same for all ways
} OdlQueryWay;

// The next way that differs from those before; zeros are the first one. False: there are
// no more.
bool odl_query_next_way (const OdlQuery *self, OdlLevel level, OdlQueryWay *way);

// The keys at a level, as a data set in implicit little endian. `above`: values of what
// it is below; NULL: of nothing. Transfer full.
GByteArray *odl_query_build (const OdlQuery *self,
                             OdlLevel level,
                             const OdlQueryWay *way,
                             OdlValues above);

// The unique keys of one entity, by which it is got (PS3.4 C.4.3.1.3): the UIDs in
// `values` down to `level`. Transfer full.
GByteArray *odl_query_build_unique (OdlLevel level, OdlValues values);

// Whether an answer has a value that was asked for.
typedef enum {
  ODL_ANSWER_MATCHES,
  ODL_ANSWER_DIFFERS,
  ODL_ANSWER_LACKS, // it does not say
} OdlAnswerMatch;

OdlAnswerMatch odl_query_check (const OdlQuery *self, OdlKey key, const char *value);
