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
  ODL_CINE_N_TABLES,
} OdlCineTable;

// How a file is put together from the pieces.
typedef struct {
  int parts; // that each frame is cut into, at least 1
  OdlCineTable table;
} OdlCineLayout;

// The whole file. Transfer full.
GByteArray *odl_cine_layout (const OdlCine *cine, const OdlCineLayout *layout);

// Largest difference of stored samples to frame `index` as the outside decoder has it.
double odl_cine_difference (const OdlCine *cine, int index, const OdlImage *image);
// Of the first rows only.
double odl_cine_rows_difference (const OdlCine *cine,
                                 int index,
                                 const OdlImage *image,
                                 int rows);

G_END_DECLS
