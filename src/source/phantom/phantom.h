// SPDX-License-Identifier: MIT
// A generated ultrasound cine: sector scan with cysts, a moving wall and fully developed
// speckle.
#pragma once

#include "image/pool.h"

G_BEGIN_DECLS

typedef struct {
  int width; // 256 … 2048 (the generator itself works from 16)
  int height;
  unsigned seed; // any; default 1
  bool clean; // deliver the picture without speckle and noise
  double frame_rate; // per second, ODL_PHANTOM_RATE_MIN … _MAX; 0: the default
} OdlPhantomParams;

typedef struct _OdlPhantom OdlPhantom;

// Frames of one heart-like period; frame k and k + ODL_PHANTOM_PERIOD show the same wall
// position.
#define ODL_PHANTOM_PERIOD 50
#define ODL_PHANTOM_FRAME_RATE 25.0
#define ODL_PHANTOM_RATE_MIN 0.1
#define ODL_PHANTOM_RATE_MAX 1000.0

// Reads "phantom[:WIDTHxHEIGHT][,seed=N][,rate=FPS][,clean]". ODL_ERROR_USAGE on failure.
bool odl_phantom_parse (const char *text, OdlPhantomParams *params, GError **error);

OdlPhantom *odl_phantom_new (const OdlPhantomParams *params, GError **error);
void odl_phantom_free (OdlPhantom *phantom);

// Frame `index`: U8, one channel. With `clean` the same picture without speckle and
// noise, on the same grey scale, so that PSNR against it measures denoising.
// Deterministic in (params, index), the same on every machine and for any number of
// threads; in memory of `pool` (may be NULL) if it has any free. Any one thread at a
// time.
OdlImage *odl_phantom_frame (OdlPhantom *phantom,
                             int64_t index,
                             bool clean,
                             OdlImagePool *pool,
                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlPhantom, odl_phantom_free)

G_END_DECLS
