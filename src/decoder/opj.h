// SPDX-License-Identifier: MIT
// JPEG 2000 in memory, decoded by OpenJPEG on the calling thread.
#pragma once

#include <glib.h>
#include <openjpeg.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
  ODL_OPJ_STRICT = 1 << 0, // a stream that ends early fails
  ODL_OPJ_BOXES = 1 << 1, // the bytes are a JP2 file, whose palette is applied
} OdlOpjFlags;

// NULL: not decoded; `message`, freed and replaced, then has OpenJPEG's last words.
// Whoever calls has bounded the size that the stream announces. Free the result with
// opj_image_destroy.
opj_image_t *
odl_opj_decode (const uint8_t *data, size_t size, OdlOpjFlags flags, char **message);
