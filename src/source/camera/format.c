// SPDX-License-Identifier: MIT
#include "source/camera/format.h"

#include <glib/gi18n-lib.h>
#include <gst/gst.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

// Lowest rate of fluent motion.
#define FLUENT_RATE 23.9

// Higher rates have no benefit.
#define TOP_RATE 60.0
#define TOP_AREA (1920 * 1080)

// Rates are given as 29.97 but mean 30000/1001.
#define RATE_TOLERANCE 0.02

static const struct {
  const char *media;
  const char *label;
} encodings[ODL_N_CAMERA_ENCODINGS] = {
  [ODL_CAMERA_RAW] = { "video/x-raw", N_ ("raw") },
  [ODL_CAMERA_MJPEG] = { "image/jpeg", "MJPEG" },
};

// Preference among pixel formats of the same size and rate: formats that need no
// conversion, fewest bytes first; others come last.
static const char *const layouts[]
    = { "NV12",  "I420", "YV12", "NV21", "YUY2", "UYVY", "YVYU", "Y42B", "Y444",
        "GRAY8", "RGB",  "BGR",  "RGBx", "BGRx", "RGBA", "BGRA", "xRGB", "xBGR" };

static const struct {
  int width, height;
} usual_sizes[] = {
  { 320, 240 },  { 640, 480 },   { 800, 600 },   { 1024, 768 },
  { 1280, 720 }, { 1920, 1080 }, { 2560, 1440 }, { 3840, 2160 },
};

double
odl_camera_format_rate (const OdlCameraFormat *format)
{
  return format->rate_n > 0 && format->rate_d > 0
             ? (double) format->rate_n / format->rate_d
             : 0;
}

static size_t
layout_rank (const char *pixels)
{
  for (size_t i = 0; i < G_N_ELEMENTS (layouts); i++)
    if (g_str_equal (layouts[i], pixels))
      return i;
  return G_N_ELEMENTS (layouts);
}

// ---- From caps ----

static bool
is_same (const OdlCameraFormat *a, const OdlCameraFormat *b)
{
  return a->width == b->width && a->height == b->height && a->encoding == b->encoding
         && fabs (odl_camera_format_rate (a) - odl_camera_format_rate (b)) < 1e-3;
}

static void
add_format (GArray *formats, const OdlCameraFormat *format)
{
  if (format->width < 1 || format->height < 1 || format->width > 32768
      || format->height > 32768)
    return;
  for (guint i = 0; i < formats->len; i++) {
    OdlCameraFormat *there = &g_array_index (formats, OdlCameraFormat, i);
    if (!is_same (there, format))
      continue;
    if (layout_rank (format->pixels) < layout_rank (there->pixels))
      *there = *format;
    return;
  }
  g_array_append_val (formats, *format);
}

// Calls a function for each value: `value` itself, or the members of a list.
typedef void (*EachFunc) (const GValue *value, GArray *formats, OdlCameraFormat *format);

static void
each_value (const GValue *value, EachFunc func, GArray *formats, OdlCameraFormat *format)
{
  if (value == NULL || !GST_VALUE_HOLDS_LIST (value)) {
    func (value, formats, format);
    return;
  }
  for (guint i = 0; i < gst_value_list_get_size (value); i++)
    func (gst_value_list_get_value (value, i), formats, format);
}

static void
add_rate (const GValue *value, GArray *formats, OdlCameraFormat *format)
{
  format->rate_n = 0;
  format->rate_d = 1;
  if (value != NULL && GST_VALUE_HOLDS_FRACTION (value)) {
    format->rate_n = gst_value_get_fraction_numerator (value);
    format->rate_d = gst_value_get_fraction_denominator (value);
  } else if (value != NULL && GST_VALUE_HOLDS_FRACTION_RANGE (value)) {
    const GValue *low = gst_value_get_fraction_range_min (value);
    const GValue *high = gst_value_get_fraction_range_max (value);
    const double least = (double) gst_value_get_fraction_numerator (low)
                         / MAX (gst_value_get_fraction_denominator (low), 1);
    const double most = (double) gst_value_get_fraction_numerator (high)
                        / MAX (gst_value_get_fraction_denominator (high), 1);
    if (least <= 30 && most >= 30) {
      format->rate_n = 30;
      add_format (formats, format);
    }
    if (most <= 30 || most > 1000)
      return;
    format->rate_n = gst_value_get_fraction_numerator (high);
    format->rate_d = gst_value_get_fraction_denominator (high);
  }
  add_format (formats, format);
}

static void
add_layout (const GValue *value, GArray *formats, OdlCameraFormat *format)
{
  const char *name
      = value != NULL && G_VALUE_HOLDS_STRING (value) ? g_value_get_string (value) : "";

  g_strlcpy (format->pixels, name, sizeof format->pixels);
}

// Adds all rates of one size; of several pixel formats the preferred one.
static void
add_size (const GstStructure *structure, GArray *formats, OdlCameraFormat *format)
{
  const GValue *rates = gst_structure_get_value (structure, "framerate");
  const GValue *pixels = format->encoding == ODL_CAMERA_RAW
                             ? gst_structure_get_value (structure, "format")
                             : NULL;

  if (pixels == NULL || !GST_VALUE_HOLDS_LIST (pixels)) {
    add_layout (pixels, formats, format);
    each_value (rates, add_rate, formats, format);
    return;
  }
  for (guint i = 0; i < gst_value_list_get_size (pixels); i++) {
    add_layout (gst_value_list_get_value (pixels, i), formats, format);
    each_value (rates, add_rate, formats, format);
  }
}

static bool
range_of (const GstStructure *structure, const char *field, int *low, int *high)
{
  const GValue *value = gst_structure_get_value (structure, field);

  if (value != NULL && G_VALUE_HOLDS_INT (value)) {
    *low = *high = g_value_get_int (value);
    return true;
  }
  if (value == NULL || !GST_VALUE_HOLDS_INT_RANGE (value))
    return false;
  *low = gst_value_get_int_range_min (value);
  *high = gst_value_get_int_range_max (value);
  return true;
}

static void
add_sizes (const GstStructure *structure, GArray *formats, OdlCameraEncoding encoding)
{
  OdlCameraFormat format = { .encoding = encoding };
  int x0, x1, y0, y1;

  if (!range_of (structure, "width", &x0, &x1)
      || !range_of (structure, "height", &y0, &y1))
    return;
  if (x0 == x1 && y0 == y1) {
    format.width = x0;
    format.height = y0;
    add_size (structure, formats, &format);
    return;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (usual_sizes); i++) {
    format.width = usual_sizes[i].width;
    format.height = usual_sizes[i].height;
    if (format.width >= x0 && format.width <= x1 && format.height >= y0
        && format.height <= y1)
      add_size (structure, formats, &format);
  }
}

static int
compare (const void *left, const void *right)
{
  const OdlCameraFormat *a = left, *b = right;
  const int64_t areas = (int64_t) b->width * b->height - (int64_t) a->width * a->height;

  if (areas != 0)
    return areas > 0 ? 1 : -1;
  if (a->width != b->width)
    return b->width - a->width;
  const double rates = odl_camera_format_rate (b) - odl_camera_format_rate (a);
  if (fabs (rates) > 1e-3)
    return rates > 0 ? 1 : -1;
  return (int) a->encoding - (int) b->encoding;
}

GArray *
odl_camera_formats_from_caps (const GstCaps *caps)
{
  GArray *formats = g_array_new (FALSE, TRUE, sizeof (OdlCameraFormat));
  const guint n = caps != NULL && !gst_caps_is_any (caps) ? gst_caps_get_size (caps) : 0;

  for (guint i = 0; i < n; i++) {
    const GstStructure *structure = gst_caps_get_structure (caps, i);
    for (int e = 0; e < ODL_N_CAMERA_ENCODINGS; e++)
      if (gst_structure_has_name (structure, encodings[e].media))
        add_sizes (structure, formats, (OdlCameraEncoding) e);
  }
  g_array_sort (formats, compare);
  return formats;
}

GstCaps *
odl_camera_format_caps (const OdlCameraFormat *format)
{
  GstCaps *caps
      = gst_caps_new_simple (encodings[format->encoding].media, "width", G_TYPE_INT,
                             format->width, "height", G_TYPE_INT, format->height, NULL);

  if (*format->pixels != '\0')
    gst_caps_set_simple (caps, "format", G_TYPE_STRING, format->pixels, NULL);
  if (format->rate_n > 0)
    gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, format->rate_n,
                         format->rate_d, NULL);
  return caps;
}

// ---- Choosing ----

bool
odl_camera_format_suits (const OdlCameraFormat *format, const OdlCameraRequest *request)
{
  const double rate = odl_camera_format_rate (format);

  if (request == NULL)
    return true;
  return (request->width <= 0 || request->width == format->width)
         && (request->height <= 0 || request->height == format->height)
         && (request->rate <= 0 || fabs (rate - request->rate) < RATE_TOLERANCE)
         && (request->encoding < 0 || request->encoding == (int) format->encoding);
}

static bool
is_better (const OdlCameraFormat *a, const OdlCameraFormat *b)
{
  const double rate_a = odl_camera_format_rate (a), rate_b = odl_camera_format_rate (b);
  const int64_t area_a = (int64_t) a->width * a->height;
  const int64_t area_b = (int64_t) b->width * b->height;
  const bool fluent_a = rate_a >= FLUENT_RATE || rate_a <= 0;
  const bool fluent_b = rate_b >= FLUENT_RATE || rate_b <= 0;

  if (fluent_a != fluent_b)
    return fluent_a;
  if ((area_a <= TOP_AREA) != (area_b <= TOP_AREA))
    return area_a <= TOP_AREA;
  if (area_a != area_b)
    return area_a <= TOP_AREA ? area_a > area_b : area_a < area_b;
  if (fabs (MIN (rate_a, TOP_RATE) - MIN (rate_b, TOP_RATE)) > RATE_TOLERANCE)
    return rate_a > rate_b;
  return a->encoding < b->encoding;
}

const OdlCameraFormat *
odl_camera_formats_best (const GArray *formats, const OdlCameraRequest *request)
{
  const OdlCameraFormat *best = NULL, *any = NULL;

  for (guint i = 0; i < formats->len; i++) {
    const OdlCameraFormat *format = &g_array_index (formats, OdlCameraFormat, i);
    if (any == NULL || is_better (format, any))
      any = format;
    if (odl_camera_format_suits (format, request)
        && (best == NULL || is_better (format, best)))
      best = format;
  }
  return best != NULL ? best : any;
}

static char *
rate_text (const OdlCameraFormat *format)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.2f", odl_camera_format_rate (format));
  // 30.00 becomes 30, 29.97 stays.
  char *dot = strchr (text, '.');
  char *end = text + strlen (text);
  while (dot != NULL && end > dot && (end[-1] == '0' || end[-1] == '.'))
    *--end = '\0';
  return g_strdup (text);
}

char *
odl_camera_format_short (const OdlCameraFormat *format)
{
  g_autofree char *rate = rate_text (format);
  const char *encoding = _ (encodings[format->encoding].label);

  return format->rate_n > 0 ? g_strdup_printf (_ ("%s fps, %s"), rate, encoding)
                            : g_strdup (encoding);
}

char *
odl_camera_format_text (const OdlCameraFormat *format)
{
  g_autofree char *rest = odl_camera_format_short (format);

  return g_strdup_printf ("%d × %d, %s", format->width, format->height, rest);
}

// Camera requests as text: webcam:NAME,size=1280x720,rate=30,format=mjpeg

#define PREFIX "webcam"

static bool
parse_size (OdlCameraRequest *request, const char *text)
{
  char *end = NULL;
  const guint64 width = g_ascii_strtoull (text, &end, 10);

  if (end == text || *end != 'x' || width < 1 || width > 32768)
    return false;
  const char *rest = end + 1;
  const guint64 height = g_ascii_strtoull (rest, &end, 10);
  request->width = (int) width;
  request->height = (int) MIN (height, G_MAXINT);
  return end != rest && *end == '\0' && height >= 1 && height <= 32768;
}

static bool
parse_rate (OdlCameraRequest *request, const char *text)
{
  return odl_number_from_text (text, &request->rate) && request->rate > 0
         && request->rate <= 1000;
}

static bool
parse_encoding (OdlCameraRequest *request, const char *text)
{
  if (g_ascii_strcasecmp (text, "raw") == 0)
    request->encoding = ODL_CAMERA_RAW;
  else if (g_ascii_strcasecmp (text, "mjpeg") == 0)
    request->encoding = ODL_CAMERA_MJPEG;
  return request->encoding >= 0;
}

static const struct {
  const char *key; // including the "="
  bool (*parse) (OdlCameraRequest *request, const char *text);
} keys[] = {
  { "size=", parse_size },
  { "rate=", parse_rate },
  { "format=", parse_encoding },
};

bool
odl_camera_is_location (const char *location)
{
  return g_str_has_prefix (location, PREFIX)
         && strchr (":,", location[strlen (PREFIX)]) != NULL;
}

// Removes the last option from `text`. False: no further options.
static bool
take_option (OdlCameraRequest *request, char *text, bool *wrong)
{
  char *comma = strrchr (text, ',');

  for (size_t i = 0; comma != NULL && i < G_N_ELEMENTS (keys); i++)
    if (g_str_has_prefix (comma + 1, keys[i].key)) {
      *wrong = !keys[i].parse (request, comma + 1 + strlen (keys[i].key));
      *comma = '\0';
      return !*wrong;
    }
  return false;
}

bool
odl_camera_request_parse (OdlCameraRequest *request, const char *location, GError **error)
{
  bool wrong = false;

  *request = (OdlCameraRequest){ .encoding = -1 };
  g_autofree char *text = g_strdup (location + strlen (PREFIX));
  while (take_option (request, text, &wrong))
    ;
  if (*text == ':')
    request->name = text[1] != '\0' ? g_strdup (text + 1) : NULL;
  else
    wrong = wrong || *text != '\0';
  if (!wrong)
    return true;
  return odl_usage_error (
      error,
      _ ("“%s” does not name a camera. Write webcam, or "
         "webcam:NAME,size=1280x720,rate=30,format=mjpeg with the parts that you want."),
      location);
}

char *
odl_camera_location (const char *id, const OdlCameraFormat *format)
{
  GString *text = g_string_new (PREFIX);

  if (id != NULL && *id != '\0')
    g_string_append_printf (text, ":%s", id);
  if (format == NULL)
    return g_string_free (text, FALSE);
  g_string_append_printf (text, ",size=%dx%d", format->width, format->height);
  if (format->rate_n > 0) {
    char rate[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (rate, sizeof rate, "%.2f", odl_camera_format_rate (format));
    g_string_append_printf (text, ",rate=%s", rate);
  }
  g_string_append_printf (text, ",format=%s",
                          format->encoding == ODL_CAMERA_RAW ? "raw" : "mjpeg");
  return g_string_free (text, FALSE);
}

OdlCameraRequest
odl_camera_request_copy (const OdlCameraRequest *request)
{
  OdlCameraRequest copy = *request;

  copy.name = g_strdup (request->name);
  copy.or_name = g_strdup (request->or_name);
  return copy;
}

void
odl_camera_request_clear (OdlCameraRequest *request)
{
  g_clear_pointer (&request->name, g_free);
  g_clear_pointer (&request->or_name, g_free);
}
