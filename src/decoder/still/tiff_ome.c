// SPDX-License-Identifier: MIT
// OME-TIFF, schema 2016-06: Image, Pixels, Channel, TiffData and Plane. GLib's parser
// knows no entities but the five of XML, and opens nothing.
#include "decoder/still/tiff_ome.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "decoder/protocol.h"

typedef struct {
  OdlTiffWords *words;
  uint32_t n_pages; // of the file, and so many planes at most are listed
  char *own; // UUID of this file; NULL: not said
  int n_images;
  bool in_uuid; // within the UUID of a TiffData
  bool has_pixels;
  uint64_t samples; // of a pixel that make one channel each
  uint64_t sizes[ODL_TIFF_N_AXES];
  uint64_t n_steps; // planes that TiffData were looked at for
  uint32_t mapped; // index of the first plane of the last TiffData …
  uint32_t n_mapped; // … and how many it has
  GArray *pages; // uint32_t, of all planes in their order; G_MAXUINT32: not said
  GArray *stamps_s; // double, of all times; NaN: not said
} Reading;

static const char *
find (const char **names, const char **values, const char *name)
{
  for (int i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return values[i];
  return NULL;
}

// A whole number; `otherwise`: there is none.
static uint64_t
whole (const char **names, const char **values, const char *name, uint64_t otherwise)
{
  const char *text = find (names, values, name);
  guint64 number;

  return text != NULL
                 && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &number, NULL)
             ? number
             : otherwise;
}

static double
real (const char **names, const char **values, const char *name)
{
  const char *text = find (names, values, name);
  double number;

  return text != NULL && odl_number_from_text (text, &number) ? number : NAN;
}

static double
time_s (const char **names, const char **values, const char *name, const char *unit_name)
{
  const char *unit = find (names, values, unit_name);

  return real (names, values, name) * odl_tiff_time_s (unit != NULL ? unit : "s");
}

static void
take_pixels (Reading *reading, const char **names, const char **values)
{
  static const char *const sizes[] = { "SizeC", "SizeZ", "SizeT" };
  static const char *const lengths[]
      = { "PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ" };
  OdlTiffWords *words = reading->words;
  const char *order = find (names, values, "DimensionOrder");

  for (int axis = 0; axis < ODL_TIFF_N_AXES; axis++)
    reading->sizes[axis] = MAX (whole (names, values, sizes[axis], 1), 1);
  reading->has_pixels = order != NULL && g_str_has_prefix (order, "XY")
                        && odl_tiff_axes_order (order + 2, words->order);
  for (int i = 0; i < 3; i++) {
    g_autofree char *name = g_strconcat (lengths[i], "Unit", NULL);
    const char *unit = find (names, values, name);
    const double mm = real (names, values, lengths[i])
                      * odl_tiff_length_mm (unit != NULL ? unit : "um");
    words->size_mm[i] = mm > 0 && isfinite (mm) ? mm : 0;
  }
  const double interval_s = time_s (names, values, "TimeIncrement", "TimeIncrementUnit");
  if (interval_s >= 1e-9 && interval_s <= 1e6)
    words->interval_s = interval_s;
}

// Number of a plane in the order of the axes. False: there is none.
static bool
find_plane (const Reading *reading, const uint64_t at[ODL_TIFF_N_AXES], uint32_t *plane)
{
  uint64_t stride = 1, found = 0;

  for (int i = 0; i < ODL_TIFF_N_AXES; i++) {
    const int axis = reading->words->order[i];
    const uint64_t size = axis == ODL_TIFF_C
                              ? MAX (reading->sizes[axis] / reading->samples, 1)
                              : reading->sizes[axis];
    const uint64_t index = axis == ODL_TIFF_C ? at[axis] / reading->samples : at[axis];
    if (index >= size || stride > ODL_DECODER_MAX_FRAMES)
      return false;
    found += index * stride;
    stride *= size;
  }
  *plane = (uint32_t) MIN (found, G_MAXUINT32);
  return found < reading->n_pages;
}

static uint64_t
count_planes (const Reading *reading)
{
  uint64_t n = MAX (reading->sizes[ODL_TIFF_C] / reading->samples, 1);

  n = MIN (n * reading->sizes[ODL_TIFF_Z], G_MAXUINT32);
  return MIN (n * reading->sizes[ODL_TIFF_T], G_MAXUINT32);
}

// Planes without IFD are the pages from the first one on; without a number of planes it
// is one if the page is named, else all.
static void
take_data (Reading *reading, const char **names, const char **values)
{
  const uint64_t at[]
      = { whole (names, values, "FirstC", 0), whole (names, values, "FirstZ", 0),
          whole (names, values, "FirstT", 0) };
  const uint64_t page = whole (names, values, "IFD", 0);
  const bool is_named = find (names, values, "IFD") != NULL;
  const uint64_t all = count_planes (reading);
  const uint64_t n = whole (names, values, "PlaneCount", is_named ? 1 : all);

  reading->n_mapped = 0;
  if (!find_plane (reading, at, &reading->mapped))
    return;
  reading->n_mapped = (uint32_t) MIN (n, MIN (all, ODL_DECODER_MAX_FRAMES)
                                             - MIN (all, reading->mapped));
  // Elements that name the same planes again and again lead nowhere.
  reading->n_steps += reading->n_mapped;
  if (reading->n_steps > ODL_DECODER_MAX_FRAMES)
    return;
  // Pages in the order of the planes need no list.
  if (reading->pages->len == 0 && page == reading->mapped)
    return;
  const uint32_t end = reading->mapped + reading->n_mapped;
  for (uint32_t i = reading->pages->len; i < MIN (end, reading->n_pages); i++)
    g_array_append_val (reading->pages, i);
  for (uint32_t i = reading->mapped; i < MIN (end, reading->pages->len); i++)
    g_array_index (reading->pages, uint32_t, i)
        = (uint32_t) MIN (page + i - reading->mapped, G_MAXUINT32);
}

// The times are those of the first slice of the first channel.
static void
take_plane (Reading *reading, const char **names, const char **values)
{
  const uint64_t at = whole (names, values, "TheT", G_MAXUINT32);
  const double stamp_s = time_s (names, values, "DeltaT", "DeltaTUnit");

  if (whole (names, values, "TheC", 0) > 0 || whole (names, values, "TheZ", 0) > 0
      || at != reading->stamps_s->len || !isfinite (stamp_s))
    return;
  g_array_append_val (reading->stamps_s, stamp_s);
}

static const char *
local_name (const char *name)
{
  const char *colon = strchr (name, ':');

  return colon != NULL ? colon + 1 : name;
}

static void
start_cb (GMarkupParseContext *context,
          const char *full_name,
          const char **names,
          const char **values,
          void *data,
          GError **error)
{
  Reading *reading = data;
  const char *name = local_name (full_name);

  if (g_str_equal (name, "OME") && reading->own == NULL)
    reading->own = g_strdup (find (names, values, "UUID"));
  reading->n_images += g_str_equal (name, "Image");
  if (reading->n_images != 1)
    return;
  if (g_str_equal (name, "Pixels") && !reading->has_pixels)
    take_pixels (reading, names, values);
  else if (g_str_equal (name, "Channel"))
    reading->samples = MAX (whole (names, values, "SamplesPerPixel", 1), 1);
  else if (g_str_equal (name, "TiffData"))
    take_data (reading, names, values);
  else if (g_str_equal (name, "Plane"))
    take_plane (reading, names, values);
  reading->in_uuid = g_str_equal (name, "UUID");
}

static void
end_cb (GMarkupParseContext *context, const char *name, void *data, GError **error)
{
  ((Reading *) data)->in_uuid = false;
}

// Whose pages a TiffData names.
static void
text_cb (GMarkupParseContext *context,
         const char *text,
         gsize length,
         void *data,
         GError **error)
{
  Reading *reading = data;

  if (!reading->in_uuid)
    return;
  g_autofree char *uuid = g_strstrip (g_strndup (text, length));
  if (g_strcmp0 (uuid, reading->own) != 0)
    reading->words->has_others = true;
}

void
odl_tiff_ome_read (OdlTiffWords *words, const char *text, uint32_t n_pages)
{
  static const GMarkupParser parser
      = { .start_element = start_cb, .end_element = end_cb, .text = text_cb };
  const size_t length = strlen (text);
  Reading reading = { .words = words,
                      .n_pages = n_pages,
                      .samples = 1,
                      .pages = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                      .stamps_s = g_array_new (FALSE, FALSE, sizeof (double)) };
  OdlTiffWords before = *words;
  GMarkupParseContext *context = g_markup_parse_context_new (
      &parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &reading, NULL);

  const bool is_xml = g_markup_parse_context_parse (context, text, (gssize) length, NULL)
                      && g_markup_parse_context_end_parse (context, NULL);
  g_markup_parse_context_free (context);
  if (!is_xml || !reading.has_pixels) {
    *words = before;
  } else {
    words->by = "OME";
    words->has_axes = !words->has_others;
    for (int axis = 0; axis < ODL_TIFF_N_AXES; axis++)
      words->extent[axis] = reading.sizes[axis];
    words->extent[ODL_TIFF_C] = MAX (words->extent[ODL_TIFF_C] / reading.samples, 1);
    if (reading.pages->len > 0)
      words->pages = g_array_ref (reading.pages);
    if (reading.stamps_s->len > 1)
      words->stamps_s = g_array_ref (reading.stamps_s);
  }
  g_array_unref (reading.pages);
  g_array_unref (reading.stamps_s);
  g_free (reading.own);
}
