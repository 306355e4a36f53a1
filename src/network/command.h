// SPDX-License-Identifier: MIT
// Command sets (PS3.7 6.3, annex E): the part of a message that says what is to be done.
// They are always in implicit little endian. DCMTK's own functions for them refuse
// messages in transfer syntaxes that this DCMTK does not know, such as high-throughput
// JPEG 2000, and need its dictionary on the machine.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "network/protocol.h"

enum {
  ODL_COMMAND_STORE = 0x0001,
  ODL_COMMAND_GET = 0x0010,
  ODL_COMMAND_FIND = 0x0020,
  ODL_COMMAND_MOVE = 0x0021,
  ODL_COMMAND_ECHO = 0x0030,
  ODL_COMMAND_CANCEL = 0x0fff,
  ODL_COMMAND_IS_ANSWER = 0x8000,
};

typedef struct {
  uint16_t field; // what it is
  uint16_t id; // of the message, or of the one that is answered
  uint16_t status; // of an answer
  bool has_data; // a data set follows
  char sop_class[ODL_NETWORK_UID];
  char instance[ODL_NETWORK_UID];
  char destination[ODL_NETWORK_TITLE]; // of a MOVE that is built
  char comment[ODL_NETWORK_WORDS];
  OdlNetworkCounts counts; // of an answer that is read
} OdlCommand;

#define ODL_COMMAND_MAX_BYTES 512 // of one that is built
#define ODL_COMMAND_MAX_READ 16384 // of one that is read

// False: it is none.
bool odl_command_parse (const uint8_t *data, size_t n, OdlCommand *command);

// Returns the number of bytes, at most ODL_COMMAND_MAX_BYTES.
size_t odl_command_build (const OdlCommand *command,
                          uint8_t bytes[ODL_COMMAND_MAX_BYTES]);
