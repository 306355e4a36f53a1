// SPDX-License-Identifier: MIT
// Camera formats (size, frame rate, encoding) and requests for them. Any thread.
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum {
  ODL_CAMERA_RAW, // uncompressed
  ODL_CAMERA_MJPEG, // a JPEG per frame: needs less bandwidth, so faster on slow
                    // connections
  ODL_N_CAMERA_ENCODINGS
} OdlCameraEncoding;

typedef struct {
  int width, height; // pixels
  int rate_n, rate_d; // frame rate; rate_n 0: unknown
  OdlCameraEncoding encoding;
  char pixels[16]; // GStreamer's pixel format; "" for MJPEG
} OdlCameraFormat;

// The requested camera and format. Zero, NULL and −1 mean automatic.
typedef struct {
  char *name; // id, name, or unambiguous part of the name
  char *or_name; // fallback: a camera of this name that was connected later
  int width, height;
  double rate;
  int encoding; // OdlCameraEncoding, or −1
} OdlCameraRequest;

struct _GstCaps;

// The raw and JPEG formats of `caps`, one per size, rate and encoding, largest and
// fastest first. Ranges of sizes are sampled at common sizes, ranges of rates at 30
// and the maximum. Never NULL, may be empty. Transfer full.
GArray *odl_camera_formats_from_caps (const struct _GstCaps *caps);

// Caps of one format. Transfer full.
struct _GstCaps *odl_camera_format_caps (const OdlCameraFormat *format);

double odl_camera_format_rate (const OdlCameraFormat *format); // 0: unknown

bool odl_camera_format_suits (const OdlCameraFormat *format,
                              const OdlCameraRequest *request);

// The best format that satisfies `request` (may be NULL), or of all if none does.
// Criteria in order: at least 24 frames per second; largest size up to 1920 × 1080;
// highest rate up to 60; raw over JPEG. NULL: `formats` is empty.
const OdlCameraFormat *odl_camera_formats_best (const GArray *formats,
                                                const OdlCameraRequest *request);

// "1280 × 720, 30 fps, MJPEG", translated; likewise without the size. Transfer full.
char *odl_camera_format_text (const OdlCameraFormat *format);
char *odl_camera_format_short (const OdlCameraFormat *format);

// Parses webcam[:NAME][,size=WxH][,rate=R][,format=raw|mjpeg]; NAME may contain
// commas. `location` must satisfy odl_camera_is_location. ODL_ERROR_USAGE. Clear the
// request in either case.
bool odl_camera_request_parse (OdlCameraRequest *request,
                               const char *location,
                               GError **error);
bool odl_camera_is_location (const char *location);

// The location for a camera id and a format (may be NULL). Transfer full.
char *odl_camera_location (const char *id, const OdlCameraFormat *format);

OdlCameraRequest odl_camera_request_copy (const OdlCameraRequest *request);
void odl_camera_request_clear (OdlCameraRequest *request);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlCameraRequest, odl_camera_request_clear)
