// SPDX-License-Identifier: MIT
#include "output/movie/codec.h"

#include <glib/gi18n-lib.h>
#include <gst/gst.h>
#include <string.h>

#include "base/error.h"
#include "source/gst_frame.h"

const char *const odl_quality_names[ODL_N_QUALITIES + 1]
    = { "high", "lossless", "small", NULL };

// All rates are constant quality, so noisy pictures get the bits they need. Quantisers
// were chosen on real cines (tests/golden/videos.py holds the bounds): `high` gives at
// least 44 dB relative to the displayed picture, `small` at least 32 dB.
//
// libvpx: no lag, because at the end of a stream it outputs all delayed frames at once
// and those that do not fit are lost.
//
// x264: no B-frames, so frames are stored in presentation order, even with irregular
// times, and an interrupted file can be shown up to its last frame.
//
// FFmpeg's MPEG encoders are not listed: as packaged in Debian 12 they truncate
// streams.
#define VPX "deadline=1 lag-in-frames=0 cpu-used=6 threads=4 end-usage=cq "

static const OdlCodec codecs[] = {
  {
      .name = "h264",
      .title = "H.264",
      .element = "x264enc",
      .package = "gstreamer1.0-plugins-ugly",
      .settings = { [ODL_QUALITY_HIGH] = "pass=qual quantizer=6 speed-preset=veryfast "
                                         "bframes=0 key-int-max=50 ! h264parse",
                    [ODL_QUALITY_SMALL] = "pass=qual quantizer=24 speed-preset=veryfast "
                                          "bframes=0 key-int-max=100 ! h264parse" },
      .even = true,
      .mp4 = true,
  },
  {
      .name = "vp9",
      .title = "VP9",
      .element = "vp9enc",
      .package = "gstreamer1.0-plugins-good",
      .settings
      = { [ODL_QUALITY_HIGH]
          = VPX "cq-level=3 min-quantizer=1 max-quantizer=10 target-bitrate=100000000 "
                "row-mt=true keyframe-max-dist=50",
          [ODL_QUALITY_SMALL] = VPX "cq-level=34 target-bitrate=20000000 row-mt=true" },
  },
  {
      .name = "h264",
      .title = "H.264",
      .element = "openh264enc",
      .package = "gstreamer1.0-plugins-bad",
      .settings = { [ODL_QUALITY_HIGH] = "rate-control=-1 qp-min=6 qp-max=12 gop-size=50 "
                                         "! h264parse",
                    [ODL_QUALITY_SMALL] = "rate-control=-1 qp-min=20 qp-max=26 "
                                          "gop-size=100 ! h264parse" },
      .even = true,
      .mp4 = true,
  },
  {
      .name = "theora",
      .title = "Theora",
      .element = "theoraenc",
      .package = "gstreamer1.0-plugins-base",
      .settings = { [ODL_QUALITY_HIGH] = "quality=63 speed-level=2 keyframe-force=64",
                    [ODL_QUALITY_SMALL] = "quality=36 speed-level=2" },
      .bt601 = true,
  },
  {
      .name = "vp8",
      .title = "VP8",
      .element = "vp8enc",
      .package = "gstreamer1.0-plugins-good",
      .settings
      = { [ODL_QUALITY_HIGH] = VPX "cq-level=4 min-quantizer=0 max-quantizer=10 "
                                   "target-bitrate=200000000",
          [ODL_QUALITY_SMALL] = VPX "cq-level=30 target-bitrate=20000000" },
  },
  {
      .name = "ffv1",
      .title = "FFV1",
      .element = "avenc_ffv1",
      .package = "gstreamer1.0-libav",
      .settings = { [ODL_QUALITY_LOSSLESS] = "" },
  },
};

size_t
odl_codec_count (void)
{
  return G_N_ELEMENTS (codecs);
}

const OdlCodec *
odl_codec_at (size_t index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (codecs), NULL);
  return &codecs[index];
}

bool
odl_codec_start (void)
{
  return odl_gst_start (NULL);
}

bool
odl_codec_is_installed (const OdlCodec *codec)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (codec->element);

  return factory != NULL;
}

bool
odl_codec_goes_into (const OdlCodec *codec, OdlContainer container)
{
  return container == ODL_CONTAINER_MATROSKA || codec->mp4;
}

// What the caller asks for.
typedef struct {
  const char *name;
  OdlQuality quality;
  OdlContainer container;
} Request;

static bool
is_named (const OdlCodec *codec, const char *name)
{
  return name == NULL || g_str_equal (name, "auto") || g_str_equal (name, codec->name);
}

static bool
fits (const OdlCodec *codec, const Request *request)
{
  return is_named (codec, request->name) && codec->settings[request->quality] != NULL
         && odl_codec_goes_into (codec, request->container);
}

// Appends `word` once; words are separated by commas.
static void
append_once (GString *list, const char *word)
{
  if (strstr (list->str, word) == NULL)
    g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", word);
}

static void
set_missing (const Request *request, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  g_autoptr (GString) packages = g_string_new (NULL);
  bool exists = false, can = false;

  for (size_t i = 0; i < G_N_ELEMENTS (codecs); i++) {
    append_once (known, codecs[i].name);
    exists |= is_named (&codecs[i], request->name);
    can |= is_named (&codecs[i], request->name)
           && codecs[i].settings[request->quality] != NULL;
    if (fits (&codecs[i], request))
      append_once (packages, codecs[i].package);
  }
  if (!exists)
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("“%s” is not a codec. There are: %s."), request->name, known->str);
  else if (!can)
    g_set_error (
        error, ODL_ERROR, ODL_ERROR_USAGE,
        _ ("The codec %s does not support the quality “%s”. Leave one of them out."),
        request->name, odl_quality_names[request->quality]);
  else if (packages->len == 0)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE,
                         _ ("MP4 files hold H.264, in the qualities high and small. "
                            "Choose these, or a name that ends with .mkv."));
  else
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("No encoder for such a video is installed. Install one of the "
                    "packages %s, or write numbered PNG files."),
                 packages->str);
}

const OdlCodec *
odl_codec_find (const char *name,
                OdlQuality quality,
                OdlContainer container,
                GError **error)
{
  const Request request = { name, quality, container };

  if (!odl_gst_start (error))
    return NULL;
  for (size_t i = 0; i < G_N_ELEMENTS (codecs); i++)
    if (fits (&codecs[i], &request) && odl_codec_is_installed (&codecs[i]))
      return &codecs[i];
  set_missing (&request, error);
  return NULL;
}
