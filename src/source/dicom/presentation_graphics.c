// SPDX-License-Identifier: MIT
// What a presentation state draws over a picture, and covers of it.
#include <math.h>
#include <string.h>

#include "image/display/shutter.h"
#include "source/dicom/presentation.h"
#include "source/dicom/presentation_item.h"

#define MOST_ITEMS 1024
#define MOST_SHAPES 3
#define OVERLAY_GROUPS 16
#define BITS_OF_WORD 16

// Places of annotations in units of the picture, or of the area that is displayed,
// which is turned and mirrored before.
typedef struct {
  const OdlPresentation *state;
  double left, top, width, height; // of that area
  double aspect;
  OdlGraphics *into;
  bool *is_partial;
} Sheet;

// ---- places --------------------------------------------------------------------------

// (0, 0) is the upper left corner of the area as it is seen, (1, 1) the lower right one.
static OdlPoint
from_display (const Sheet *sheet, double across, double down)
{
  const double u = sheet->state->flip ? 1 - across : across, v = down;
  const OdlPoint stored[] = { { u, v }, { v, 1 - u }, { 1 - u, 1 - v }, { 1 - v, u } };
  const OdlPoint place = stored[sheet->state->quarter_turns];

  return (OdlPoint){ sheet->left + place.x * sheet->width,
                     sheet->top + place.y * sheet->height };
}

// The pairs of an element. False: its unit is not known, or there are none.
static bool
read_points (const Sheet *sheet,
             OdlHeaderItem item,
             const char *tag,
             const char *unit,
             GArray *points)
{
  g_autoptr (GArray) numbers
      = odl_header_numbers (item, tag, 2 * ODL_GRAPHICS_MOST_POINTS);
  const bool display = g_str_equal (unit, "DISPLAY");

  g_array_set_size (points, 0);
  if (!display && !g_str_equal (unit, "PIXEL"))
    return false;
  for (guint i = 0; i + 1 < numbers->len; i += 2) {
    const double x = g_array_index (numbers, double, i);
    const double y = g_array_index (numbers, double, i + 1);
    OdlPoint point = { x, y };
    if (display)
      point = from_display (sheet, x, y);
    g_array_append_val (points, point);
  }
  return points->len > 0;
}

// ---- graphic objects -----------------------------------------------------------------

// A circle of what is seen, where pixels need not be square.
static bool
add_circle (const Sheet *sheet, const OdlPoint *points, bool filled)
{
  const double radius
      = hypot ((points[1].x - points[0].x) * sheet->aspect, points[1].y - points[0].y);

  return odl_graphics_add_ellipse (sheet->into, points[0],
                                   (OdlPoint){ radius / sheet->aspect, 0 },
                                   (OdlPoint){ 0, radius }, filled);
}

// Both ends of the major axis, then of the minor one.
static bool
add_ellipse (const Sheet *sheet, const OdlPoint *p, bool filled)
{
  const OdlPoint centre = { (p[0].x + p[1].x) / 2, (p[0].y + p[1].y) / 2 };
  const OdlPoint a = { (p[1].x - p[0].x) / 2, (p[1].y - p[0].y) / 2 };
  const OdlPoint b = { (p[3].x - p[2].x) / 2, (p[3].y - p[2].y) / 2 };

  return odl_graphics_add_ellipse (sheet->into, centre, a, b, filled);
}

static bool
add_object (const Sheet *sheet, OdlHeaderItem item)
{
  const char *type = odl_header_text (item, "(0070,0023)");
  const bool filled = g_str_equal (odl_header_text (item, "(0070,0024)"), "Y");
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (OdlPoint));
  double dimensions = 2, wanted = 0;

  odl_header_number (item, "(0070,0020)", 0, &dimensions);
  if (dimensions != 2
      || !read_points (sheet, item, "(0070,0022)", odl_header_text (item, "(0070,0005)"),
                       list)
      || (odl_header_number (item, "(0070,0021)", 0, &wanted) && wanted != list->len))
    return false;
  const OdlPoint *points = (const OdlPoint *) (void *) list->data;
  const guint n = list->len;
  if (g_str_equal (type, "CIRCLE") && n == 2)
    return add_circle (sheet, points, filled);
  if (g_str_equal (type, "ELLIPSE") && n == 4)
    return add_ellipse (sheet, points, filled);
  if (g_str_equal (type, "INTERPOLATED") && n >= 2)
    return odl_graphics_add_curve (sheet->into, points, n, filled);
  if ((g_str_equal (type, "POLYLINE") && n >= 2)
      || (g_str_equal (type, "POINT") && n == 1))
    return odl_graphics_add_line (sheet->into, points, n, filled);
  return false;
}

static bool
add_text (const Sheet *sheet, OdlHeaderItem item)
{
  const char *justified = odl_header_text (item, "(0070,0012)");
  const char *unit = odl_header_text (item, "(0070,0003)");
  g_autoptr (GArray) corner = g_array_new (FALSE, FALSE, sizeof (OdlPoint));
  OdlGraphicsWords words = { .text = (char *) odl_header_text (item, "(0070,0006)") };

  words.has_box = true;
  for (int i = 0; i < 2; i++) {
    words.has_box = words.has_box
                    && read_points (sheet, item, i == 0 ? "(0070,0010)" : "(0070,0011)",
                                    unit, corner);
    if (words.has_box)
      words.box[i] = g_array_index (corner, OdlPoint, 0);
  }
  words.has_anchor = read_points (sheet, item, "(0070,0014)",
                                  odl_header_text (item, "(0070,0004)"), corner);
  if (words.has_anchor)
    words.anchor = g_array_index (corner, OdlPoint, 0);
  words.pointed = g_str_equal (odl_header_text (item, "(0070,0015)"), "Y");
  words.alignment = g_str_equal (justified, "CENTER")  ? 0.5
                    : g_str_equal (justified, "RIGHT") ? 1
                                                       : 0;
  return *words.text != '\0' && (words.has_box || words.has_anchor)
         && odl_graphics_add_words (sheet->into, &words);
}

static void
add_each (const Sheet *sheet,
          OdlHeaderItem annotation,
          const char *sequence,
          bool (*add) (const Sheet *sheet, OdlHeaderItem item))
{
  for (int i = 0;; i++) {
    const OdlHeaderItem item = odl_header_item (annotation, sequence, i);
    if (odl_header_is_empty (item))
      return;
    if (i >= MOST_ITEMS || !add (sheet, item)) {
      *sheet->is_partial = true;
      if (i >= MOST_ITEMS)
        return;
    }
  }
}

static void
add_annotations (const Sheet *sheet, OdlHeaderItem whole)
{
  for (int i = 0; i < MOST_ITEMS; i++) {
    const OdlHeaderItem annotation = odl_header_item (whole, "(0070,0001)", i);
    if (odl_header_is_empty (annotation))
      return;
    if (!odl_presentation_refers (annotation, sheet->state->sop_instance,
                                  sheet->state->frame, true))
      continue;
    add_each (sheet, annotation, "(0070,0009)", add_object);
    add_each (sheet, annotation, "(0070,0008)", add_text);
  }
  *sheet->is_partial = true;
}

// ---- overlays ------------------------------------------------------------------------

// The bits of one, laid over those of the picture. False: it has none that make sense.
static bool
add_overlay (OdlHeaderItem whole, guint group, int width, int height, uint8_t *bits)
{
  static const char *const elements[] = { "0010", "0011", "0050" };
  double numbers[4] = { 0, 0, 1, 1 }; // rows, columns, first row and column

  for (guint i = 0; i < 4; i++) {
    g_autofree char *tag = g_strdup_printf ("(%04X,%s)", group, elements[MIN (i, 2)]);
    if (!odl_header_number (whole, tag, i == 3 ? 1 : 0, &numbers[i]) && i < 2)
      return false;
  }
  const double rows = numbers[0], columns = numbers[1];
  if (!(rows >= 1 && rows <= UINT16_MAX && columns >= 1 && columns <= UINT16_MAX
        && fabs (numbers[2]) <= UINT16_MAX && fabs (numbers[3]) <= UINT16_MAX))
    return false;
  const gsize n_bits = (gsize) rows * (gsize) columns;
  const guint n_words = (guint) ((n_bits + BITS_OF_WORD - 1) / BITS_OF_WORD);
  g_autofree char *data = g_strdup_printf ("(%04X,3000)", group);
  g_autoptr (GArray) words = odl_header_numbers (whole, data, n_words);
  if (words->len < n_words)
    return false;
  for (gsize i = 0; i < n_bits; i++) {
    const guint word = (guint) g_array_index (words, double, i / BITS_OF_WORD);
    const int x = (int) (i % (gsize) columns) + (int) numbers[3] - 1;
    const int y = (int) (i / (gsize) columns) + (int) numbers[2] - 1;
    if ((word >> (i % BITS_OF_WORD) & 1) && x >= 0 && x < width && y >= 0 && y < height)
      bits[(gsize) y * odl_overlay_stride ((size_t) width) + (gsize) x / 8]
          |= (uint8_t) (1u << (x % 8));
  }
  return true;
}

// The group of the overlay that is the shutter; 0: none is.
static guint
bitmap_group (OdlHeaderItem whole)
{
  double group = 0;

  return strstr (odl_header_text (whole, "(0018,1600)"), "BITMAP")
                 && odl_header_number (whole, "(0018,1623)", 0, &group) && group >= 0x6000
                 && group <= 0x601e
             ? (guint) group
             : 0;
}

// Those that a layer has, which is what activates them.
static void
add_overlays (const Sheet *sheet, OdlHeaderItem whole, int width, int height)
{
  g_autofree uint8_t *bits
      = g_malloc0 (odl_overlay_stride ((size_t) width) * (gsize) height);
  bool any = false;

  for (guint i = 0; i < OVERLAY_GROUPS; i++) {
    const guint group = 0x6000 + 2 * i;
    g_autofree char *layer = g_strdup_printf ("(%04X,1001)", group);
    g_autofree char *rows = g_strdup_printf ("(%04X,0010)", group);
    if (group == bitmap_group (whole) || *odl_header_text (whole, layer) == '\0')
      continue;
    if (*odl_header_text (whole, rows) == '\0')
      continue; // one of the picture, which is drawn as it is
    if (add_overlay (whole, group, width, height, bits))
      any = true;
    else
      *sheet->is_partial = true;
  }
  if (any)
    sheet->into->overlay = odl_overlay_new (width, height, bits);
}

// ---- shutters ------------------------------------------------------------------------

static bool
read_numbers (OdlHeaderItem whole, const char *const *tags, gsize n, double *numbers)
{
  for (gsize i = 0; i < n; i++)
    if (!odl_header_number (whole, tags[i], 0, &numbers[i]))
      return false;
  return true;
}

static bool
read_shape (OdlHeaderItem whole, const char *name, OdlShutter *shutter)
{
  static const char *const edges[]
      = { "(0018,1602)", "(0018,1604)", "(0018,1606)", "(0018,1608)" };
  double numbers[4];

  if (g_str_equal (name, "RECTANGULAR"))
    return read_numbers (whole, edges, 4, numbers)
           && odl_shutter_set_rectangle (shutter, numbers);
  if (g_str_equal (name, "CIRCULAR"))
    return odl_header_number (whole, "(0018,1610)", 0, &numbers[0])
           && odl_header_number (whole, "(0018,1610)", 1, &numbers[1])
           && odl_header_number (whole, "(0018,1612)", 0, &numbers[2])
           && odl_shutter_set_circle (shutter, numbers);
  if (!g_str_equal (name, "POLYGONAL"))
    return false;
  g_autoptr (GArray) places
      = odl_header_numbers (whole, "(0018,1620)", 2 * ODL_SHUTTER_MOST_VERTICES + 1);
  return odl_shutter_set_polygon (shutter, (const double *) (void *) places->data,
                                  places->len);
}

// One that hides the whole picture, or that cannot be understood, is left out and told.
static void
add_shutter (const Sheet *sheet, OdlHeaderItem whole, int width, int height)
{
  g_auto (GStrv) names = g_strsplit (odl_header_text (whole, "(0018,1600)"), "\\", -1);
  g_autofree OdlShutter *shutter = g_new0 (OdlShutter, 1);
  g_autofree uint8_t *bits
      = g_malloc0 (odl_overlay_stride ((size_t) width) * (gsize) height);
  const guint group = bitmap_group (whole);
  bool good = g_strv_length (names) <= MOST_SHAPES;
  double level = 0;

  shutter->aspect = 1 / sheet->aspect;
  for (char **name = names; *name != NULL && good; name++)
    good = g_str_equal (g_strstrip (*name), "BITMAP")
               ? group != 0 && add_overlay (whole, group, width, height, bits)
               : read_shape (whole, *name, shutter);
  const gsize covered = good ? odl_shutter_cover (shutter, width, height, bits) : 0;
  if (*names == NULL || (good && covered == 0))
    return;
  if (!good || covered == (gsize) width * (gsize) height) {
    *sheet->is_partial = true;
    return;
  }
  if (odl_header_number (whole, "(0018,1622)", 0, &level))
    sheet->into->shutter_level = CLAMP (level / UINT16_MAX, 0, 1);
  sheet->into->shutter = odl_overlay_new (width, height, bits);
}

OdlGraphics *
odl_presentation_graphics (const OdlPresentation *presentation,
                           int width,
                           int height,
                           double pixel_aspect,
                           bool *is_partial)
{
  g_autofree char *copy = g_strdup (presentation->header);
  g_autoptr (GArray) lines = odl_header_split (copy);
  const OdlHeaderItem whole = odl_header_whole (lines);
  g_autoptr (OdlGraphics) into = odl_graphics_new ();
  Sheet sheet = { .state = presentation,
                  .width = width,
                  .height = height,
                  .aspect = pixel_aspect,
                  .into = into,
                  .is_partial = is_partial };

  *is_partial = false;
  if (presentation->pixel_aspect > 0)
    sheet.aspect = presentation->pixel_aspect;
  if (presentation->has_area) {
    sheet.left = presentation->left;
    sheet.top = presentation->top;
    sheet.width = presentation->right - presentation->left;
    sheet.height = presentation->bottom - presentation->top;
  }
  add_annotations (&sheet, whole);
  add_overlays (&sheet, whole, width, height);
  add_shutter (&sheet, whole, width, height);
  return odl_graphics_is_empty (into) ? NULL : g_steal_pointer (&into);
}
