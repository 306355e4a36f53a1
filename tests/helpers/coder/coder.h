// SPDX-License-Identifier: MIT
// The two-dimensional transform of video coders as A. T. Eskildsen, E. G. W. Peters, J.
// H. Leegaard and P. Ravn compared its ways of working ("Wavelet transform for video
// coders using GPU", Aalborg University 2012): row-column, line-based and block-based, by
// filter taps and by lifting. Plain C in single precision; ODL_CODER_STREAM is the
// line-based way with the kernels of the engine cpu. For measurements and their tests.
//
// Coefficients have the source's normalisation, K = 1.1496: the gain is √2 for constants
// in low bands and √2 at the Nyquist frequency in high ones, so LL doubles from level to
// level. High bands have the sign of lifting, with a positive tap in the middle; that of
// the source's filter g is the opposite one. Channels are independent of each other.
#pragma once

#include "image/image.h"
#include "wavelet/transform.h"

G_BEGIN_DECLS

typedef enum {
  ODL_CODER_ROW_COLUMN, // all rows, then all columns, in place
  ODL_CODER_LINE, // a ring of filtered rows; bands are delivered row by row
  ODL_CODER_BLOCK, // the outer products of the filters as masks, at every second sample
  ODL_CODER_STREAM, // line-based, all levels at once, vector kernels, strips in parallel
  ODL_CODER_N_SCHEMES
} OdlCoderScheme;

typedef enum {
  ODL_CODER_FILTERING,
  ODL_CODER_LIFTING, // step by step over the whole line
  ODL_CODER_ON_THE_FLY, // every step as soon as its samples are there, in one go
  ODL_CODER_N_METHODS
} OdlCoderMethod;

extern const char *const odl_coder_schemes[ODL_CODER_N_SCHEMES]; // "row-column"
extern const char *const odl_coder_methods[ODL_CODER_N_METHODS]; // "filtering"

typedef struct {
  OdlCoderScheme scheme;
  OdlCoderMethod method; // along rows; the vertical steps of LINE and STREAM lift on the
                         // fly unless it is FILTERING
  const OdlWavelet *wavelet; // NULL: CDF 9/7
  OdlBorder border;
  int width, height, channels;
  int levels; // 0: as many as there are
  bool padded; // to a square whose side is a power of two, with zeros
  bool clamp; // reconstructed samples to 0 … 1
} OdlCoderParams;

// What the source's table 4.1 counts.
typedef struct {
  double operations; // additions and multiplications of one direction, all channels
  double picture_bytes; // what holds samples and coefficients
  double work_bytes; // rings, lines and masks of one channel
} OdlCoderCosts;

typedef struct _OdlCoder OdlCoder;

// The size that is transformed.
int odl_coder_width (const OdlCoderParams *params);
int odl_coder_height (const OdlCoderParams *params);
int odl_coder_levels (const OdlCoderParams *params);

// False where a scheme does not exist: masks that lift, lifting without four steps,
// wavelets that round; periodic masks on odd sizes; other than mirrored lifting as a
// stream, or with a side that shrinks to one sample.
bool odl_coder_suits (const OdlCoderParams *params);

// NULL when memory is short; `params` must suit.
OdlCoder *odl_coder_new (const OdlCoderParams *params);
void odl_coder_free (OdlCoder *coder);

// Takes the picture, scaled to 0 … 1, of the geometry of `params`. STREAM reads it during
// forward, and it must live until then.
void odl_coder_load (OdlCoder *coder, const OdlImage *image);
void odl_coder_forward (OdlCoder *coder);
void odl_coder_inverse (OdlCoder *coder);

// Row `y` of the samples after load and inverse (not for STREAM after load), of the
// coefficients after forward in the nested Mallat layout (HL, high along x, right of LL;
// LH below; HH beside it). `row` gets the transformed width.
void odl_coder_read_row (const OdlCoder *coder, int channel, int y, float *row);
// Changes a row of coefficients.
void odl_coder_write_row (OdlCoder *coder, int channel, int y, const float *row);

// The reconstructed picture without its padding as interleaved 8-bit samples, rounded.
void odl_coder_store (const OdlCoder *coder, uint8_t *pixels);

// Sum of everything that odl_coder_read_row gives, always in the same order.
double odl_coder_checksum (const OdlCoder *coder);

// After inverse: peak signal (1) to noise in dB of the samples whose distance from the
// picture's nearest edge is from … end − 1; INFINITY where they equal `image`.
double odl_coder_psnr (const OdlCoder *coder, const OdlImage *image, int from, int end);

OdlCoderCosts odl_coder_costs (const OdlCoder *coder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlCoder, odl_coder_free)

G_END_DECLS
