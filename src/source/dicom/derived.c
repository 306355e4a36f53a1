// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/dicom/derived.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/random.h>

#include "base/error.h"
#include "decoder/protocol.h"
#include "source/dicom/dicom.h"
#include "source/dicom/ordered.h"

// Of a short text (VR ST).
#define DESCRIPTION_CHARACTERS 1024

void
odl_derived_order_fill (OdlDerivedOrder *order, const OdlDerivedWork *work)
{
  const bool chosen = work->window->mode != ODL_WINDOW_FILE;
  g_autofree char *whole = g_strdup_printf (
      "Ondelette " ODL_VERSION
      ", for research and teaching, not for diagnosis. Recipe: %s; engine %s%s",
      work->filters, work->engine,
      work->in_area && work->has_filters ? "; inside the ultrasound region" : "");

  order->description = g_strndup (whole, DESCRIPTION_CHARACTERS);
  order->recipe = g_strdup (work->recipe);
  order->params = (OdlDerivedParams){
    .compression = work->compression,
    .width = work->picture->extent.x,
    .height = work->picture->extent.y,
    .channels = work->channels,
    .bits = work->bits,
    .is_signed = work->is_signed,
    .first_frame = work->first_frame,
    .n_frames = work->n_frames,
    // Who only removes names has the same picture afterwards.
    .filtered = work->has_filters || !work->deidentify,
    .deidentify = work->deidentify,
    .days = work->deidentify ? work->days : 0,
    .blanked = work->blanked,
    .has_window = chosen || work->picture->value_map.has_window,
    .window_is_chosen = chosen,
    .description = order->description,
    .recipe = order->recipe,
    .secret = work->secret,
  };
  if (order->params.has_window)
    odl_display_window (work->picture, work->window, &order->params.window_centre,
                        &order->params.window_width);
}

void
odl_derived_order_clear (OdlDerivedOrder *order)
{
  g_free (order->description);
  g_free (order->recipe);
}

void
odl_derived_make_secret (guint8 secret[ODL_DERIVED_SECRET_BYTES])
{
  // Up to 256 bytes come at once, as soon as the kernel has any.
  if (getrandom (secret, ODL_DERIVED_SECRET_BYTES, 0) != ODL_DERIVED_SECRET_BYTES)
    g_error ("getrandom: %s", g_strerror (errno));
}

bool
odl_derived_is_possible (const OdlSource *source, GError **error)
{
  if (odl_dicom_is_source (source))
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("it is no DICOM file, so nothing says whose picture it is. "
                           "Write it as .png or .tif."));
}

static uint32_t
flags_of (const OdlSource *source, const OdlDerivedParams *params)
{
  const char *lossy = odl_source_detail (source, "lossy");

  return (params->filtered ? ODL_DERIVE_FILTERED : 0)
         | (params->deidentify ? ODL_DERIVE_DEIDENTIFY : 0)
         | (params->blanked ? ODL_DERIVE_BLANKED : 0)
         | (g_strcmp0 (lossy, "yes") == 0 ? ODL_DERIVE_LOSSY : 0);
}

static void
fill_order (OdlDecoderDerive *order,
            const OdlSource *source,
            const OdlDerivedParams *params)
{
  static const uint32_t compressions[] = {
    [ODL_DERIVED_PLAIN] = ODL_DERIVE_PLAIN,
    [ODL_DERIVED_RLE] = ODL_DERIVE_RLE,
    [ODL_DERIVED_JPEG_2000] = ODL_DERIVE_JPEG_2000,
  };
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  const char *instance = odl_source_detail (source, "sop-instance");

  *order = (OdlDecoderDerive){
    .magic = ODL_DECODER_MAGIC,
    .version = ODL_DECODER_VERSION,
    .flags = flags_of (source, params),
    .compression = compressions[params->compression],
    .width = (uint32_t) params->width,
    .height = (uint32_t) params->height,
    .channels = (uint32_t) params->channels,
    .bits = (uint32_t) params->bits,
    .is_signed = params->is_signed,
    .first_frame = (uint32_t) params->first_frame,
    .n_frames = (uint32_t) params->n_frames,
    .recipe_bytes = params->recipe != NULL ? (uint32_t) strlen (params->recipe) : 0,
    .has_window = !params->has_window        ? 0
                  : params->window_is_chosen ? 1
                                             : 2,
    .window_centre = params->window_centre,
    .window_width = params->window_width,
    .now_s = g_date_time_to_unix (now),
    .zone_minutes = (int32_t) (g_date_time_get_utc_offset (now) / G_TIME_SPAN_MINUTE),
    .days = params->days,
  };
  memcpy (order->secret, params->secret, sizeof order->secret);
  g_strlcpy (order->instance, instance != NULL ? instance : "", sizeof order->instance);
  g_strlcpy (order->program, "Ondelette " ODL_VERSION, sizeof order->program);
  if (params->description != NULL)
    g_strlcpy (order->description, params->description, sizeof order->description);
}

// ---- What the new header says ----

// The parts of a line of the header (decoder/dicom/dump.hpp).
enum { DEPTH, TAG, VR, NAME, VALUE, N_PARTS };

// The private element that the decoder adds has no name in the dictionary
// (decoder/dicom/derive.hpp).
#define CREATOR_TAG "(0099,0010)"
#define RECIPE_TAG "(0099,1001)"

static void
text_free (void *data)
{
  OdlDerivedText *text = data;

  g_free (text->tag);
  g_free (text->name);
  g_free (text->value);
  g_free (text);
}

void
odl_derived_report_free (OdlDerivedReport *report)
{
  g_ptr_array_unref (report->texts);
  g_free (report->pixels);
  g_free (report);
}

// Whether people write, or read, words, days and times there.
static bool
has_words (char *const *parts)
{
  static const char *const kinds[] = { "AE", "AS", "CS", "DA", "DT", "LO", "LT", "PN",
                                       "SH", "ST", "TM", "UC", "UN", "UR", "UT", NULL };
  // Codes of how pixels are stored, and about the file.
  static const char *const groups[] = { "(0002,", "(0028,", NULL };

  for (int i = 0; groups[i] != NULL; i++)
    if (g_str_has_prefix (parts[TAG], groups[i]) && !g_str_equal (parts[VR], "LO"))
      return false;
  return *parts[VALUE] != '\0' && g_strv_contains (kinds, parts[VR]);
}

static const char *
pixels_note (const OdlDerivedParams *params, const char *burned)
{
  if (params->blanked)
    return _ ("Pixels: what is written outside the black rectangles stays. Look at each "
              "picture.");
  if (g_str_equal (burned, "YES"))
    return _ ("Pixels: the file says that something is written in them, and it stays.");
  if (g_str_equal (burned, "NO"))
    return _ ("Pixels: the file says that nothing is written in them.");
  return _ ("Pixels: the file does not say whether something is written in them. Look at "
            "each picture.");
}

static OdlDerivedReport *
read_report (GBytes *bytes, const OdlDerivedParams *params)
{
  gsize size = 0;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autofree char *all = g_utf8_make_valid (data, (gssize) size);
  g_auto (GStrv) lines = g_strsplit (all, "\n", -1);
  OdlDerivedReport *report = g_new0 (OdlDerivedReport, 1);
  g_autofree char *burned = g_strdup ("");

  report->texts = g_ptr_array_new_with_free_func (text_free);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_auto (GStrv) parts = g_strsplit (lines[i], "\t", N_PARTS);
    if (g_strv_length (parts) != N_PARTS)
      continue;
    g_strstrip (parts[VALUE]);
    if (g_str_equal (parts[TAG], "(0028,0301)")) {
      g_free (burned);
      burned = g_strdup (parts[VALUE]);
    }
    if (!has_words (parts) || g_str_equal (parts[TAG], CREATOR_TAG))
      continue;
    OdlDerivedText *text = g_new (OdlDerivedText, 1);
    *text = (OdlDerivedText){
      .tag = g_strdup (parts[TAG]),
      .name = g_strdup (g_str_equal (parts[TAG], RECIPE_TAG) ? "Recipe" : parts[NAME]),
      .value = g_strdup (parts[VALUE]),
      .names_somebody
      = g_str_has_prefix (parts[TAG], "(0010,") || g_str_equal (parts[VR], "PN"),
    };
    g_ptr_array_add (report->texts, text);
  }
  report->pixels = g_strdup (pixels_note (params, burned));
  return report;
}

// The answer of a helper to the order.
static GBytes *
ask (const OdlSource *source,
     const OdlDerivedParams *params,
     uint32_t flags,
     GError **error)
{
  // Frames that are taken for the slices of a volume stay those of their file.
  const char *location = source->info.location;
  const char *path = location + (g_str_has_prefix (location, "volume:") ? 7 : 0);
  OdlDecoderDerive order;
  g_autoptr (GByteArray) whole = g_byte_array_new ();

  fill_order (&order, source, params);
  order.flags |= flags;
  g_byte_array_append (whole, (const guint8 *) &order, sizeof order);
  if (order.recipe_bytes > 0)
    g_byte_array_append (whole, (const guint8 *) params->recipe, order.recipe_bytes);
  return odl_ordered_ask (path, "dicom-derive", ODL_DECODER_DERIVE, whole, error);
}

GBytes *
odl_derived_begin (const OdlSource *source,
                   const OdlDerivedParams *params,
                   GError **error)
{
  return ask (source, params, 0, error);
}

OdlDerivedReport *
odl_derived_report (const OdlSource *source,
                    const OdlDerivedParams *params,
                    GError **error)
{
  g_autoptr (GBytes) bytes = ask (source, params, ODL_DERIVE_REPORT, error);

  return bytes != NULL ? read_report (bytes, params) : NULL;
}
