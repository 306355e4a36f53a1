// SPDX-License-Identifier: MIT
// How far files are unpacked that are read only once they are unpacked whole, into a file
// that is lent for it (ODL_DECODER_ROOM): this takes as long as reading all of them.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const char *location; // that is opened
  uint64_t done; // bytes that are unpacked
  uint64_t total; // as the file's header says; 0: unknown
  bool ended; // there is nothing more to tell, also after a failure
} OdlUnpacking;

typedef void (*OdlUnpackingFunc) (const OdlUnpacking *unpacking);

// Sets what is told of all files: first of none of their bytes, then a few times a
// second, and once when it has ended; in the thread that opens. NULL: nothing. At the
// start of a program, or where no file is being opened.
void odl_unpacking_tell (OdlUnpackingFunc cb);

// What share of the file is unpacked that is opened with this cancellable, 0 … 1; below
// 0: none is being unpacked. Any thread.
double odl_unpacking_share (GCancellable *cancellable);

// For sources: keeps it with the cancellable, which may be NULL, and tells it.
void odl_unpacking_note (GCancellable *cancellable, const OdlUnpacking *unpacking);
