// SPDX-License-Identifier: MIT
// Validated pixel description of a DICOM data set (PS3.3 C.7.6.3, C.11.1, C.11.2).
#pragma once

#include "decoder/dicom/pixels/scan.h"

#include "decoder/picture.h"

// Frame timing of DICOM cines (PS3.3 C.7.6.5, C.7.6.6).

typedef struct {
  double rate; // frames per second; 0: unknown
  const char *name; // of the attribute used; NULL
  double *increments_ms; // one per declared frame, the first is 0; NULL: constant
  uint32_t n;
} OdlDicomTiming;

void odl_dicom_timing_clear (OdlDicomTiming *timing);

// Writes the timing into the picture, for the number of frames it reports.
void odl_dicom_timing_apply (const OdlDicomTiming *timing, OdlPicture *picture);

#ifdef __cplusplus
class DcmItem;

// Reads the first valid one of: the attribute named by Frame Increment Pointer, Frame
// Time Vector, Frame Time, Cine Rate, Recommended Display Frame Rate. Warns about
// invalid ones.
void odl_dicom_timing_read (OdlDicomTiming *timing,
                            DcmItem *dataset,
                            uint32_t frames,
                            OdlPicture *picture);
#endif

typedef enum {
  ODL_DICOM_GREY,
  ODL_DICOM_GREY_INVERSE,
  ODL_DICOM_RGB,
  ODL_DICOM_YBR, // luma and chroma
  ODL_DICOM_YBR_CODED, // RGB, but for the codec (YBR_RCT, YBR_ICT)
  ODL_DICOM_PALETTE,
} OdlDicomColour;

// A look-up table; `values` is owned, NULL for none.
typedef struct {
  int32_t first; // stored value of the first entry
  uint32_t n; // 1 … 65536
  int bits; // per entry
  uint16_t *values;
} OdlDicomLut;

typedef struct {
  uint32_t rows;
  uint32_t columns;
  uint32_t samples; // per pixel: 1 or 3
  uint32_t bits_allocated;
  uint32_t bits_stored;
  uint32_t high_bit;
  bool is_signed;
  bool by_plane;
  bool lossy; // was compressed so at some time, as far as known
  OdlDicomColour colour;
  int chroma_shift[2]; // of YBR that is not compressed: 1 for a chroma of every other
                       // column, and of every other row
  bool limited; // YBR has the levels of studios: black at 16 of 256, white at 235
  uint32_t frames; // declared, at least 1
  OdlDicomTiming timing; // of more than one frame
  OdlDicomLut palette[3]; // for PALETTE COLOR
  OdlDicomLut modality; // optional
} OdlDicomHeader;

void odl_dicom_header_clear (OdlDicomHeader *header);

#ifdef __cplusplus
class DcmDataset;

// Parses the data set located by `scan`. ODL_ERROR_CORRUPT.
bool
odl_dicom_header_parse (DcmDataset &dataset, const OdlDicomScan *scan, GError **error);

// Fills in `header`, and everything in `picture` except samples: value map, window,
// spacing, frame rate, details, warnings. `frame` selects among per-frame values.
// Messages complete "Cannot open FILE: …".
bool odl_dicom_header_read (OdlDicomHeader *header,
                            const OdlDicomScan *scan,
                            DcmDataset &dataset,
                            uint32_t frame,
                            OdlPicture *picture,
                            GError **error);
#endif
