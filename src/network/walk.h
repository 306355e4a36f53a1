// SPDX-License-Identifier: MIT
// A walk over the elements of a data set in a file. Values are never collected, so that
// no length in a data set asks for memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "decoder/dicom/syntax.h"

#define ODL_WALK_BUFFER 65536
#define ODL_WALK_UNDEFINED 0xffffffffu // a length
#define ODL_TAG(group, element) ((uint32_t) (group) << 16 | (element))

typedef struct {
  int fd;
  uint64_t offset; // in the file, of what comes after the buffer
  uint8_t buffer[ODL_WALK_BUFFER];
  size_t at, n;
  bool deflated;
  z_stream packed;
  uint8_t input[ODL_WALK_BUFFER];
  uint64_t unpacked;
  bool big_endian;
} OdlWalk;

typedef struct {
  uint32_t tag;
  uint32_t length;
  bool implicit_inside; // unknown ones of undefined length (PS3.5 6.2.2)
} OdlElement;

// From `offset` of a file on. False: there is no memory to unpack it.
bool
odl_walk_begin (OdlWalk *self, int fd, uint64_t offset, const OdlDicomSyntax *syntax);
void odl_walk_end (OdlWalk *self);

// Where it is in the file; of one that is not deflated.
uint64_t odl_walk_tell (const OdlWalk *self);

// Reads the head of the next element. False: there is none, or half of one.
bool odl_walk_next (OdlWalk *self, bool implicit, OdlElement *element);

// Passes over its value. False: it is damaged.
bool odl_walk_skip (OdlWalk *self, const OdlElement *element);

// Reads its value as a text, without the padding, into `size` bytes with the end.
// `whole`: one that is too long is damaged; else it is cut.
bool odl_walk_read_text (OdlWalk *self,
                         const OdlElement *element,
                         char *text,
                         size_t size,
                         bool whole);
