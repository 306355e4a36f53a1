// SPDX-License-Identifier: MIT
// Cines that DCMTK's own programs have compressed, what its decompressors make of them,
// and their pieces rearranged.
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
  int bits; // stored: 8, 12 or 16
  int samples; // per pixel: 1 or 3
  double tolerance; // of one sample, where colours are converted
} OdlCineCodec;

extern const OdlCineCodec odl_cine_codecs[];
extern const size_t odl_cine_n_codecs;

typedef struct {
  const OdlCineCodec *codec;
  GBytes *truth; // native samples of all frames, as the outside decoder has them
  GByteArray *head; // of the file, up to the element of the pixels
  GPtrArray *pieces; // GByteArray, one for each frame
} OdlCine;

// Has the program compress a native cine, whose frames all differ, with one fragment for
// each frame. NULL, and the test is skipped, where the programs are absent.
OdlCine *odl_cine_make (const char *folder, const OdlCineCodec *codec);
void odl_cine_free (OdlCine *cine);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlCine, odl_cine_free)

// Has the program compress the same cine with further options. Path; transfer full.
char *odl_cine_again (const char *folder, const OdlCineCodec *codec, const char *options);

typedef enum {
  ODL_CINE_EMPTY_TABLE,
  ODL_CINE_TABLE,
  ODL_CINE_EXTENDED_TABLE,
} OdlCineTable;

// How a file is put together from the pieces.
typedef struct {
  int parts; // that each frame is cut into, at least 1
  OdlCineTable table;
} OdlCineLayout;

// The whole file. Transfer full.
GByteArray *odl_cine_layout (const OdlCine *cine, const OdlCineLayout *layout);

// How native samples lie: pixel by pixel, little endian.
typedef struct {
  int width, height;
  int samples; // per pixel
  int sample_bytes; // 1 or 2
} OdlCineShape;

// What the outside decompressor makes of a file: its native samples. NULL, and the test
// is skipped, where the program is absent.
GBytes *odl_cine_expand (const char *path, const char *program);

// Largest difference of the stored samples of the first rows to native ones.
double odl_cine_shape_difference (const OdlCineShape *shape,
                                  const uint8_t *truth,
                                  const OdlImage *image,
                                  int rows);

// Largest difference of stored samples to frame `index` as the outside decoder has it.
double odl_cine_difference (const OdlCine *cine, int index, const OdlImage *image);
// Of the first rows only.
double odl_cine_rows_difference (const OdlCine *cine,
                                 int index,
                                 const OdlImage *image,
                                 int rows);

G_END_DECLS
