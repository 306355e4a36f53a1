// SPDX-License-Identifier: MIT
// Video encoders, in order of preference; which are available depends on the installed
// GStreamer plugins. All but the lossless one use 4:2:0 chroma, since common players
// refuse 4:4:4.
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum {
  ODL_QUALITY_HIGH, // visually lossless
  ODL_QUALITY_LOSSLESS, // bit-exact
  ODL_QUALITY_SMALL, // small files with visible losses
  ODL_N_QUALITIES,
} OdlQuality;

typedef enum {
  ODL_CONTAINER_MATROSKA, // accepts all codecs
  ODL_CONTAINER_MP4, // for common players and presentation programs
} OdlContainer;

extern const char *const odl_quality_names[ODL_N_QUALITIES + 1]; // NULL at the end

typedef struct {
  const char *name; // of the codec: "h264"; several encoders may share it
  const char *title; // "H.264"
  const char *element; // GStreamer element
  const char *package; // Debian package
  // Encoder settings and subsequent elements in gst_parse_launch syntax; NULL:
  // unsupported quality.
  const char *settings[ODL_N_QUALITIES];
  bool bt601; // the stream cannot signal its matrix; players assume BT.601
  bool even; // both sides must be even
  bool mp4; // commonly used in MP4
} OdlCodec;

size_t odl_codec_count (void);
const OdlCodec *odl_codec_at (size_t index);

// Initialises GStreamer. ODL_ERROR_UNSUPPORTED.
bool odl_codec_start (void);

// Whether its encoder is installed. GStreamer must be initialised.
bool odl_codec_is_installed (const OdlCodec *codec);

bool odl_codec_goes_into (const OdlCodec *codec, OdlContainer container);

// The encoder for `name` (NULL or "auto": the best for this quality and container).
// Initialises GStreamer, so do not call it on a window's main thread. ODL_ERROR_USAGE
// for unknown names and incompatible combinations; ODL_ERROR_UNSUPPORTED, naming
// packages, if no suitable encoder is installed.
const OdlCodec *odl_codec_find (const char *name,
                                OdlQuality quality,
                                OdlContainer container,
                                GError **error);
