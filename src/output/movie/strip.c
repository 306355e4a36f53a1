// SPDX-License-Identifier: MIT
#include "output/movie/strip.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

// Grey level of the canvas, where the window shows the same boxes.
#define LEVEL 18

#define FONT "Sans"

// Pixels.
#define FONT_LEAST 10.0
#define FONT_MOST 52.0
#define FONT_TINY 5.0 // for pictures too narrow for more

// Width of the longest word with margins, in units of the font size.
#define WORD_WIDTH 10.0

// Stands for a title when the height is chosen while pictures are still unprocessed.
#define ANY_TITLE "…"

struct _OdlStrip {
  PangoFontMap *fonts;
  PangoContext *context;
  OdlBadge badge; // the processing
  OdlBadge marks; // of this frame; right of the badge or above it
  bool beside;
  int height; // 0: not chosen yet
  uint8_t *rgba; // of the composed strip
  int width; // of `rgba`
};

OdlStrip *
odl_strip_new (void)
{
  return g_new0 (OdlStrip, 1);
}

void
odl_strip_free (OdlStrip *strip)
{
  if (strip == NULL)
    return;
  odl_badge_clear (&strip->badge);
  odl_badge_clear (&strip->marks);
  g_clear_object (&strip->context);
  g_clear_object (&strip->fonts);
  g_free (strip->rgba);
  g_free (strip);
}

// Font size for a picture of that size.
static double
font_size (int width, int height)
{
  const double usual = CLAMP (MIN (width, height) / 32.0, FONT_LEAST, FONT_MOST);

  return CLAMP (width / WORD_WIDTH, FONT_TINY, usual);
}

// A font map of its own, usable on the caller's thread independently of others.
static bool
open_fonts (OdlStrip *strip, GError **error)
{
  g_autoptr (PangoFontDescription) wanted = pango_font_description_from_string (FONT);

  if (strip->context != NULL)
    return true;
  strip->fonts = pango_cairo_font_map_new ();
  strip->context = pango_font_map_create_context (strip->fonts);
  pango_context_set_font_description (strip->context, wanted);
  pango_font_description_set_absolute_size (wanted, FONT_LEAST * PANGO_SCALE);
  g_autoptr (PangoFont) font = pango_context_load_font (strip->context, wanted);
  if (font != NULL)
    return true;
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                       _ ("No font is installed to mark the video with. Install one, "
                          "such as fonts-dejavu-core."));
  g_clear_object (&strip->context);
  g_clear_object (&strip->fonts);
  return false;
}

static void
fill (OdlStrip *strip, int width, int margin)
{
  const size_t size = (size_t) width * strip->height * 4;
  const OdlBadge *badge = &strip->badge, *marks = &strip->marks;
  const int right = width - margin - marks->width;

  strip->rgba = g_realloc (strip->rgba, size);
  strip->width = width;
  memset (strip->rgba, LEVEL, size);
  // Marks that need more room lose their last lines; nothing may overlap the picture.
  if (marks->rgba != NULL)
    odl_badge_blend (marks, strip->rgba, width, strip->height,
                     strip->beside ? MAX (right, margin) : margin, margin, false);
  if (badge->rgba != NULL)
    odl_badge_blend (badge, strip->rgba, width, strip->height, margin,
                     strip->height - margin - badge->height, false);
}

// Room for the text and for one mark, which later frames may have.
static void
decide_height (OdlStrip *strip, int height, const OdlBadgeText *text, int margin)
{
  g_autofree char *usual = g_utf8_strup (_ ("damaged frame"), -1);
  const char *const one[] = { usual, NULL };
  const bool marked = text->marks != NULL && text->marks[0] != NULL;
  OdlBadgeText most = *text, marks = *text;

  most.title = text->title != NULL ? text->title : ANY_TITLE;
  most.marks = NULL;
  marks.title = NULL;
  marks.marks = marked ? text->marks : one;
  odl_badge_update (&strip->badge, strip->context, &most);
  odl_badge_update (&strip->marks, strip->context, &marks);
  const int above = strip->badge.height, of_marks = strip->marks.height;
  strip->beside = strip->badge.width + margin + strip->marks.width <= text->max_width;
  strip->height = strip->beside ? MAX (above, of_marks) : above + margin + of_marks;
  strip->height += 2 * margin;
  strip->height += (height + strip->height) % 2;
}

static void
update (OdlStrip *strip, const OdlImageInfo *of, const OdlBadgeText *text, int margin)
{
  const int width = of->extent.x;
  OdlBadgeText title = *text, marks = *text;

  if (strip->height == 0)
    decide_height (strip, of->extent.y, text, margin);
  title.marks = NULL;
  marks.title = NULL;
  const bool titled = odl_badge_update (&strip->badge, strip->context, &title);
  if (strip->beside)
    marks.max_width = MAX (text->max_width - strip->badge.width - margin, 1);
  if (odl_badge_update (&strip->marks, strip->context, &marks) || titled
      || strip->width != width)
    fill (strip, width, margin);
}

// Text is grey (equal channels) except for the colour of marks.
static int
luma (const uint8_t *rgba)
{
  return (77 * rgba[0] + 150 * rgba[1] + 29 * rgba[2] + 128) >> 8;
}

static int
sample (const uint8_t *rgba, int channel, int channels)
{
  if (channel == 3)
    return 255;
  return channels < 3 ? luma (rgba) : rgba[channel];
}

static void
copy_strip (const OdlStrip *strip, const OdlImageInfo *info, void *samples)
{
  const size_t n = (size_t) strip->width * strip->height * info->channels;
  const int channels = info->channels;

  for (size_t i = 0; i < n; i++) {
    const int value
        = sample (strip->rgba + i / channels * 4, (int) (i % channels), channels);
    if (info->type == ODL_SAMPLE_U8)
      ((uint8_t *) samples)[i] = (uint8_t) value;
    else
      ((uint16_t *) samples)[i] = (uint16_t) (value * 257);
  }
}

OdlImage *
odl_strip_add (OdlStrip *strip,
               const OdlImage *shown,
               const char *title,
               const char *const *marks,
               GError **error)
{
  OdlImageInfo info = *odl_image_info (shown);
  const int width = info.extent.x, height = info.extent.y;
  const double font = font_size (width, height);
  const int margin = (int) (font / 2);
  const OdlBadgeText text = { .title = title,
                              .marks = marks,
                              .font_pixels = font,
                              .max_width = MAX (width - 2 * margin, 1),
                              .pixel_aspect = info.pixel_aspect };
  const size_t row = (size_t) width * info.channels * odl_sample_size (info.type);
  void *samples;

  if (!open_fonts (strip, error))
    return NULL;
  update (strip, &info, &text, margin);
  info.extent.y += strip->height;
  info.extent.z = info.extent.t = 1;
  OdlImage *image = odl_image_alloc (&info, &samples, error);
  if (image == NULL)
    return NULL;
  for (int y = 0; y < height; y++)
    memcpy ((uint8_t *) samples + row * y,
            (const uint8_t *) info.planes[0].data + info.planes[0].row_stride_bytes * y,
            row);
  copy_strip (strip, &info, (uint8_t *) samples + row * height);
  return image;
}
