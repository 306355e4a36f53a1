// SPDX-License-Identifier: MIT
// The encoders for moving pictures: one row each, in order of preference. Which of them
// work here is what GStreamer has installed. All but the lossless one keep a colour
// sample for 2 × 2 pixels, since common players refuse streams that have one for each.
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef enum {
  ODL_QUALITY_HIGH, // no loss that is seen: fine quantisation
  ODL_QUALITY_LOSSLESS, // the very samples that are shown
  ODL_QUALITY_SMALL, // for passing on: visible losses
  ODL_N_QUALITIES,
} OdlQuality;

typedef enum {
  ODL_CONTAINER_MATROSKA, // takes all codecs
  ODL_CONTAINER_MP4, // what common players and presentations take
} OdlContainer;

extern const char *const odl_quality_names[ODL_N_QUALITIES + 1]; // NULL at the end

typedef struct {
  const char *name; // of the codec: "h264"; several encoders may make it
  const char *title; // "H.264"
  const char *element; // of GStreamer
  const char *package; // of Debian
  // Its settings and what follows it, in the language of gst_parse_launch; NULL: it
  // cannot.
  const char *settings[ODL_N_QUALITIES];
  bool bt601; // players take its streams for BT.601, which has no way to say otherwise
  bool even; // both sides must be
  bool mp4; // players expect it in MP4
} OdlCodec;

size_t odl_codec_count (void);
const OdlCodec *odl_codec_at (size_t index);

// Starts GStreamer. False, with ODL_ERROR_UNSUPPORTED, when it does not.
bool odl_codec_start (GError **error);

// Whether its encoder is installed. Needs GStreamer to be started.
bool odl_codec_is_installed (const OdlCodec *codec);

bool odl_codec_goes_into (const OdlCodec *codec, OdlContainer container);

// The encoder for `name` (NULL or "auto": the best for this quality and container).
// Starts GStreamer, so not on the main thread of a window. ODL_ERROR_USAGE for a name
// that there is not and for what does not go together, ODL_ERROR_UNSUPPORTED, naming the
// packages, when nothing fit is installed.
const OdlCodec *odl_codec_find (const char *name,
                                OdlQuality quality,
                                OdlContainer container,
                                GError **error);

G_END_DECLS
