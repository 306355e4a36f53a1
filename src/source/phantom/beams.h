// SPDX-License-Identifier: MIT
// Beam data: radio-frequency echoes of a generated body, as an ultrasound scanner has
// them before it makes a picture of them. The truth is known.
//
// Columns are beams, rows are samples at 20 MHz along them (sound travels 1540 m/s: a row
// is 0.0385 mm), whole numbers of 16 bits with sign: echoes as they are, or IQ, which is
// these without their carrier, what is in phase with it in the left half of the columns
// and what is in quadrature in the right one. What echoes are scatterers, each of
// which a wave packet of 3.5 MHz (curvilinear) or 5 MHz (linear) makes a Gaussian of:
// along the beam with 50 % bandwidth, across it with σ = √(w² + (k (depth − 45 mm))²), w
// = 0.6 mm and k = 0.03, linear 0.35 mm and 0.02. Of an array that is steered by θ as
// much is seen as cos θ says: w / cos θ and k cos θ. That lies across the beam, too:
// beams that begin nearer to a point hear it earlier, by sin θ of how far they are from
// each other. Echoes decay by `attenuation` dB for each cm of depth and MHz, there and
// back; on top is white noise of 70 dB below full scale.
//
// In mm (image/beams.h) there lie points at (0, 10), (0, 20) … (0, 70), (±7, 40) and
// (±14, 40), 24 dB above the speckle about them; anechoic cysts of radius 5 about (−10,
// 25), of 4 about (9, 55) and of 6 about (−32, 52); one of radius 4.5 about (10, 25) that
// is 9 dB below the speckle, and such of 4.5 about (−10, 55) and of 6 about (32, 52) that
// are 9 dB above it. Where the array does not reach they are missing. Speckle has on the
// average ten scatterers or more in a cell of resolution.
//
// Frames 0, 25, 50 … show it at rest. In frame t what lies at the depth d − u appears at
// d,
//   u = 1 mm sin (2π t / 50) sin² (π d / D),  D the depth of the last row.
#pragma once

#include "image/beams.h"
#include "image/image.h"
#include "image/pool.h"

#define ODL_BEAM_PHANTOM_PERIOD 50 // frames
#define ODL_BEAM_PHANTOM_MORE 6 // directions besides the first one
#define ODL_BEAM_PHANTOM_RATE_MIN 0.1
#define ODL_BEAM_PHANTOM_RATE_MAX 1000.0

typedef struct {
  int beams; // 2 … 512
  int samples; // 64 … 8192
  OdlBeamArray array; // CURVILINEAR: 60° of a radius of 60 mm; LINEAR: 38.1 mm
  double steering_degrees; // LINEAR: −20 … 20
  unsigned seed;
  double frame_rate; // per second, ODL_BEAM_PHANTOM_RATE_MIN … _MAX
  double attenuation; // 0 … 2 dB for each cm and MHz, one way
  bool clean; // the points alone: without speckle and noise
  bool iq; // two numbers for each sample: twice as many columns
  int n_more; // frames are steered in turn: first as said above, then by these
  double more_degrees[ODL_BEAM_PHANTOM_MORE];
} OdlBeamPhantomParams;

typedef struct _OdlBeamPhantom OdlBeamPhantom;

// Parses "phantom:beams[:BEAMSxSAMPLES][,array=curvilinear|linear]
// [,steering=DEGREES[/DEGREES…]]
// [,seed=N][,rate=FPS][,attenuation=DB][,iq][,clean]". ODL_ERROR_USAGE. Any thread.
bool
odl_beam_phantom_parse (const char *text, OdlBeamPhantomParams *params, GError **error);

// The parameters of frames index, index + 1 + n_more …: steered in one direction. Any
// thread.
OdlBeamPhantomParams odl_beam_phantom_steered (const OdlBeamPhantomParams *params,
                                               int64_t index);

// Of one direction. Sums up the echoes of all scatterers: about 0.2 s for 128 × 2048.
// ODL_ERROR_TOO_LARGE.
OdlBeamPhantom *odl_beam_phantom_new (const OdlBeamPhantomParams *params, GError **error);
void odl_beam_phantom_free (OdlBeamPhantom *phantom);

// Where the samples of such a phantom lie. Any thread.
OdlBeams odl_beam_phantom_beams (const OdlBeamPhantomParams *params);

// Frame `index`: S16, one channel, with its geometry, in memory of `pool` (may be NULL)
// if it has a free block. Deterministic in (params, index) for any number of threads. One
// thread at a time.
OdlImage *odl_beam_phantom_frame (OdlBeamPhantom *phantom,
                                  int64_t index,
                                  OdlImagePool *pool,
                                  GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlBeamPhantom, odl_beam_phantom_free)
