// SPDX-License-Identifier: MIT
#include "widgets/viewport/drawing.h"

#include <math.h>
#include <string.h>

#include "plan/step.h"
#include "widgets/viewport/drawn_words.h"

// Lengths in units of the font size.
#define LINE 0.12
#define EDGE 0.11 // on either side
#define TICK 0.42 // from an end to the end of its cross
#define CURSOR 0.9
#define HEAD 1.3 // each side of an arrow's head, at every zoom
#define FRAME 0.3 // between words and what is drawn around them
#define GAP 0.6 // between an end and its words
#define MARGIN 0.75 // of words from the canvas
#define ASIDE 1.2 // letters of planes, of cross-hair and divider
#define LEAST_SIDE 8.0 // of a canvas with directions
#define BAR_WIDTH 0.9
#define LEAST_BAND 4.0 // of a band with its name

// The colour bar, as shares of the canvas: between the values in the upper corner and the
// direction in the middle of the edge.
#define BAR_TOP 0.2
#define BAR_BOTTOM 0.44

typedef struct {
  double red, green, blue;
} Colour;

static const Colour dark = { 0, 0, 0 };
static const Colour plain = { 1, 1, 1 };
static const Colour marked = { 1, 0.84, 0.2 };

#define EDGE_ALPHA 0.75

// Drawn without a target first, to determine its size.
typedef struct {
  const OdlDrawingRequest *request;
  PangoContext *context;
  cairo_t *cr;
  GArray *taken; // OdlPlacingBox: where words and regions are
} Sheet;

static OdlPoint
on_canvas (const OdlDrawingRequest *request, OdlPoint image)
{
  return odl_view_to_canvas (request->view, request->width, request->height, image);
}

// What a line has on the canvas and in a margin of `beyond` about it. False: nothing.
static bool
cut (const OdlDrawingRequest *request, double beyond, OdlPoint *a, OdlPoint *b)
{
  return odl_view_cut_line (request->width, request->height, beyond, a, b);
}

// ---- what is drawn -------------------------------------------------------------------

// Strokes the path of `cr` with a dark edge.
static void
stroke (const Sheet *sheet, const Colour *colour, double line)
{
  const double font = sheet->request->font;
  cairo_set_line_cap (sheet->cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (sheet->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_source_rgba (sheet->cr, dark.red, dark.green, dark.blue, EDGE_ALPHA);
  cairo_set_line_width (sheet->cr, (line + 2 * EDGE) * font);
  cairo_stroke_preserve (sheet->cr);
  cairo_set_source_rgb (sheet->cr, colour->red, colour->green, colour->blue);
  cairo_set_line_width (sheet->cr, line * font);
  cairo_stroke (sheet->cr);
}

// The centre stays open so that the pixel is visible.
static void
add_cross (const Sheet *sheet, OdlPoint at, double reach, double opening)
{
  static const int arms[][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
  OdlPoint first = at, last = at;
  if (!cut (sheet->request, reach, &first, &last))
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (arms); i++) {
    cairo_move_to (sheet->cr, at.x + opening * arms[i][0], at.y + opening * arms[i][1]);
    cairo_line_to (sheet->cr, at.x + reach * arms[i][0], at.y + reach * arms[i][1]);
  }
}

static OdlDrawnOn
drawn_on (const OdlDrawingRequest *request)
{
  return (OdlDrawnOn){ request->view, request->width, request->height, request->font };
}

static PangoLayout *
make_layout (const Sheet *sheet, const char *text, const char *note)
{
  return odl_drawn_words_set (sheet->context, sheet->request->font, text, note);
}

// Draws text with its upper left corner at (x, y), moved into the canvas.
static void
draw_words (const Sheet *sheet, PangoLayout *layout, double x, double y)
{
  const OdlDrawnOn on = drawn_on (sheet->request);
  odl_drawn_words_draw (sheet->cr, &on, layout, x, y);
}

// What is visible of a line.
static OdlReach
reach_of (const OdlDrawingRequest *request, const OdlPoint *line, int n_points)
{
  OdlReach reach = ODL_REACH_NONE;
  for (int i = 1; i < n_points; i++) {
    OdlPoint ends[2] = { on_canvas (request, line[i - 1]), on_canvas (request, line[i]) };
    if (!cut (request, 0, &ends[0], &ends[1]))
      continue;
    for (int e = 0; e < 2; e++)
      odl_reach_extend (&reach, ends[e]);
  }
  return reach;
}

// Where an annotation is that is words itself.
static void
take_own_words (const Sheet *sheet, const OdlAnnotation *annotation)
{
  const OdlDrawnOn on = drawn_on (sheet->request);
  OdlPlacingBox box;
  g_autoptr (PangoLayout) layout
      = odl_drawn_words_of (sheet->context, &on, annotation, &box);
  if (layout)
    g_array_append_val (sheet->taken, box);
}

// Words are placed beside regions, their own and others.
static void
take_region (const Sheet *sheet, const OdlAnnotation *annotation)
{
  OdlPoint line[ODL_ANNOTATION_MAX_OUTLINE];
  const int n_points = odl_annotation_outline (annotation, line);
  const OdlReach reach = reach_of (sheet->request, line, n_points);
  const OdlPlacingBox box = { reach.left.x, reach.high.y, reach.right.x - reach.left.x,
                              reach.low.y - reach.high.y };
  if (box.width >= 0)
    g_array_append_val (sheet->taken, box);
}

// Draws the first line in bold, the others smaller.
static void
draw_text (const Sheet *sheet,
           const OdlDrawingItem *item,
           const OdlPoint *line,
           int n_points)
{
  const OdlDrawingRequest *request = sheet->request;
  const char *end = strchr (item->text, '\n');
  const int first = end ? (int) (end - item->text) : (int) strlen (item->text);
  g_autofree char *text = g_strndup (item->text, first);
  g_autofree char *rest
      = g_strjoin ("\n", end ? end + 1 : item->note, end ? item->note : NULL, NULL);
  g_autoptr (PangoLayout) layout = make_layout (sheet, text, *rest ? rest : NULL);
  const OdlReach reach = reach_of (request, line, n_points);
  const OdlPlacingRoom room
      = { request->width, request->height, MARGIN * request->font, GAP * request->font };
  int width, height;
  if (reach.right.x < reach.left.x)
    return;
  pango_layout_get_pixel_size (layout, &width, &height);
  const OdlPoint at = odl_placing_of_words (&room, &reach, width, height, sheet->taken);
  draw_words (sheet, layout, at.x, at.y);
}

static bool
is_marked (const OdlDrawingRequest *request, const OdlAnnotation *annotation)
{
  return annotation->id != 0 && annotation->id == request->selected;
}

// Handles beside the outline are shown only while the annotation is selected or new.
static bool
shows_points (const OdlDrawingRequest *request, const OdlAnnotation *annotation)
{
  return (!annotation->kind->outline && !annotation->kind->pointed) || annotation->id == 0
         || is_marked (request, annotation);
}

static void
add_head (const Sheet *sheet, const OdlAnnotation *annotation)
{
  const OdlPoint *last = annotation->points + annotation->n_points - 1;
  const OdlPoint tip = on_canvas (sheet->request, *last);
  OdlPoint ends[2], a = tip, b = tip;
  if (!cut (sheet->request, HEAD * sheet->request->font, &a, &b))
    return;
  odl_view_arrow_head (on_canvas (sheet->request, last[-1]), tip,
                       HEAD * sheet->request->font, ends);
  cairo_move_to (sheet->cr, ends[0].x, ends[0].y);
  cairo_line_to (sheet->cr, tip.x, tip.y);
  cairo_line_to (sheet->cr, ends[1].x, ends[1].y);
}

// Numbers have a ring around them, what is marked a frame.
static void
draw_own_words (const Sheet *sheet, const OdlAnnotation *annotation)
{
  const OdlDrawingRequest *request = sheet->request;
  const OdlDrawnOn on = drawn_on (request);
  const bool chosen = is_marked (request, annotation) || annotation->id == 0;
  OdlPlacingBox box = { 0 };
  g_autoptr (PangoLayout) layout
      = odl_drawn_words_of (sheet->context, &on, annotation, &box);
  if (layout) {
    const double gap = FRAME * request->font, radius = box.height / 2;
    const double across = fmax (box.width / 2 - radius / 2, 0);
    const OdlPoint middle = { box.x + box.width / 2, box.y + box.height / 2 };
    if (annotation->kind->origin == ODL_WORDS_COUNTED) {
      cairo_new_sub_path (sheet->cr);
      cairo_arc (sheet->cr, middle.x + across, middle.y, radius, -G_PI_2, G_PI_2);
      cairo_arc (sheet->cr, middle.x - across, middle.y, radius, G_PI_2, -G_PI_2);
      cairo_close_path (sheet->cr);
    } else if (chosen) {
      cairo_rectangle (sheet->cr, box.x - gap, box.y - gap, box.width + 2 * gap,
                       box.height + 2 * gap);
    }
    stroke (sheet, chosen ? &marked : &plain, LINE);
    draw_words (sheet, layout, box.x, box.y);
  } else if (annotation->id == 0) {
    add_cross (sheet, on_canvas (request, annotation->points[0]), TICK * request->font,
               0);
    stroke (sheet, &plain, LINE);
  }
}

static void
draw_item (const Sheet *sheet, const OdlDrawingItem *item)
{
  const OdlDrawingRequest *request = sheet->request;
  const OdlAnnotation *annotation = &item->annotation;
  OdlPoint line[ODL_ANNOTATION_MAX_OUTLINE];
  const int n_points = odl_annotation_outline (annotation, line);
  bool seen = false;
  if (odl_annotation_is_words (annotation)) {
    draw_own_words (sheet, annotation);
    return;
  }
  for (int i = 1; i < n_points; i++) {
    OdlPoint a = on_canvas (request, line[i - 1]);
    OdlPoint b = on_canvas (request, line[i]);
    if (!cut (request, TICK * request->font, &a, &b))
      continue;
    cairo_move_to (sheet->cr, a.x, a.y);
    cairo_line_to (sheet->cr, b.x, b.y);
    seen = true;
  }
  if (!seen)
    return;
  for (int i = 0; shows_points (request, annotation) && i < annotation->n_points; i++)
    add_cross (sheet, on_canvas (request, annotation->points[i]), TICK * request->font,
               0);
  if (annotation->kind->pointed)
    add_head (sheet, annotation);
  stroke (sheet, is_marked (request, annotation) ? &marked : &plain, LINE);
  if (item->text && *item->text)
    draw_text (sheet, item, line, n_points);
}

static void
draw_probed (const Sheet *sheet)
{
  const OdlDrawingRequest *request = sheet->request;
  if (request->probed) {
    add_cross (sheet, on_canvas (request, *request->probed), CURSOR * request->font,
               CURSOR / 3 * request->font);
    stroke (sheet, &plain, LINE);
  }
}

static void
draw_value (const Sheet *sheet)
{
  const OdlDrawingRequest *request = sheet->request;
  if (!request->words)
    return;
  g_autoptr (PangoLayout) layout = make_layout (sheet, request->words, NULL);
  draw_words (sheet, layout, request->width, 0);
}

// Pictures that are so small have no room for them.
static bool
has_letters (const OdlDrawingRequest *request)
{
  return request->letters
         && MIN (request->width, request->height) >= LEAST_SIDE * request->font;
}

// At the edges of a part of the canvas, `aside` of middles.
static void
draw_letters (const Sheet *sheet, const OdlPlaneLetters *part, double aside)
{
  static const OdlPoint places[ODL_N_EDGES] = {
    [ODL_EDGE_LEFT] = { 0, 0.5 },
    [ODL_EDGE_RIGHT] = { 1, 0.5 },
    [ODL_EDGE_TOP] = { 0.5, 0 },
    [ODL_EDGE_BOTTOM] = { 0.5, 1 },
  };
  const double font = sheet->request->font, margin = MARGIN * font;
  // A plane through few slices is low, and has room for those at its sides.
  const bool has_sides = part->width >= LEAST_SIDE * font && part->height >= 2 * font;
  const bool has_ends = MIN (part->width, part->height) >= LEAST_SIDE * font;
  for (int edge = 0; edge < ODL_N_EDGES; edge++) {
    const bool at_side = edge == ODL_EDGE_LEFT || edge == ODL_EDGE_RIGHT;
    if (!*part->letters[edge] || (at_side ? !has_sides : !has_ends))
      continue;
    g_autoptr (PangoLayout) layout = make_layout (sheet, part->letters[edge], NULL);
    int width, height;
    pango_layout_get_pixel_size (layout, &width, &height);
    OdlPlacingBox box
        = { part->x + margin + places[edge].x * (part->width - 2 * margin - width)
                + (at_side ? 0 : aside),
            part->y + margin + places[edge].y * (part->height - 2 * margin - height)
                - (edge == ODL_EDGE_BOTTOM ? part->bottom : 0) - (at_side ? aside : 0),
            width, height };
    odl_placing_keep_clear (&box, sheet->request->avoid, part->y + part->height);
    draw_words (sheet, layout, box.x, box.y);
    g_array_append_val (sheet->taken, box);
  }
}

static void
draw_directions (const Sheet *sheet)
{
  const OdlDrawingRequest *request = sheet->request;
  if (has_letters (request)) {
    OdlPlaneLetters all
        = { 0, 0, request->width, request->height, { "" }, request->bottom };
    memcpy (all.letters, *request->letters, sizeof all.letters);
    draw_letters (sheet, &all, 0);
  }
  for (int i = 0; i < request->n_planes; i++)
    draw_letters (sheet, &request->planes[i], ASIDE * request->font);
}

// ---- the legend ----------------------------------------------------------------------

static void
add_line (const Sheet *sheet, OdlPoint from, OdlPoint to)
{
  OdlPoint a = on_canvas (sheet->request, from), b = on_canvas (sheet->request, to);
  if (!cut (sheet->request, 0, &a, &b))
    return;
  cairo_move_to (sheet->cr, a.x, a.y);
  cairo_line_to (sheet->cr, b.x, b.y);
}

// The name of the band from column `x` and row `y` on, if it is large enough for it.
static void
name_band (const Sheet *sheet, const char *band, int level, OdlPoint from, OdlPoint to)
{
  const OdlDrawingRequest *request = sheet->request;
  const OdlPoint a = on_canvas (request, from), b = on_canvas (request, to);
  const OdlPoint corner = { fmin (a.x, b.x), fmin (a.y, b.y) };
  const double gap = LINE * request->font;
  if (fabs (b.x - a.x) < LEAST_BAND * request->font
      || fabs (b.y - a.y) < LEAST_BAND * request->font || corner.x < 0 || corner.y < 0
      || corner.x > request->width || corner.y > request->height)
    return;
  g_autofree char *name = g_strdup_printf ("%s %d", band, level);
  g_autoptr (PangoLayout) layout = make_layout (sheet, name, NULL);
  draw_words (sheet, layout, corner.x + 3 * gap, corner.y + gap);
}

static void
draw_bands (const Sheet *sheet, const OdlLegend *legend)
{
  int width = legend->width, height = legend->height;
  // Of a slice that is low along z, and of a high one.
  static const char *const octants[][ODL_BANDS]
      = { { "LLL", "HLL", "LHL", "HHL" }, { "LLH", "HLH", "LHH", "HHH" } };
  const bool is_high = legend->details.height == 0 && legend->details.width > 0;
  const char *names[ODL_BANDS];
  for (int b = 0; b < ODL_BANDS; b++)
    names[b] = odl_details_band_name (&legend->details, b);
  for (int level = 1; level <= legend->details.levels; level++) {
    const int w = (width + 1) / 2, h = (height + 1) / 2;
    const bool last = level == legend->details.levels;
    const char *const *own = legend->of_volume ? octants[last && is_high] : names;
    add_line (sheet, (OdlPoint){ w, 0 }, (OdlPoint){ w, height });
    add_line (sheet, (OdlPoint){ 0, h }, (OdlPoint){ width, h });
    stroke (sheet, &plain, LINE / 4);
    for (int b = last ? 0 : 1; b < ODL_BANDS; b++)
      name_band (sheet, own[b], level, (OdlPoint){ b % 2 ? w : 0, b / 2 ? h : 0 },
                 (OdlPoint){ b % 2 ? width : w, b / 2 ? height : h });
    width = w;
    height = h;
  }
}

// The colour of a place in the window: 0 its low end, 1 its high one.
static void
set_bar_colour (cairo_t *cr, const OdlDisplay *display, double place)
{
  const OdlCurve *curve = display->curve;
  float level
      = curve ? odl_curve_at (curve->levels, curve->n, (float) place) : (float) place;
  level = CLAMP (display->invert ? 1 - level : level, 0, 1);
  float colour[] = { level, level, level };
  if (display->map)
    odl_colour_map_show (display->map, level, colour);
  cairo_set_source_rgb (cr, colour[0], colour[1], colour[2]);
}

static void
draw_bar (const Sheet *sheet, const OdlLegend *legend)
{
  const OdlDrawingRequest *request = sheet->request;
  const double width = BAR_WIDTH * request->font, edge = LINE * request->font;
  const double right = request->width - MARGIN * request->font - edge;
  const double top = round (BAR_TOP * request->height);
  const double bottom = round (BAR_BOTTOM * request->height);
  cairo_set_source_rgb (sheet->cr, dark.red, dark.green, dark.blue);
  cairo_rectangle (sheet->cr, right - width - edge, top - edge, width + 2 * edge,
                   bottom - top + 2 * edge);
  cairo_fill (sheet->cr);
  for (double y = top; y < bottom; y++) {
    set_bar_colour (sheet->cr, &legend->display, 1 - (y + 0.5 - top) / (bottom - top));
    cairo_rectangle (sheet->cr, right - width, y, width, 1);
    cairo_fill (sheet->cr);
  }
  for (int end = 0; end < 2; end++) {
    int wide, high;
    g_autoptr (PangoLayout) layout
        = make_layout (sheet, end == 0 ? legend->low : legend->high, NULL);
    pango_layout_get_pixel_size (layout, &wide, &high);
    draw_words (sheet, layout, request->width,
                end == 0 ? bottom + edge : top - edge - high);
  }
}

static bool
has_bar (const OdlDrawingRequest *request)
{
  return request->legend && request->legend->low
         && MIN (request->width, request->height) >= 2 * LEAST_SIDE * request->font;
}

static bool
has_bands (const OdlDrawingRequest *request)
{
  return request->legend && request->legend->details.levels > 0
         && !odl_details_are_residual (&request->legend->details);
}

// The original, in the first pane or left of a divider, has no bands.
static void
draw_legend (const Sheet *sheet, bool last)
{
  if (last && has_bands (sheet->request)) {
    cairo_save (sheet->cr);
    cairo_rectangle (sheet->cr, sheet->request->result, 0, sheet->request->width,
                     sheet->request->height);
    cairo_clip (sheet->cr);
    draw_bands (sheet, sheet->request->legend);
    cairo_restore (sheet->cr);
  }
  if (has_bar (sheet->request))
    draw_bar (sheet, sheet->request->legend);
}

static void
draw_pane (const Sheet *sheet, bool last)
{
  const OdlDrawingRequest *request = sheet->request;
  draw_legend (sheet, last);
  odl_drawing_draw_graphics (request, sheet->context, sheet->cr);
  odl_drawing_draw_planes (request, sheet->cr);
  g_array_set_size (sheet->taken, 0);
  draw_directions (sheet); // words of measurements stay beside them
  for (int i = 0; i < request->n_items; i++)
    if (request->items[i].annotation.kind->samples)
      take_region (sheet, &request->items[i].annotation);
    else
      take_own_words (sheet, &request->items[i].annotation);
  for (int i = 0; i < request->n_items; i++)
    draw_item (sheet, &request->items[i]);
  if (request->cursor) {
    add_cross (sheet, on_canvas (request, *request->cursor), CURSOR * request->font,
               CURSOR / 4 * request->font);
    stroke (sheet, &marked, LINE);
  }
  draw_probed (sheet);
  if (last)
    draw_value (sheet);
}

// Nothing of one pane reaches into the other one.
static void
draw (const Sheet *sheet)
{
  const OdlDrawingRequest *request = sheet->request;
  const int last = request->second > 0;
  for (int pane = 0; pane <= last; pane++) {
    cairo_save (sheet->cr);
    cairo_translate (sheet->cr, pane * request->second, 0);
    cairo_rectangle (sheet->cr, 0, 0, request->width, request->height);
    cairo_clip (sheet->cr);
    draw_pane (sheet, pane == last);
    cairo_restore (sheet->cr);
  }
}

// ---- as a picture --------------------------------------------------------------------

static void
add_point (GString *key, const OdlPoint *point)
{
  if (point)
    g_string_append_printf (key, " %a,%a", point->x, point->y);
  g_string_append_c (key, '|');
}

static void
add_legend (GString *key, const OdlDrawingRequest *request)
{
  const OdlLegend *legend = request->legend;
  if (has_bar (request))
    g_string_append_printf (key, " %s %s %s %d %p", legend->low, legend->high,
                            legend->display.map ? legend->display.map->name : "grey",
                            legend->display.invert, (const void *) legend->display.curve);
  if (has_bands (request))
    g_string_append_printf (key, " %d %d %d %d %d %d %d", legend->details.levels,
                            legend->width, legend->height, legend->details.height,
                            legend->details.directions, legend->of_volume,
                            request->result);
}

// A key of everything that the drawing depends on. Transfer full; NULL: nothing to draw.
static char *
make_key (const OdlDrawingRequest *request)
{
  if (request->n_items == 0 && !request->cursor && !request->probed && !request->words
      && !has_letters (request) && !has_bar (request) && !has_bands (request)
      && request->n_planes == 0 && !request->layout && !request->graphics
      && !request->outlines)
    return NULL;
  GString *key = g_string_new (request->words);
  double matrix[6];
  odl_view_matrix (request->view, request->width, request->height, matrix);
  for (int i = 0; i < 6; i++)
    g_string_append_printf (key, " %a", matrix[i]);
  g_string_append_printf (key, " %d %d %d %a", request->width, request->height,
                          request->second, request->font);
  for (int edge = 0; has_letters (request) && edge < ODL_N_EDGES; edge++)
    g_string_append_printf (key, " %s", (*request->letters)[edge]);
  odl_drawing_add_planes (request, key);
  g_string_append_printf (key, " %d %p %p %d", request->bottom,
                          (void *) request->graphics, (void *) request->outlines,
                          request->hides_words);
  add_legend (key, request);
  add_point (key, request->cursor);
  add_point (key, request->probed);
  for (int i = 0; i < request->n_items; i++) {
    const OdlDrawingItem *item = &request->items[i];
    const OdlAnnotation *annotation = &item->annotation;
    g_string_append_printf (key, " %s%s%s %s %s", annotation->kind->name,
                            is_marked (request, annotation) ? "*" : "",
                            shows_points (request, annotation) ? "+" : "",
                            item->text ? item->text : "", item->note ? item->note : "");
    for (int p = 0; p < annotation->n_points; p++)
      add_point (key, &annotation->points[p]);
  }
  return g_string_free (key, FALSE);
}

// The part of the canvas that is drawn on.
static cairo_rectangle_int_t
extent_of (const OdlDrawingRequest *request, PangoContext *context)
{
  const int whole = request->second + request->width;
  const cairo_rectangle_t all = { 0, 0, whole, request->height };
  cairo_surface_t *nowhere
      = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &all);
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (OdlPlacingBox));
  const Sheet sheet = { request, context, cairo_create (nowhere), taken };
  double x, y, width, height;
  draw (&sheet);
  cairo_destroy (sheet.cr);
  cairo_recording_surface_ink_extents (nowhere, &x, &y, &width, &height);
  cairo_surface_destroy (nowhere);
  const double left = CLAMP (floor (x), 0, whole);
  const double top = CLAMP (floor (y), 0, request->height);
  const double right = CLAMP (ceil (x + width), left, whole);
  const double bottom = CLAMP (ceil (y + height), top, request->height);
  return (cairo_rectangle_int_t){ (int) left, (int) top, (int) (right - left),
                                  (int) (bottom - top) };
}

void
odl_drawing_clear (OdlDrawing *drawing)
{
  odl_badge_clear (&drawing->picture);
}

void
odl_drawing_update (OdlDrawing *drawing,
                    PangoContext *context,
                    const OdlDrawingRequest *request)
{
  g_autofree char *key = make_key (request);
  if (g_strcmp0 (key, drawing->picture.key) == 0)
    return;
  odl_drawing_clear (drawing);
  if (!key)
    return;
  const cairo_rectangle_int_t place = extent_of (request, context);
  drawing->picture.key = g_steal_pointer (&key);
  drawing->x = place.x;
  drawing->y = place.y;
  if (place.width == 0 || place.height == 0)
    return;
  cairo_surface_t *surface
      = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, place.width, place.height);
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (OdlPlacingBox));
  const Sheet sheet = { request, context, cairo_create (surface), taken };
  cairo_translate (sheet.cr, -place.x, -place.y);
  draw (&sheet);
  cairo_destroy (sheet.cr);
  odl_badge_take_pixels (&drawing->picture, surface);
  cairo_surface_destroy (surface);
}
