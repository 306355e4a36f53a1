// SPDX-License-Identifier: MIT
// What code of the user's own says of its parameters, whatever its language: each has a
// name, a range, a default, perhaps a unit, and words for people.
#pragma once

#include "filter/own/own.h"

typedef struct {
  const char *name; // of the file
  int line; // that is read, for what is said of it
  GArray *parameters; // OdlParameter
  GError **error;
} OdlOwnHeader;

// Whether it is a name of small letters, digits and “-”.
bool odl_own_header_is_key (const char *word);

// “NAME, line 3: “word” …”. False.
bool odl_own_header_fail (const OdlOwnHeader *h, const char *word, const char *what);

// The pieces of a parameter, in this order; the last one adds it. `rest` is what follows
// range and default, with the blanks before: “ px  Radius of the square”. False: the
// error is set.
bool odl_own_header_key (const OdlOwnHeader *h, const char *key, OdlParameter *parameter);
bool
odl_own_header_range (const OdlOwnHeader *h, const char *word, OdlParameter *parameter);
bool odl_own_header_default (const OdlOwnHeader *h,
                             const char *number,
                             OdlParameter *parameter);
bool odl_own_header_add (const OdlOwnHeader *h, char *rest, OdlParameter *parameter);

// The word until the next blank, cut off what `*line` then is; "" at its end.
char *odl_own_next_word (char **line);

// Comment lines before the code, of GLSL.
bool odl_own_header_read (OdlOwnHeader *h, const char *text);
