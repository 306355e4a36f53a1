// SPDX-License-Identifier: MIT
// What programs ask of the window through its socket, as README.md has it: the parser of
// messages that anybody may have sent. Pure; any thread.
#pragma once

#include "source/array.h"

#define ODL_ASK_VERSION 1
#define ODL_ASK_MOST_BYTES 65536 // of one message
#define ODL_ASK_MOST_NAME 120 // bytes

typedef enum {
  ODL_ASK_SHOW, // an array, whose samples come as a file beside the message
  ODL_ASK_RECIPE, // the filters, or others to take their place
  ODL_ASK_RESULT, // what they make, into a file beside the message if there is one
  ODL_ASK_WATCH, // to be told of changes
  ODL_N_ASKS,
} OdlAskKind;

typedef struct {
  OdlAskKind kind;
  uint32_t number; // which the answer has; 0 where it cannot be read
  char *name; // of the array; NULL: what is looked at
  char *recipe; // NULL: none
  OdlArrayShape shape; // of ODL_ASK_SHOW
} OdlAsk;

// `bytes` need not end with a zero. Sets all of `ask`, to be cleared, on failure too:
// then there may be its number alone. Errors: ODL_ERROR_UNSUPPORTED for another version,
// ODL_ERROR_USAGE and ODL_ERROR_TOO_LARGE, sentences for people.
bool odl_ask_parse (OdlAsk *ask, const char *bytes, size_t n, GError **error);
void odl_ask_clear (OdlAsk *ask);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlAsk, odl_ask_clear)
