// SPDX-License-Identifier: MIT
// What the helper says to its parent besides pictures, and hears from it.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

// Waits for the next order. `*fd`, which becomes the caller's: another file to decode
// from now on; −1: the same. False: there is no order, or none that makes sense.
bool odl_decoder_take_order (uint32_t *frame, int *fd);

// Asks the parent for the file `name` beside the one that is decoded, since the helper
// may open nothing. The descriptor, which the caller closes, or −1: it cannot be had.
// ODL_ERROR_CORRUPT.
int odl_decoder_ask_file (const char *name, uint64_t *size, GError **error);

// False: no regular file.
bool odl_decoder_file_size (int fd, uint64_t *size);

G_END_DECLS
