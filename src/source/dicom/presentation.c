// SPDX-License-Identifier: MIT
#include "source/dicom/presentation.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "image/display/shutter.h"
#include "source/dicom/dicom.h"
#include "source/dicom/header_tree.h"

#define MOST_SIDE 65536
// Modality of presentation states.
#define STATES "PR"

// Tags as the text of a header has them.
#define SOP_CLASS "(0008,0016)"
#define MODALITY "(0008,0060)"
#define REFERENCED_SERIES "(0008,1115)"
#define REFERENCED_IMAGES "(0008,1140)"
#define REFERENCED_INSTANCE "(0008,1155)"
#define REFERENCED_FRAMES "(0008,1160)"
#define VOI_TABLES "(0028,3010)"
#define SOFTCOPY_VOI "(0028,3110)"
#define DISPLAYED_AREAS "(0070,005A)"
#define BLENDING "(0070,0402)"

// ---- what it refers to ---------------------------------------------------------------

static bool
names_frame (OdlHeaderItem reference, int64_t frame)
{
  double number = 0;

  if (frame < 0 || *odl_header_text (reference, REFERENCED_FRAMES) == '\0')
    return true;
  for (int i = 0; odl_header_number (reference, REFERENCED_FRAMES, i, &number); i++)
    if (number == (double) frame + 1)
      return true;
  return false;
}

// Whether one of the images that an item lists is the picture; without a list all are
// meant, if `all`.
static bool
odl_presentation_refers (OdlHeaderItem item,
                         const char *sop_instance,
                         int64_t frame,
                         bool all)
{
  if (odl_header_is_empty (odl_header_item (item, REFERENCED_IMAGES, 0)))
    return all;
  for (int i = 0;; i++) {
    const OdlHeaderItem reference = odl_header_item (item, REFERENCED_IMAGES, i);
    if (odl_header_is_empty (reference))
      return false;
    if (g_str_equal (odl_header_text (reference, REFERENCED_INSTANCE), sop_instance)
        && names_frame (reference, frame))
      return true;
  }
}

static bool
is_of_picture (OdlHeaderItem whole, const char *sop_instance, int64_t frame)
{
  for (int i = 0;; i++) {
    const OdlHeaderItem series = odl_header_item (whole, REFERENCED_SERIES, i);
    if (odl_header_is_empty (series))
      return false;
    if (odl_presentation_refers (series, sop_instance, frame, false))
      return true;
  }
}

// The item of a sequence that is for the picture.
static OdlHeaderItem
item_for (OdlHeaderItem whole,
          const char *sequence,
          const char *sop_instance,
          int64_t frame)
{
  for (int i = 0;; i++) {
    const OdlHeaderItem item = odl_header_item (whole, sequence, i);
    if (odl_header_is_empty (item)
        || odl_presentation_refers (item, sop_instance, frame, true))
      return item;
  }
}

char *
odl_presentation_read (const char *path, GCancellable *cancellable, GError **error)
{
  g_autofree char *text = odl_dicom_read_header (path, cancellable, error);
  g_autofree char *kind = odl_presentation_value (text != NULL ? text : "", MODALITY);

  if (text == NULL || g_str_equal (kind, STATES))
    return g_steal_pointer (&text);
  g_autofree char *shown = g_filename_display_name (path);
  return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                         _ ("%s is no presentation state of DICOM"), shown);
}

bool
odl_presentation_applies (const char *text)
{
  g_autofree char *kind = odl_presentation_value (text, SOP_CLASS);

  return g_str_equal (kind, ODL_PRESENTATION_CLASS);
}

static void
add_pictures (OdlHeaderItem of, GPtrArray *pictures)
{
  for (int i = 0;; i++) {
    const OdlHeaderItem series = odl_header_item (of, REFERENCED_SERIES, i);
    if (odl_header_is_empty (series))
      return;
    for (int k = 0;; k++) {
      const OdlHeaderItem image = odl_header_item (series, REFERENCED_IMAGES, k);
      if (odl_header_is_empty (image))
        break;
      g_ptr_array_add (pictures, g_strdup (odl_header_text (image, REFERENCED_INSTANCE)));
    }
  }
}

GPtrArray *
odl_presentation_pictures (const char *text)
{
  GPtrArray *pictures = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *copy = g_strdup (text);
  g_autoptr (GArray) lines = odl_header_split (copy);
  const OdlHeaderItem whole = odl_header_whole (lines);

  add_pictures (whole, pictures);
  for (int i = 0;; i++) {
    const OdlHeaderItem blended = odl_header_item (whole, BLENDING, i);
    if (odl_header_is_empty (blended))
      return pictures;
    add_pictures (blended, pictures);
  }
}

// ---- how it is looked at -------------------------------------------------------------

static void
read_modality (OdlHeaderItem whole, OdlPresentation *into)
{
  double slope = 1, intercept = 0;

  if (odl_header_number (whole, "(0028,1053)", 0, &slope)
      && odl_header_number (whole, "(0028,1052)", 0, &intercept)
      && fabs (slope) > 1e-15) {
    into->slope = slope;
    into->intercept = intercept;
  }
  into->is_partial
      |= !odl_header_is_empty (odl_header_item (whole, "(0028,3000)", 0)); // a table
}

// What has 16 bits, of a file that says its sign wrongly, or not at all.
static double
with_sign (double number, bool is_signed)
{
  return number < 0 && !is_signed      ? number + 65536
         : number > 32767 && is_signed ? number - 65536
                                       : number;
}

// Descriptor: number of entries (0: 65536), first value, bits. The first value has a sign
// where what enters the table may have one (PS3.3 C.11.2.1.1).
static bool
read_table (OdlHeaderItem table, OdlPresentation *into)
{
  double n = 0, first = 0, bits = 0;
  g_auto (GStrv) entries = g_strsplit (odl_header_text (table, "(0028,3006)"), "\\", -1);
  const guint there = g_strv_length (entries);

  if (!odl_header_number (table, "(0028,3002)", 0, &n)
      || !odl_header_number (table, "(0028,3002)", 1, &first)
      || !odl_header_number (table, "(0028,3002)", 2, &bits))
    return false;
  n = n == 0 ? ODL_CURVE_MAX_LEVELS : with_sign (n, false);
  if (first > 0)
    first = with_sign (first, into->intercept < 0 || first + n > 65536);
  if (!(n >= 2 && n <= there && n <= ODL_CURVE_MAX_LEVELS && bits >= 8 && bits <= 16))
    return false;
  g_autofree float *levels = g_new (float, (gsize) n);
  for (int i = 0; i < (int) n; i++) {
    double value = 0;
    if (!odl_number_from_text (entries[i], &value))
      return false;
    levels[i] = (float) CLAMP (value / (exp2 (bits) - 1), 0, 1);
  }
  into->window.curve = odl_curve_new (levels, (int) n);
  into->window.first = first;
  into->window.last = first + n - 1;
  into->window.name = g_strdup (odl_header_text (table, "(0028,3003)"));
  return into->window.curve != NULL;
}

static void
read_window (OdlHeaderItem voi, OdlPresentation *into)
{
  static const char *const functions[] = { "LINEAR", "LINEAR_EXACT", "SIGMOID" };
  const OdlHeaderItem table = odl_header_item (voi, VOI_TABLES, 0);
  double centre = 0, width = 0;

  if (!odl_header_is_empty (table)) {
    into->has_window = read_table (table, into);
    into->is_partial |= !into->has_window;
    return;
  }
  if (!odl_header_number (voi, "(0028,1050)", 0, &centre)
      || !odl_header_number (voi, "(0028,1051)", 0, &width) || width <= 0)
    return;
  into->has_window = true;
  into->window.centre = centre;
  into->window.width = width;
  into->window.name = g_strdup (odl_header_text (voi, "(0028,1055)"));
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (g_str_equal (odl_header_text (voi, "(0028,1056)"), functions[i]))
      into->function = (OdlVoiFunction) i;
}

static void
read_turn (OdlHeaderItem whole, OdlPresentation *into)
{
  double degrees = 0;

  if (odl_header_number (whole, "(0070,0042)", 0, &degrees) && fmod (degrees, 90) == 0)
    into->quarter_turns = ((int) degrees / 90 % 4 + 4) % 4;
  into->flip = g_str_equal (odl_header_text (whole, "(0070,0041)"), "Y");
}

// The corners are those that are seen, as places of the picture as it is stored, from 1.
static void
read_area (OdlHeaderItem area, OdlPresentation *into)
{
  double x[2], y[2], down = 0, across = 0, ratio = 0;

  if (odl_header_number (area, "(0070,0101)", 0, &down)
      && odl_header_number (area, "(0070,0101)", 1, &across) && down > 0 && across > 0)
    into->pixel_aspect = across / down;
  else if (odl_header_number (area, "(0070,0102)", 0, &down)
           && odl_header_number (area, "(0070,0102)", 1, &across) && down > 0
           && across > 0)
    into->pixel_aspect = across / down;
  if (into->pixel_aspect < 0.01 || into->pixel_aspect > 100)
    into->pixel_aspect = 0;
  if (!odl_header_number (area, "(0070,0052)", 0, &x[0])
      || !odl_header_number (area, "(0070,0052)", 1, &y[0])
      || !odl_header_number (area, "(0070,0053)", 0, &x[1])
      || !odl_header_number (area, "(0070,0053)", 1, &y[1]))
    return;
  for (int i = 0; i < 2; i++)
    if (fabs (x[i]) > MOST_SIDE || fabs (y[i]) > MOST_SIDE)
      return;
  into->has_area = true;
  into->left = (int) MIN (x[0], x[1]) - 1;
  into->right = (int) MAX (x[0], x[1]);
  into->top = (int) MIN (y[0], y[1]) - 1;
  into->bottom = (int) MAX (y[0], y[1]);
  if (g_str_equal (odl_header_text (area, "(0070,0100)"), "MAGNIFY")
      && odl_header_number (area, "(0070,0103)", 0, &ratio) && ratio > 0)
    into->magnification = ratio;
  into->is_partial |= g_str_equal (odl_header_text (area, "(0070,0100)"), "TRUE SIZE");
}

// Masks, tables of presentation and drawings of several lines as one, which are not
// shown.
static bool
asks_for_more (OdlHeaderItem whole)
{
  static const char *const sequences[] = { "(0028,6100)", "(2050,0010)", "(0070,0209)" };

  for (guint i = 0; i < G_N_ELEMENTS (sequences); i++)
    if (!odl_header_is_empty (odl_header_item (whole, sequences[i], 0)))
      return true;
  return false;
}

OdlPresentation *
odl_presentation_parse (const char *text, const char *sop_instance, int64_t frame)
{
  g_autofree char *copy = g_strdup (text);
  g_autoptr (GArray) lines = odl_header_split (copy);
  const OdlHeaderItem whole = odl_header_whole (lines);
  const char *kind = odl_header_text (whole, MODALITY);

  if (*sop_instance == '\0' || !g_str_equal (kind, STATES)
      || !is_of_picture (whole, sop_instance, frame))
    return NULL;
  OdlPresentation *into = g_new0 (OdlPresentation, 1);
  *into = (OdlPresentation){ .label = g_strdup (odl_header_text (whole, "(0070,0080)")),
                             .description
                             = g_strdup (odl_header_text (whole, "(0070,0081)")),
                             .date = g_strdup (odl_header_text (whole, "(0070,0082)")),
                             .path = g_strdup (""),
                             .header = g_strdup (text),
                             .sop_instance = g_strdup (sop_instance),
                             .frame = frame,
                             .slope = 1 };
  read_modality (whole, into);
  read_window (item_for (whole, SOFTCOPY_VOI, sop_instance, frame), into);
  read_turn (whole, into);
  read_area (item_for (whole, DISPLAYED_AREAS, sop_instance, frame), into);
  const char *shape = odl_header_text (whole, "(2050,0020)");
  into->has_shape = *shape != '\0';
  into->inverse = g_str_equal (shape, "INVERSE");
  into->is_partial |= asks_for_more (whole);
  return into;
}

OdlPresentation *
odl_presentation_of_frame (const OdlPresentation *presentation, int64_t frame)
{
  return odl_presentation_parse (presentation->header, presentation->sop_instance, frame);
}

bool
odl_presentation_is_of_other (const char *text, const char *picture)
{
  g_autofree char *number = odl_presentation_value (text, "(0010,0020)");
  g_autofree char *other = odl_presentation_value (picture, "(0010,0020)");

  return *g_strstrip (number) != '\0' && *g_strstrip (other) != '\0'
         && !g_str_equal (number, other);
}

char *
odl_presentation_value (const char *header, const char *tag)
{
  g_autofree char *copy = g_strdup (header);
  g_autoptr (GArray) lines = odl_header_split (copy);

  return g_strdup (odl_header_text (odl_header_whole (lines), tag));
}

void
odl_presentation_free (OdlPresentation *presentation)
{
  g_free (presentation->label);
  g_free (presentation->description);
  g_free (presentation->date);
  g_free (presentation->path);
  g_free (presentation->header);
  g_free (presentation->sop_instance);
  g_free (presentation->window.name);
  odl_curve_unref (presentation->window.curve);
  g_free (presentation);
}

// value = slope · stored + intercept, in both. A window of the picture's own function
// stays one that can be dragged.
void
odl_presentation_window (const OdlPresentation *presentation,
                         const OdlValueMap *map,
                         OdlWindow *window)
{
  const OdlFileWindow *saved = &presentation->window;
  const double scale = map->slope / presentation->slope;
  const double offset = map->intercept - presentation->intercept * scale;

  // The shape says what the lowest value is, whatever the picture says.
  if (presentation->has_shape)
    window->invert = presentation->inverse != map->inverse;
  if (!presentation->has_window)
    return;
  window->mode = ODL_WINDOW_CUSTOM;
  window->centre = saved->centre * scale + offset;
  window->width = saved->width * fabs (scale);
  if (saved->curve != NULL) {
    window->mode = ODL_WINDOW_TABLE;
    window->table = saved->curve;
    window->table_first = saved->first * scale + offset;
    window->table_last = saved->last * scale + offset;
  } else if (presentation->function == ODL_VOI_SIGMOID
             && map->function != ODL_VOI_SIGMOID) {
    const double reach = ODL_SIGMOID_WIDTHS / 2 * window->width;
    window->mode = ODL_WINDOW_TABLE;
    window->table = odl_curve_sigmoid ();
    window->table_first = window->centre - reach;
    window->table_last = window->centre + reach;
  }
}

// What a presentation state draws over a picture, and covers of it.

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
  g_autofree char *lines = odl_header_lines (item, "(0070,0006)");
  OdlGraphicsWords words = { .text = lines };

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
