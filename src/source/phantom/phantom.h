// SPDX-License-Identifier: MIT
// The phantom: a generated ultrasound cine (sector scan) with cysts, a moving wall and
// fully developed speckle.
#pragma once

#include "image/pool.h"

typedef struct {
  int width; // 256 … 2048 (the generator accepts 16 and more)
  int height;
  unsigned seed; // any; default 1
  bool clean; // without speckle and noise
  double frame_rate; // per second, ODL_PHANTOM_RATE_MIN … _MAX; 0: the default
} OdlPhantomParams;

typedef struct _OdlPhantom OdlPhantom;

// Frames per heartbeat; the wall position repeats with this period.
#define ODL_PHANTOM_PERIOD 50
#define ODL_PHANTOM_FRAME_RATE 25.0
#define ODL_PHANTOM_RATE_MIN 0.1
#define ODL_PHANTOM_RATE_MAX 1000.0

// Parses "phantom[:WIDTHxHEIGHT][,seed=N][,rate=FPS][,clean]". ODL_ERROR_USAGE.
bool odl_phantom_parse (const char *text, OdlPhantomParams *params, GError **error);

OdlPhantom *odl_phantom_new (const OdlPhantomParams *params, GError **error);
void odl_phantom_free (OdlPhantom *phantom);

// Frame `index`: U8, one channel, in memory of `pool` (may be NULL) if it has a free
// block. `clean` gives the same picture without speckle and noise on the same grey
// scale, as a reference for PSNR. Deterministic in (params, index) on all machines and
// for any number of threads. One thread at a time.
OdlImage *odl_phantom_frame (OdlPhantom *phantom,
                             int64_t index,
                             bool clean,
                             OdlImagePool *pool,
                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlPhantom, odl_phantom_free)
