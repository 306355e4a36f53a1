// SPDX-License-Identifier: MIT
#include "decoder/dicom/header.h"

#include <glib/gi18n-lib.h>

#include "decoder/dicom/item.hpp"

// The standard has no bounds; beyond these, from a day to tenths of microseconds, times
// cannot be counted.
#define MIN_MS 1e-4
#define MAX_MS 8.64e7
#define MS_PER_SECOND 1000.0
#define NS_PER_MS 1e6

void
odl_dicom_timing_clear (OdlDicomTiming *timing)
{
  g_clear_pointer (&timing->increments_ms, g_free);
}

static bool
is_interval (double ms)
{
  return ms >= MIN_MS && ms <= MAX_MS;
}

static bool
take_rate (OdlDicomTiming *timing, double rate)
{
  if (!is_interval (MS_PER_SECOND / rate))
    return false;
  timing->rate = rate;
  return true;
}

static bool
read_frame_time (OdlDicomTiming *timing, DcmItem *dataset, uint32_t)
{
  double ms = 0;

  return odl_item_number (dataset, DCM_FrameTime, 0, ms) && ms > 0
         && take_rate (timing, MS_PER_SECOND / ms);
}

// Increments between frames; the first entry precedes the first frame and is ignored.
static bool
read_frame_time_vector (OdlDicomTiming *timing, DcmItem *dataset, uint32_t frames)
{
  DcmElement *element = NULL;
  OFVector<Float64> values;
  double sum = 0;

  if (dataset->findAndGetElement (DCM_FrameTimeVector, element).bad ())
    return false;
  DcmDecimalString *decimals = dynamic_cast<DcmDecimalString *> (element);
  if (decimals == NULL || decimals->getFloat64Vector (values).bad ()
      || values.size () != frames || frames < 2)
    return false;
  double *increments = g_new0 (double, frames);
  bool sane = true;
  for (uint32_t i = 1; sane && i < frames; i++) {
    increments[i] = values[i];
    sane = is_interval (values[i]);
    sum += values[i];
  }
  if (!sane || !take_rate (timing, MS_PER_SECOND * (frames - 1) / sum)) {
    g_free (increments);
    return false;
  }
  timing->increments_ms = increments;
  timing->n = frames;
  return true;
}

static bool
read_cine_rate (OdlDicomTiming *timing, DcmItem *dataset, uint32_t)
{
  double rate = 0;

  return odl_item_number (dataset, DCM_CineRate, 0, rate) && take_rate (timing, rate);
}

static bool
read_display_rate (OdlDicomTiming *timing, DcmItem *dataset, uint32_t)
{
  double rate = 0;

  return odl_item_number (dataset, DCM_RecommendedDisplayFrameRate, 0, rate)
         && take_rate (timing, rate);
}

// Attribute names are terms of the standard and not translated.
static const struct {
  const DcmTagKey &tag;
  const char *name;
  bool (*read) (OdlDicomTiming *timing, DcmItem *dataset, uint32_t frames);
} ways[] = {
  { DCM_FrameTimeVector, "Frame Time Vector", read_frame_time_vector },
  { DCM_FrameTime, "Frame Time", read_frame_time },
  { DCM_CineRate, "Cine Rate", read_cine_rate },
  { DCM_RecommendedDisplayFrameRate, "Recommended Display Frame Rate",
    read_display_rate },
};

static bool
try_way (size_t i,
         OdlDicomTiming *timing,
         DcmItem *dataset,
         uint32_t frames,
         OdlPicture *picture)
{
  if (!dataset->tagExistsWithValue (ways[i].tag))
    return false;
  if (ways[i].read (timing, dataset, frames)) {
    timing->name = ways[i].name;
    return true;
  }
  odl_picture_warn (picture, _ ("its %s is invalid and is ignored"), ways[i].name);
  return false;
}

void
odl_dicom_timing_read (OdlDicomTiming *timing,
                       DcmItem *dataset,
                       uint32_t frames,
                       OdlPicture *picture)
{
  DcmTagKey pointed = DCM_UndefinedTagKey;
  DcmElement *element = NULL;

  if (dataset->findAndGetElement (DCM_FrameIncrementPointer, element).good ()) {
    DcmAttributeTag *tag = dynamic_cast<DcmAttributeTag *> (element);
    if (tag == NULL || tag->getTagVal (pointed, 0).bad ())
      pointed = DCM_UndefinedTagKey;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (ways); i++)
    if (ways[i].tag == pointed && try_way (i, timing, dataset, frames, picture))
      return;
  for (size_t i = 0; i < G_N_ELEMENTS (ways); i++)
    if (ways[i].tag != pointed && try_way (i, timing, dataset, frames, picture))
      return;
}

void
odl_dicom_timing_apply (const OdlDicomTiming *timing, OdlPicture *picture)
{
  const uint32_t n = picture->reply.n_frames;

  picture->reply.frame_rate = timing->rate;
  g_free (picture->timing);
  picture->timing = g_strdup (timing->name);
  if (timing->increments_ms == NULL || n > timing->n)
    return;

  // The last frame is displayed as long as the one before it.
  g_autofree int64_t *times = g_new0 (int64_t, n + 1);
  for (uint32_t i = 1; i <= n; i++)
    times[i] = times[i - 1]
               + (int64_t) (timing->increments_ms[MIN (i, timing->n - 1)] * NS_PER_MS);
  odl_picture_set_times (picture, times, n + 1);
}
