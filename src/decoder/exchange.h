// SPDX-License-Identifier: MIT
// Messages between the helper and its parent other than pictures.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

// Waits for the next order. `*fd`, which the caller then owns: another file to decode
// from now on; −1: the same file. False: the parent has gone, or the order is invalid.
bool odl_decoder_take_order (uint32_t *frame, int *fd);

// Requests the file `name`, next to the input, from the parent, since the helper
// cannot open files. Returns a descriptor, which the caller closes, or −1 if it is not
// available. ODL_ERROR_CORRUPT.
int odl_decoder_ask_file (const char *name, uint64_t *size, GError **error);

// False: not a regular file.
bool odl_decoder_file_size (int fd, uint64_t *size);

G_END_DECLS
