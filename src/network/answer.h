// SPDX-License-Identifier: MIT
// Answers of a query (PS3.4 C.4.1.1.3): data sets of which the keys are wanted.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "network/protocol.h"

// Reads an answer in implicit little endian from a file. `packed` gets the value of each
// OdlKey in turn as UTF-8, with its end, none as an empty one. False: it is damaged.
// odl_character_sets_init was called.
bool odl_answer_read (int fd, uint8_t packed[ODL_NETWORK_MAX_ANSWER], uint32_t *n_packed);
