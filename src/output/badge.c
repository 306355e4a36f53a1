// SPDX-License-Identifier: MIT
#include "output/badge.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

// Lengths in units of the font size.
#define PADDING_X 0.7
#define PADDING_Y 0.45
#define GAP 0.4
#define RADIUS 0.45
#define SMALL 0.85

#define MAX_LINES 3

typedef struct {
  double red, green, blue, alpha;
} Colour;

static const Colour badge_back = { 0, 0, 0, 0.78 };
static const Colour badge_front = { 1, 1, 1, 1 };
static const Colour mark_back = { 1.0, 0.76, 0.03, 1 };
static const Colour mark_front = { 0, 0, 0, 1 };

typedef struct {
  PangoLayout *layout;
  const Colour *back;
  const Colour *front;
  int left; // start of its text; not 0 if right-aligned
  int width, height; // of the box
} Box;

static void
box_clear (void *data)
{
  g_object_unref (((Box *) data)->layout);
}

static PangoAttrList *
attributes (const char *bold, const char *text, double font_pixels)
{
  PangoAttrList *list = pango_attr_list_new ();
  pango_attr_list_insert (list, pango_attr_size_new_absolute (font_pixels * PANGO_SCALE));
  PangoAttribute *weight = pango_attr_weight_new (PANGO_WEIGHT_BOLD);
  weight->start_index = 0;
  weight->end_index = strlen (bold);
  pango_attr_list_insert (list, weight);
  PangoAttribute *small
      = pango_attr_size_new_absolute (font_pixels * SMALL * PANGO_SCALE);
  const char *second = strchr (text, '\n');
  small->start_index = second ? second - text : G_MAXUINT;
  pango_attr_list_insert (list, small);
  return list;
}

static double
pixel_aspect (const OdlBadgeText *request)
{
  return request->pixel_aspect > 0 ? request->pixel_aspect : 1;
}

// Whether what stands before is the dot between two parts of a title.
static bool
is_dot (const char *end)
{
  return (guchar) end[-1] == 0xb7;
}

// With no-break spaces before numbers, which belong to what they follow. Transfer full.
static char *
keep_numbers_beside (const char *text)
{
  GString *kept = g_string_new (NULL);
  for (const char *c = text; *c; c++)
    if (*c == ' ' && g_ascii_isdigit (c[1]) && c > text
        && (g_ascii_isalpha (c[-1]) || (c[-1] & 0x80)) && !is_dot (c))
      g_string_append (kept, "\u00a0");
    else
      g_string_append_c (kept, *c);
  return g_string_free (kept, FALSE);
}

// `text` starts with `bold`. Never markup, since it may contain text from a file.
static void
add_box (GArray *boxes,
         PangoContext *context,
         const OdlBadgeText *request,
         const char *bold,
         const char *words,
         bool mark)
{
  g_autofree char *text = keep_numbers_beside (words);
  Box box = { .layout = pango_layout_new (context),
              .back = mark ? &mark_back : &badge_back,
              .front = mark ? &mark_front : &badge_front };
  const int most = (int) (request->max_width * pixel_aspect (request));
  int padding_x = (int) (PADDING_X * request->font_pixels);
  int padding_y = (int) (PADDING_Y * request->font_pixels);
  g_autofree char *first = keep_numbers_beside (bold);
  g_autoptr (PangoAttrList) list = attributes (first, text, request->font_pixels);
  pango_layout_set_attributes (box.layout, list);
  pango_layout_set_text (box.layout, text, -1);
  pango_layout_set_ellipsize (box.layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (box.layout, MAX (most - 2 * padding_x, 1) * PANGO_SCALE);
  pango_layout_set_wrap (box.layout, PANGO_WRAP_WORD_CHAR);
  // Negative: maximum number of lines per paragraph before it is ellipsised.
  pango_layout_set_height (box.layout,
                           -(request->max_lines > 0 ? request->max_lines : MAX_LINES));
  PangoRectangle logical;
  pango_layout_get_pixel_extents (box.layout, NULL, &logical);
  box.left = logical.x;
  box.width = MIN (logical.width + 2 * padding_x, MAX (most, 1));
  box.height = logical.height + 2 * padding_y;
  g_array_append_val (boxes, box);
}

static void
rounded_rectangle (cairo_t *cr, double x, double y, double width, double height, double r)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - r, y + r, r, -G_PI / 2, 0);
  cairo_arc (cr, x + width - r, y + height - r, r, 0, G_PI / 2);
  cairo_arc (cr, x + r, y + height - r, r, G_PI / 2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
}

static void
draw_box (cairo_t *cr, const Box *box, int y, double font_pixels)
{
  const Colour *back = box->back;
  const Colour *front = box->front;
  rounded_rectangle (cr, 0, y, box->width, box->height, RADIUS * font_pixels);
  cairo_set_source_rgba (cr, back->red, back->green, back->blue, back->alpha);
  cairo_fill (cr);
  cairo_set_source_rgba (cr, front->red, front->green, front->blue, front->alpha);
  cairo_move_to (cr, (int) (PADDING_X * font_pixels) - box->left,
                 y + (int) (PADDING_Y * font_pixels));
  pango_cairo_show_layout (cr, box->layout);
}

// Converts Cairo's native-endian ARGB words to the bytes R, G, B, A; both
// premultiplied.
void
odl_badge_take_pixels (OdlBadge *badge, cairo_surface_t *surface)
{
  g_clear_pointer (&badge->rgba, g_free);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    return;
  badge->width = cairo_image_surface_get_width (surface);
  badge->height = cairo_image_surface_get_height (surface);
  badge->stride = badge->width * 4;
  badge->rgba = g_malloc ((size_t) badge->stride * badge->height);
  cairo_surface_flush (surface);
  const uint8_t *from = cairo_image_surface_get_data (surface);
  int from_stride = cairo_image_surface_get_stride (surface);
  for (int y = 0; y < badge->height; y++)
    for (int x = 0; x < badge->width; x++) {
      uint32_t argb;
      memcpy (&argb, from + (size_t) y * from_stride + 4 * x, 4);
      uint8_t *to = badge->rgba + (size_t) y * badge->stride + 4 * x;
      to[0] = argb >> 16;
      to[1] = argb >> 8;
      to[2] = argb;
      to[3] = argb >> 24;
    }
}

static void
draw (OdlBadge *badge, const GArray *boxes, double font_pixels, double aspect)
{
  int gap = (int) (GAP * font_pixels);
  for (guint i = 0; i < boxes->len; i++) {
    const Box *box = &g_array_index (boxes, Box, i);
    badge->width = MAX (badge->width, box->width);
    badge->height += box->height + (i > 0 ? gap : 0);
  }
  // The layout uses square pixels.
  badge->width = (int) ceil (badge->width / aspect);
  cairo_surface_t *surface
      = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, badge->width, badge->height);
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, 1 / aspect, 1);
  for (guint i = 0, y = 0; i < boxes->len; i++) {
    const Box *box = &g_array_index (boxes, Box, i);
    draw_box (cr, box, y, font_pixels);
    y += box->height + gap;
  }
  cairo_destroy (cr);
  odl_badge_take_pixels (badge, surface);
  cairo_surface_destroy (surface);
}

void
odl_badge_clear (OdlBadge *badge)
{
  g_free (badge->rgba);
  g_free (badge->key);
  *badge = (OdlBadge){ 0 };
}

bool
odl_badge_update (OdlBadge *badge, PangoContext *context, const OdlBadgeText *request)
{
  g_autofree char *marks
      = request->marks ? g_strjoinv ("\n", (char **) request->marks) : NULL;
  g_autofree char *key = g_strdup_printf (
      "%s|%s|%s|%g|%d|%d|%g", request->label ? request->label : "",
      request->title ? request->title : "", marks ? marks : "", request->font_pixels,
      request->max_width, request->max_lines, pixel_aspect (request));
  if (g_strcmp0 (key, badge->key) == 0)
    return false;
  odl_badge_clear (badge);
  badge->key = g_steal_pointer (&key);

  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  g_array_set_clear_func (boxes, box_clear);
  if (request->label)
    add_box (boxes, context, request, request->label, request->label, false);
  for (int i = 0; request->marks && request->marks[i]; i++)
    add_box (boxes, context, request, request->marks[i], request->marks[i], true);
  if (request->title) {
    const char *word = _ ("PROCESSED");
    g_autofree char *text = g_strdup_printf ("%s · %s\n%s", word, request->title,
                                             _ ("not for diagnostic use"));
    add_box (boxes, context, request, word, text, false);
  }
  if (boxes->len > 0)
    draw (badge, boxes, request->font_pixels, pixel_aspect (request));
  return true;
}

void
odl_badge_blend (const OdlBadge *badge,
                 uint8_t *rgba,
                 int width,
                 int height,
                 int x,
                 int y,
                 bool blue_first)
{
  const int order[] = { blue_first ? 2 : 0, 1, blue_first ? 0 : 2 };

  for (int row = MAX (0, -y); row < badge->height && y + row < height; row++)
    for (int column = MAX (0, -x); column < badge->width && x + column < width;
         column++) {
      const uint8_t *from = badge->rgba + (size_t) row * badge->stride + 4 * column;
      uint8_t *to = rgba + ((size_t) (y + row) * width + x + column) * 4;
      for (int c = 0; c < 3; c++)
        to[c] = from[order[c]] + (to[c] * (255 - from[3]) + 127) / 255;
      to[3] = 255;
    }
}
