// SPDX-License-Identifier: MIT
// Unpacks a gzip file into memory, which grows with what comes out.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct _OdlGunzip OdlGunzip;

bool odl_gunzip_begins (const uint8_t *data, size_t size);

// `packed` stays the caller's. NULL: out of memory.
OdlGunzip *odl_gunzip_new (const uint8_t *packed, size_t size);
void odl_gunzip_free (OdlGunzip *gunzip);

// Unpacks until `wanted` bytes are there, or `limit`, or the stream ends or is damaged.
// False: it is longer than `limit`, or out of memory; ODL_ERROR_TOO_LARGE.
bool odl_gunzip_fill (OdlGunzip *gunzip, uint64_t wanted, size_t limit, GError **error);

// Hands what it unpacks to `take` in blocks and keeps none: as much as is wanted, to the
// end or to the damage. False: there is more than `limit`, or `take` was false.
typedef struct {
  uint64_t wanted, limit;
  bool (*take) (void *data, const void *block, size_t n, GError **error);
  void *data;
} OdlGunzipPass;

bool odl_gunzip_pass (OdlGunzip *gunzip, const OdlGunzipPass *pass, GError **error);

// What is there; valid until the next odl_gunzip_fill.
const uint8_t *odl_gunzip_data (const OdlGunzip *gunzip, size_t *size);

// Whether the stream ended early, or with a wrong checksum if its last byte was wanted.
// Nothing can be unpacked afterwards.
bool odl_gunzip_is_damaged (OdlGunzip *gunzip);

// What is there, which is the caller's then. Transfer full.
uint8_t *odl_gunzip_steal (OdlGunzip *gunzip);
