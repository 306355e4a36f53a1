// SPDX-License-Identifier: MIT
// Cines compressed by DCMTK's programs, decoded by its decompressors, and reassembled
// from their fragments.
#pragma once

#include <gio/gio.h>

#include "source/source.h"

G_BEGIN_DECLS

#define ODL_CINE_WIDTH 70
#define ODL_CINE_HEIGHT 52

typedef struct {
  const char *name;
  const char *compress; // program with options
  const char *expand;
  int frames;
  int bits; // stored bits: 8, 12 or 16
  int samples; // per pixel: 1 or 3
  double tolerance; // per sample, for converted colours
} OdlCineCodec;

extern const OdlCineCodec odl_cine_codecs[];
extern const size_t odl_cine_n_codecs;

typedef struct {
  const OdlCineCodec *codec;
  GBytes *truth; // native samples of all frames from the external decoder
  GByteArray *head; // the file up to the pixel element
  GPtrArray *pieces; // GByteArray, one per frame
} OdlCine;

// Compresses a native cine with different frames, one fragment per frame, unless it was
// done in this folder before. NULL, and the test is skipped, if the programs are missing.
OdlCine *odl_cine_make (const char *folder, const OdlCineCodec *codec);
void odl_cine_free (OdlCine *cine);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlCine, odl_cine_free)

// Compresses the same cine with further options, likewise once. Path; transfer full.
char *odl_cine_again (const char *folder, const OdlCineCodec *codec, const char *options);

typedef enum {
  ODL_CINE_EMPTY_TABLE,
  ODL_CINE_TABLE,
  ODL_CINE_EXTENDED_TABLE,
} OdlCineTable;

// How to assemble a file from the fragments.
typedef struct {
  int parts; // fragments per frame, at least 1
  OdlCineTable table;
} OdlCineLayout;

// The complete file. Transfer full.
GByteArray *odl_cine_layout (const OdlCine *cine, const OdlCineLayout *layout);

// Layout of native samples: interleaved, little endian.
typedef struct {
  int width, height;
  int samples; // per pixel
  int sample_bytes; // 1 or 2
} OdlCineShape;

// Decompresses a file with the external program. Native samples; NULL, and the test is
// skipped, if it is missing.
GBytes *odl_cine_expand (const char *path, const char *program);

// Largest difference between stored samples of the first rows and native ones.
double odl_cine_shape_difference (const OdlCineShape *shape,
                                  const uint8_t *truth,
                                  const OdlImage *image,
                                  int rows);

// Largest difference between stored samples and frame `index` of the external decoder.
double odl_cine_difference (const OdlCine *cine, int index, const OdlImage *image);
// Only the first rows.
double odl_cine_rows_difference (const OdlCine *cine,
                                 int index,
                                 const OdlImage *image,
                                 int rows);

G_END_DECLS
