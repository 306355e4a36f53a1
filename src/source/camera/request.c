// SPDX-License-Identifier: MIT
// Camera requests as text: webcam:NAME,size=1280x720,rate=30,format=mjpeg
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "source/camera/format.h"

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
