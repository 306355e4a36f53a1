// SPDX-License-Identifier: MIT
// The formats that a camera offers, and what a person asks of it: size, frames per second
// and whether pictures come as samples or as JPEG. Any thread.
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef enum {
  ODL_CAMERA_RAW, // samples, as they are
  ODL_CAMERA_MJPEG, // each picture a JPEG: less to carry, so faster where the cable is
                    // slow
  ODL_N_CAMERA_ENCODINGS
} OdlCameraEncoding;

typedef struct {
  int width, height; // pixels
  int rate_n, rate_d; // frames per second as a fraction; rate_n 0: not told
  OdlCameraEncoding encoding;
  char pixels[16]; // GStreamer's name of the samples' layout; "" for MJPEG
} OdlCameraFormat;

// What is asked for. Zero, NULL and −1 mean: whatever suits best.
typedef struct {
  char *name; // of the camera: its id, its name, or a part of the name that is its alone
  char *or_name; // where it is not there, one of this name that has come since
  int width, height;
  double rate;
  int encoding; // OdlCameraEncoding, or −1
} OdlCameraRequest;

struct _GstCaps;

// Raw video and JPEG of `caps`, one entry for each size, rate and encoding, largest and
// fastest first. Ranges of sizes give the usual sizes within, ranges of rates 30 and the
// highest. Never NULL, may be empty. Transfer full.
GArray *odl_camera_formats_from_caps (const struct _GstCaps *caps);

// The caps of one format. Transfer full.
struct _GstCaps *odl_camera_format_caps (const OdlCameraFormat *format);

double odl_camera_format_rate (const OdlCameraFormat *format); // 0: not told

bool odl_camera_format_suits (const OdlCameraFormat *format,
                              const OdlCameraRequest *request);

// The best of those that suit `request` (may be NULL), of all where none does. At least
// 24 frames per second come first, then up to 1920 × 1080 as large as can be, then the
// highest rate up to 60, then raw before JPEG: JPEG is taken where raw is slower. NULL:
// `formats` is empty.
const OdlCameraFormat *odl_camera_formats_best (const GArray *formats,
                                                const OdlCameraRequest *request);

// "1280 × 720, 30 fps, MJPEG" for people, and the same without the size. Transfer full.
char *odl_camera_format_text (const OdlCameraFormat *format);
char *odl_camera_format_short (const OdlCameraFormat *format);

// Reads webcam[:NAME][,size=WxH][,rate=R][,format=raw|mjpeg]. A name may hold commas.
// `location` is one of odl_camera_is_location. ODL_ERROR_USAGE. The request is
// to be cleared in either case.
bool odl_camera_request_parse (OdlCameraRequest *request,
                               const char *location,
                               GError **error);
bool odl_camera_is_location (const char *location);

// The location of a camera by its id, with a format (may be NULL). Transfer full.
char *odl_camera_location (const char *id, const OdlCameraFormat *format);

OdlCameraRequest odl_camera_request_copy (const OdlCameraRequest *request);
void odl_camera_request_clear (OdlCameraRequest *request);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlCameraRequest, odl_camera_request_clear)

G_END_DECLS
