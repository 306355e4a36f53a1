// SPDX-License-Identifier: MIT
// A file without a name that the parent lends for what is unpacked, in the place of
// memory: what lies in it can be written to the disk, and is read where it is mapped.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  int fd; // −1: none
  uint64_t n; // bytes in it
} OdlRoom;

// Asks the parent, which is told how much is expected. False: it lends none, and memory
// has to do.
bool odl_room_borrow (OdlRoom *room, uint64_t expected);

// Writes behind what is there. ODL_ERROR_IO.
bool odl_room_add (OdlRoom *room, const void *bytes, size_t n, GError **error);

// What is in it, to be read; munmap it. The descriptor is closed. NULL: it is empty, or
// too large for the address space.
void *odl_room_take (OdlRoom *room, size_t *n);
