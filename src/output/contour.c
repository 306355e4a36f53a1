// SPDX-License-Identifier: MIT
#include "output/contour.h"

#include "image/contour/contour.h"
#include "output/picture/png.h"

// In millimetres a tenth of a micrometre.
#define DIGITS "%.4f"

typedef struct {
  double x, y; // of a pixel
  const char *unit;
} Scale;

static Scale
scale_of (const OdlImageInfo *info)
{
  const double *mm = info->spacing_mm;

  return mm[0] > 0 && mm[1] > 0 ? (Scale){ mm[0], mm[1], "mm" } : (Scale){ 1, 1, "px" };
}

static bool
has_suffix (const char *path, const char *suffix)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, suffix);
}

bool
odl_contour_name_is_known (const char *path)
{
  return has_suffix (path, ".svg") || has_suffix (path, ".csv");
}

static void
append_number (GString *text, const char *before, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, before);
  g_string_append (text, g_ascii_formatd (number, sizeof number, DIGITS, value));
}

static const float *
point_at (const float *numbers, int k)
{
  return numbers + ODL_CONTOUR_POINTS + 2 * k;
}

static void
append_csv (GString *text, const float *numbers, const Scale *scale)
{
  g_string_append_printf (text, "contour,hole,x_%s,y_%s\n", scale->unit, scale->unit);
  for (int i = 0; i < odl_contour_count (numbers); i++)
    for (int k = odl_contour_first (numbers, i); k < odl_contour_end (numbers, i); k++) {
      g_string_append_printf (text, "%d,%d", i + 1, odl_contour_area (numbers, i) < 0);
      append_number (text, ",", scale->x * (double) point_at (numbers, k)[0]);
      append_number (text, ",", scale->y * (double) point_at (numbers, k)[1]);
      g_string_append_c (text, '\n');
    }
}

static void
append_svg (GString *text,
            const float *numbers,
            const OdlImageInfo *info,
            const Scale *scale)
{
  const double width = scale->x * info->extent.x, height = scale->y * info->extent.y;

  g_string_append (text, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
  append_number (text, " width=\"", width);
  g_string_append_printf (text, "%s\"", scale->unit);
  append_number (text, " height=\"", height);
  g_string_append_printf (text, "%s\"", scale->unit);
  append_number (text, " viewBox=\"0 0 ", width);
  append_number (text, " ", height);
  g_string_append (text, "\">\n<g fill=\"none\" stroke=\"black\" stroke-width=\"");
  append_number (text, "", width / 1000);
  g_string_append (text, "\">\n");
  for (int i = 0; i < odl_contour_count (numbers); i++) {
    const int first = odl_contour_first (numbers, i);
    g_string_append_printf (text, "<path id=\"contour-%d\" class=\"%s\" d=\"", i + 1,
                            odl_contour_area (numbers, i) < 0 ? "hole" : "outline");
    for (int k = first; k < odl_contour_end (numbers, i); k++) {
      append_number (text, k == first ? "M" : "L",
                     scale->x * (double) point_at (numbers, k)[0]);
      append_number (text, " ", scale->y * (double) point_at (numbers, k)[1]);
    }
    g_string_append (text, "Z\"/>\n");
  }
  g_string_append (text, "</g>\n</svg>\n");
}

bool
odl_contour_write (OdlOutput *output,
                   const float *numbers,
                   const OdlImageInfo *info,
                   const char *path,
                   GError **error)
{
  const Scale scale = scale_of (info);
  g_autoptr (GString) text = g_string_new (NULL);

  if (has_suffix (path, ".svg"))
    append_svg (text, numbers, info, &scale);
  else
    append_csv (text, numbers, &scale);
  return odl_output_write (output, text->str, text->len, error);
}

bool
odl_contour_write_mask (OdlOutput *output,
                        const float *numbers,
                        const OdlImageInfo *info,
                        const char *description,
                        GError **error)
{
  const int width = info->extent.x;
  OdlImageInfo shape = { .extent = { width, info->extent.y, 1, 1 },
                         .channels = 1,
                         .type = ODL_SAMPLE_U8,
                         .spacing_mm = { info->spacing_mm[0], info->spacing_mm[1], 0 },
                         .spacing_place = info->spacing_place };
  void *samples = NULL;
  g_autoptr (OdlImage) mask = odl_image_alloc (&shape, &samples, error);

  if (mask == NULL)
    return false;
  for (int y = 0; y < info->extent.y; y++) {
    uint8_t *row = (uint8_t *) samples + (size_t) y * width;
    odl_contour_mask_row (numbers, width, y, row);
    for (int x = 0; x < width; x++)
      row[x] = row[x] != 0 ? UINT8_MAX : 0;
  }
  return odl_png_encode (output, mask, description, NULL, error);
}
