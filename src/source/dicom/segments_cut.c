// SPDX-License-Identifier: MIT
// Where segments lie on pictures and planes.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/vector.h"
#include "image/volume/stack.h"
#include "source/dicom/segments_item.h"

// Directions that differ by less are the same (cosines).
// Places that differ by less are the same (mm).
#define SAME_PLACE 1e-2
// Half the thickness of what says nothing about it and stands alone, mm.
#define LEAST_NEAR 0.5

// A frame, or the contours of one plane, by where that lies along the common normal.
typedef struct {
  double along; // mm
  guint index; // of the frame, or the first contour in `order`
  guint n; // contours
} Layer;

typedef struct {
  const OdlSegments *segments;
  const OdlSegmentsPlane *plane;
  int segment;
  double rows[3], columns[3], normal[3]; // where the layers' own axes lead
  GArray *layers; // Layer, sorted
  GArray *order; // guint: contours, layer by layer
  double near_mm; // half of the distance from layer to layer
} Cut;

static void
cut_clear (Cut *cut)
{
  g_clear_pointer (&cut->layers, g_array_unref);
  g_clear_pointer (&cut->order, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cut, cut_clear)

static int
compare_layers (const void *a, const void *b)
{
  const Layer *left = a, *right = b;

  return left->along < right->along ? -1 : left->along > right->along;
}

static const Layer *
layer_at (const Cut *cut, guint i)
{
  return &g_array_index (cut->layers, Layer, i);
}

// From what the file says, else by the least distance of two.
static void
find_near (Cut *cut, double thickness_mm)
{
  double least = thickness_mm > 0 ? thickness_mm : INFINITY;

  for (guint i = 1; !(thickness_mm > 0) && i < cut->layers->len; i++) {
    const double by = layer_at (cut, i)->along - layer_at (cut, i - 1)->along;
    least = by > SAME_PLACE ? fmin (least, by) : least;
  }
  cut->near_mm = isfinite (least) ? least / 2 : LEAST_NEAR;
}

// The layer that is nearest to a place along the normal; NULL: none is near.
static const Layer *
find_layer (const Cut *cut, double along)
{
  guint low = 0, high = cut->layers->len;

  while (low < high) {
    const guint middle = (low + high) / 2;
    if (layer_at (cut, middle)->along < along)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == cut->layers->len
      || (low > 0
          && along - layer_at (cut, low - 1)->along < layer_at (cut, low)->along - along))
    low -= low > 0;
  return cut->layers->len > 0
                 && fabs (layer_at (cut, low)->along - along) <= cut->near_mm + SAME_PLACE
             ? layer_at (cut, low)
             : NULL;
}

// ---- masks ---------------------------------------------------------------------------

static bool
has (const OdlSegments *segments, int segment, guint frame, int x, int y)
{
  const OdlDecoderSegments *head = &segments->head;

  if (x < 0 || y < 0 || x >= (int) head->width || y >= (int) head->height)
    return false;
  if (segments->labels != NULL)
    return segments->labels[frame][(gsize) y * head->width + (gsize) x]
           == segments->segments[segment].number;
  const uint8_t *row
      = segments->bits[frame] + (gsize) y * odl_overlay_stride (head->width);
  return row[x / 8] >> (x % 8) & 1;
}

static bool
is_of (const OdlSegments *segments, int segment, guint frame)
{
  return segments->labels != NULL
         || segments->frames[frame].segment == (uint32_t) segment;
}

// Those that are turned as the first one is.
static void
find_frames (Cut *cut)
{
  const OdlSegments *segments = cut->segments;
  const OdlDecoderSegmentFrame *first = NULL;

  for (guint i = 0; i < segments->head.n_frames; i++) {
    const OdlDecoderSegmentFrame *frame = &segments->frames[i];
    bool alike = frame->is_placed && is_of (segments, cut->segment, i);
    for (int k = 0; alike && first != NULL && k < 6; k++)
      alike = fabs (frame->orientation[k] - first->orientation[k])
              < ODL_SEGMENTS_SAME_DIRECTION;
    if (!alike)
      continue;
    if (first == NULL) {
      first = frame;
      memcpy (cut->rows, frame->orientation, sizeof cut->rows);
      memcpy (cut->columns, frame->orientation + 3, sizeof cut->columns);
      odl_cross (cut->rows, cut->columns, cut->normal);
    }
    const Layer layer = { odl_dot (frame->position, cut->normal), i, 0 };
    g_array_append_val (cut->layers, layer);
  }
  g_array_sort (cut->layers, compare_layers);
  if (first != NULL)
    find_near (cut, first->thickness_mm);
}

static bool
has_point (const Cut *cut, const Layer *layer, const double at[3])
{
  const OdlDecoderSegmentFrame *frame = &cut->segments->frames[layer->index];
  double from[3];

  for (int i = 0; i < 3; i++)
    from[i] = at[i] - frame->position[i];
  return has (cut->segments, cut->segment, layer->index,
              (int) floor (odl_dot (from, cut->rows) / frame->spacing_mm[0] + 0.5),
              (int) floor (odl_dot (from, cut->columns) / frame->spacing_mm[1] + 0.5));
}

// Of a picture that has no place: by its name.
static bool
copy_named (const Cut *cut, uint8_t *mask)
{
  const OdlSegments *segments = cut->segments;
  const OdlSegmentsPlane *plane = cut->plane;

  if (plane->instance == NULL || plane->width != (int) segments->head.width
      || plane->height != (int) segments->head.height)
    return false;
  for (guint i = 0; i < segments->head.n_frames; i++) {
    if (!is_of (segments, cut->segment, i) || segments->frames[i].frame != plane->frame
        || strcmp (segments->frames[i].instance, plane->instance) != 0)
      continue;
    for (int y = 0; y < plane->height; y++)
      for (int x = 0; x < plane->width; x++)
        if (has (segments, cut->segment, i, x, y))
          mask[(gsize) y * (gsize) plane->width + (gsize) x] = 1;
  }
  return memchr (mask, 1, (gsize) plane->width * (gsize) plane->height) != NULL;
}

// ---- contours ------------------------------------------------------------------------

static const double *
point_of (const OdlSegments *segments, guint contour, guint k)
{
  return segments->points + 3 * (gsize) (segments->first_point[contour] + k);
}

// The normal of a closed line (Newell's), of length 1. False: it spans no plane.
static bool
find_normal (const OdlSegments *segments, guint contour, double normal[3])
{
  const guint n = segments->frames[contour].n_points;
  double sum[3] = { 0, 0, 0 };

  for (guint k = 0; k < n; k++) {
    double product[3];
    odl_cross (point_of (segments, contour, k), point_of (segments, contour, (k + 1) % n),
               product);
    for (int i = 0; i < 3; i++)
      sum[i] += product[i];
  }
  const double length = sqrt (odl_dot (sum, sum));
  for (int i = 0; i < 3; i++)
    normal[i] = sum[i] / length;
  return n >= 3 && length > 1e-9;
}

static bool
is_contour_of (const OdlSegments *segments, int segment, guint i)
{
  return segments->frames[i].segment == (uint32_t) segment
         && segments->frames[i].n_points > 0;
}

// Closed ones that lie across the first one's normal.
static void
find_contours (Cut *cut)
{
  const OdlSegments *segments = cut->segments;
  bool any = false;

  for (guint i = 0; i < segments->head.n_frames; i++) {
    double normal[3];
    if (!is_contour_of (segments, cut->segment, i) || !segments->frames[i].is_closed
        || !find_normal (segments, i, normal))
      continue;
    if (!any)
      memcpy (cut->normal, normal, sizeof normal);
    any = true;
    if (fabs (odl_dot (normal, cut->normal)) < 1 - ODL_SEGMENTS_SAME_DIRECTION)
      continue;
    const Layer layer = { odl_dot (point_of (segments, i, 0), cut->normal), i, 0 };
    g_array_append_val (cut->layers, layer);
  }
  g_array_sort (cut->layers, compare_layers);
  // Contours of one plane become one layer.
  guint n = 0;
  for (guint i = 0; i < cut->layers->len; i++) {
    const Layer here = *layer_at (cut, i);
    const bool same = n > 0 && here.along - layer_at (cut, n - 1)->along <= SAME_PLACE;
    g_array_append_val (cut->order, here.index);
    if (!same)
      g_array_index (cut->layers, Layer, n++) = (Layer){ here.along, i, 0 };
    g_array_index (cut->layers, Layer, n - 1).n++;
  }
  g_array_set_size (cut->layers, n);
  // Two axes across the normal, the first one along the axis that is least along it.
  int axis = 0;
  for (int i = 1; i < 3; i++)
    axis = fabs (cut->normal[i]) < fabs (cut->normal[axis]) ? i : axis;
  double length = 0;
  for (int i = 0; i < 3; i++) {
    cut->rows[i] = (i == axis) - cut->normal[axis] * cut->normal[i];
    length += cut->rows[i] * cut->rows[i];
  }
  for (int i = 0; i < 3; i++)
    cut->rows[i] /= sqrt (length);
  odl_cross (cut->normal, cut->rows, cut->columns);
  find_near (cut, 0);
}

// Whether an odd number of the layer's contours are about it.
static bool
is_within (const Cut *cut, const Layer *layer, const double at[3])
{
  const OdlSegments *segments = cut->segments;
  const double x = odl_dot (at, cut->rows), y = odl_dot (at, cut->columns);
  bool within = false;

  for (guint c = layer->index; c < layer->index + layer->n; c++) {
    const guint contour = g_array_index (cut->order, guint, c);
    const guint n = segments->frames[contour].n_points;
    const double *before = point_of (segments, contour, n - 1);
    double x0 = odl_dot (before, cut->rows), y0 = odl_dot (before, cut->columns);
    for (guint k = 0; k < n; k++) {
      const double *point = point_of (segments, contour, k);
      const double x1 = odl_dot (point, cut->rows), y1 = odl_dot (point, cut->columns);
      if ((y0 <= y) != (y1 <= y) && x >= x0 + (y - y0) / (y1 - y0) * (x1 - x0))
        within = !within;
      x0 = x1;
      y0 = y1;
    }
  }
  return within;
}

// ---- all -----------------------------------------------------------------------------

static bool
sample (const Cut *cut, uint8_t *mask)
{
  const OdlSegmentsPlane *plane = cut->plane;
  const bool contours = cut->segments->head.kind == ODL_SEGMENTS_CONTOURS;
  // Along a slice the layer is one and the same.
  const double by[2]
      = { odl_dot (plane->across, cut->normal), odl_dot (plane->down, cut->normal) };
  const bool parallel = fabs (by[0]) * plane->width < SAME_PLACE
                        && fabs (by[1]) * plane->height < SAME_PLACE;
  const Layer *only = find_layer (cut, odl_dot (plane->corner, cut->normal));

  if (parallel && only == NULL)
    return false;
  ODL_PARALLEL_FOR
  for (int y = 0; y < plane->height; y++)
    for (int x = 0; x < plane->width; x++) {
      double at[3];
      for (int i = 0; i < 3; i++)
        at[i] = plane->corner[i] + (x + 0.5) * plane->across[i]
                + (y + 0.5) * plane->down[i];
      const Layer *layer = parallel ? only : find_layer (cut, odl_dot (at, cut->normal));
      mask[(gsize) y * (gsize) plane->width + (gsize) x]
          = layer != NULL
            && (contours ? is_within (cut, layer, at) : has_point (cut, layer, at));
    }
  return memchr (mask, 1, (gsize) plane->width * (gsize) plane->height) != NULL;
}

// Whether a corner of the plane lies near a layer, or two of them lie on both sides.
static bool
is_reached (const Cut *cut)
{
  const OdlSegmentsPlane *plane = cut->plane;
  double low = INFINITY, high = -INFINITY;

  for (int corner = 0; corner < 4; corner++) {
    double at[3];
    for (int i = 0; i < 3; i++)
      at[i] = plane->corner[i] + (corner & 1 ? plane->width : 0) * plane->across[i]
              + (corner & 2 ? plane->height : 0) * plane->down[i];
    low = fmin (low, odl_dot (at, cut->normal));
    high = fmax (high, odl_dot (at, cut->normal));
  }
  for (guint i = 0; i < cut->layers->len; i++)
    if (layer_at (cut, i)->along >= low - cut->near_mm - SAME_PLACE
        && layer_at (cut, i)->along <= high + cut->near_mm + SAME_PLACE)
      return true;
  return false;
}

bool
odl_segments_cut (const OdlSegments *segments,
                  int segment,
                  const OdlSegmentsPlane *plane,
                  uint8_t *mask)
{
  const bool contours = segments->head.kind == ODL_SEGMENTS_CONTOURS;
  const bool shares_frame
      = plane->is_placed && plane->frame_of_reference != NULL
        && strcmp (plane->frame_of_reference, segments->head.frame_of_reference) == 0;
  g_auto (Cut) cut = { .segments = segments,
                       .plane = plane,
                       .segment = segment,
                       .layers = g_array_new (FALSE, FALSE, sizeof (Layer)),
                       .order = g_array_new (FALSE, FALSE, sizeof (guint)) };

  if (shares_frame && contours)
    find_contours (&cut);
  else if (shares_frame)
    find_frames (&cut);
  if (cut.layers->len > 0)
    return is_reached (&cut) && sample (&cut, mask);
  return !contours && copy_named (&cut, mask);
}

// ---- drawing -------------------------------------------------------------------------

// Segments without a colour: no two that follow each other are alike.
void
odl_segments_colour (const OdlSegments *segments, int index, double colour[3])
{
  const OdlDecoderSegment *segment = &segments->segments[index];
  static const double own[][3]
      = { { 1, 0.45, 0.40 }, { 0.45, 0.88, 0.55 }, { 0.40, 0.65, 1 },
          { 1, 0.90, 0.35 }, { 0.90, 0.50, 1 },    { 0.35, 0.90, 0.95 } };

  for (int i = 0; i < 3; i++)
    colour[i] = segment->has_colour ? segment->colour[i] / 255.0
                                    : own[(gsize) index % G_N_ELEMENTS (own)][i];
}

// A contour that lies in the plane, as it is. False: it lies elsewhere.
static bool
draw_contour (const OdlSegments *segments,
              guint contour,
              const OdlSegmentsPlane *plane,
              OdlPoint shift,
              OdlOutlines *outlines)
{
  const guint n = segments->frames[contour].n_points;
  const double scale[2]
      = { odl_dot (plane->across, plane->across), odl_dot (plane->down, plane->down) };
  const double near_mm = plane->step_mm > 0 ? plane->step_mm / 2 : LEAST_NEAR;
  g_autoptr (GArray) points = g_array_sized_new (FALSE, FALSE, sizeof (OdlPoint), n);
  double normal[3];

  odl_cross (plane->across, plane->down, normal);
  const double length = sqrt (odl_dot (normal, normal));
  for (guint k = 0; k < n; k++) {
    const double *at = point_of (segments, contour, k);
    const double from[3] = { at[0] - plane->corner[0], at[1] - plane->corner[1],
                             at[2] - plane->corner[2] };
    if (!(fabs (odl_dot (from, normal)) / length < near_mm))
      return false;
    const OdlPoint point = { shift.x + odl_dot (from, plane->across) / scale[0],
                             shift.y + odl_dot (from, plane->down) / scale[1] };
    g_array_append_val (points, point);
  }
  odl_outlines_add_line (outlines, (const OdlPoint *) (void *) points->data, n,
                         segments->frames[contour].is_closed);
  return true;
}

static bool
draw_contours (const OdlSegments *segments,
               int segment,
               const OdlSegmentsPlane *plane,
               OdlPoint shift,
               OdlOutlines *outlines)
{
  bool any = false;

  if (!plane->is_placed || plane->frame_of_reference == NULL
      || strcmp (plane->frame_of_reference, segments->head.frame_of_reference) != 0)
    return false;
  for (guint i = 0; i < segments->head.n_frames; i++)
    if (is_contour_of (segments, segment, i))
      any |= draw_contour (segments, i, plane, shift, outlines);
  return any;
}

void
odl_segments_draw (const OdlSegments *segments,
                   const OdlSegmentsPlane *plane,
                   const uint8_t *hidden,
                   OdlPoint shift,
                   OdlOutlines *outlines)
{
  const gsize size = (gsize) plane->width * (gsize) plane->height;
  const bool contours = segments->head.kind == ODL_SEGMENTS_CONTOURS;
  g_autofree uint8_t *mask = g_malloc (size);

  for (int i = 0; i < odl_segments_count (segments); i++) {
    double colour[3];
    if (hidden != NULL && hidden[i])
      continue;
    odl_segments_colour (segments, i, colour);
    odl_outlines_begin (outlines, segments->segments[i].name, colour);
    // On the slices that they were drawn on contours are as they were drawn.
    if (contours
        && (draw_contours (segments, i, plane, shift, outlines) || plane->instance))
      continue;
    memset (mask, 0, size);
    if (odl_segments_cut (segments, i, plane, mask))
      odl_outlines_add_mask (outlines, mask, plane->width, plane->height, shift);
  }
}
