// SPDX-License-Identifier: MIT
#include "image/area.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "image/image.h"

// Where the picture lies on an ultrasound screen: a sector, a trapezium or a rectangle,
// amid text, marks and bars on an even background.

// Cells of the grid along the longer side, at most; what is found is as exact as they.
#define MOST_CELLS 320
// What differs from the background by so much, fraction of full scale, is lit. A sector
// has much that is, and goes on where it is fainter: compressed black differs by less.
#define LIT 0.035f
#define FAINT 0.0125f
// Share of a cell's pixels that are: speckle has gaps.
#define SHARE_OF_CELL 0.3f
// Half sides of squares, in cells, that gaps between speckles fit into, and that letters,
// marks and lines do not.
#define GAP 1
#define THIN 3
// The least that is lit of a sector: of the picture, of its own hull, and of another one
// beside the largest. What is so much longer than wide is a bar.
#define LEAST_AREA 0.03
#define LEAST_FILLED 0.45
#define LIKE_THE_LARGEST 0.7
#define LONG 6
// The chord of a transducer's arc: its slope, its length as a share of the hull's width,
// and how far the arc hangs down from it as a share of its length (that of 90° does by
// 0.21).
#define MOST_SLOPE 0.35
#define LEAST_CHORD 0.1
#define MOST_SAG 0.3

typedef struct {
  int width, height; // in cells
  int size; // of a cell, pixels
} Grid;

typedef struct {
  int x, y; // corner of a cell
} Corner;

static gsize
n_cells (const Grid *grid)
{
  return (gsize) grid->width * grid->height;
}

// ---- what is lit ---------------------------------------------------------------------

// The brightest of the channels.
static void
read_row (OdlImage *image, int y, float *row, float *channels[3])
{
  const OdlImageInfo *info = odl_image_info (image);
  const int n = info->channels < 3 ? 1 : 3;

  if (info->ycbcr.used)
    odl_image_rgb_row (image, y, channels);
  for (int c = 0; c < n && !info->ycbcr.used; c++)
    odl_image_scaled_row (image, c, y, 0, 0, channels[c]);
  for (int x = 0; x < info->extent.x; x++) {
    row[x] = channels[0][x];
    for (int c = 1; c < n; c++)
      row[x] = MAX (row[x], channels[c][x]);
  }
}

// The level that most of the picture's border has; without one it is black.
static float
background_of (const float *picture, int width, int height)
{
  int counts[256] = { 0 }, most = 0, n = 0;

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x += y == 0 || y == height - 1 ? 1 : MAX (width - 1, 1)) {
      const float value = CLAMP (picture[(gsize) y * width + x], 0, 1);
      counts[(int) (value * 255 + 0.5f)]++;
      n++;
    }
  for (int i = 1; i < 256; i++)
    if (counts[i] > counts[most])
      most = i;
  return counts[most] * 2 > n ? (float) most / 255 : 0;
}

static float *
read_picture (OdlImage *image)
{
  const OdlExtent extent = odl_image_info (image)->extent;
  g_autofree float *lines = g_new (float, 3 * (gsize) extent.x);
  float *channels[3] = { lines, lines + extent.x, lines + 2 * (gsize) extent.x };
  float *picture = g_new (float, (gsize) extent.x *extent.y);

  for (int y = 0; y < extent.y; y++)
    read_row (image, y, picture + (gsize) y * extent.x, channels);
  return picture;
}

static bool *
lit_cells (const Grid *grid,
           const float *picture,
           const guint8 *within,
           OdlExtent extent,
           float least)
{
  const float background = background_of (picture, extent.x, extent.y);
  bool *lit = g_new (bool, n_cells (grid));

  for (int v = 0; v < grid->height; v++)
    for (int u = 0; u < grid->width; u++) {
      const int right = MIN ((u + 1) * grid->size, extent.x);
      const int bottom = MIN ((v + 1) * grid->size, extent.y);
      int n = 0, all = 0;
      for (int y = v * grid->size; y < bottom; y++)
        for (int x = u * grid->size; x < right; x++, all++)
          n += within[(gsize) y * extent.x + x] != 0
               && fabsf (picture[(gsize) y * extent.x + x] - background) > least;
      lit[(gsize) v * grid->width + u] = (float) n >= SHARE_OF_CELL * (float) all;
    }
  return lit;
}

// ---- morphology of cells -------------------------------------------------------------

// Whether one of 2 · radius + 1 cells in line is `value`; beyond the border nothing is.
static void
spread_line (const bool *from, bool *to, int n, gsize stride, int radius, bool value)
{
  int last = -radius - 1;

  for (int i = 0; i < n; i++)
    to[i * stride] = !value;
  for (int i = 0; i < n + radius; i++) {
    if (i < n && from[i * stride] == value)
      last = i;
    if (i >= radius && i - last <= 2 * radius && last >= 0)
      to[(gsize) (i - radius) * stride] = value;
  }
}

// Dilates what is `value`: of false, the lit cells are eroded.
static void
spread (const Grid *grid, bool *cells, int radius, bool value)
{
  g_autofree bool *half = g_new (bool, n_cells (grid));

  for (int v = 0; v < grid->height; v++)
    spread_line (cells + (gsize) v * grid->width, half + (gsize) v * grid->width,
                 grid->width, 1, radius, value);
  for (int u = 0; u < grid->width; u++)
    spread_line (half + u, cells + u, grid->height, grid->width, radius, value);
}

// Cells that touch.
typedef struct {
  int lit; // how many of them are lit
  int area;
  int left, top, right, bottom; // the end is included
} Part;

static void
take_in (const Grid *grid, int at, bool lit, Part *part)
{
  const int u = at % grid->width, v = at / grid->width;

  part->lit += lit;
  part->area++;
  part->left = MIN (part->left, u);
  part->right = MAX (part->right, u);
  part->top = MIN (part->top, v);
  part->bottom = MAX (part->bottom, v);
}

// Numbers them, from 1 on; 0 is for cells that are none.
static GArray *
find_parts (const Grid *grid, const bool *cells, const bool *lit, int *numbers)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (int));
  GArray *parts = g_array_new (FALSE, TRUE, sizeof (Part));
  const int n = (int) n_cells (grid);

  g_array_set_size (parts, 1);
  memset (numbers, 0, sizeof *numbers * n_cells (grid));
  for (int first = 0; first < n; first++) {
    if (!cells[first] || numbers[first] != 0)
      continue;
    const int number = (int) parts->len;
    Part part = { .left = grid->width, .top = grid->height };
    numbers[first] = number;
    g_array_append_val (stack, first);
    while (stack->len > 0) {
      const int at = g_array_index (stack, int, stack->len - 1);
      const int u = at % grid->width, v = at / grid->width;
      const int next[] = { u > 0 ? at - 1 : -1, u + 1 < grid->width ? at + 1 : -1,
                           v > 0 ? at - grid->width : -1,
                           v + 1 < grid->height ? at + grid->width : -1 };
      g_array_set_size (stack, stack->len - 1);
      take_in (grid, at, lit[at], &part);
      for (gsize i = 0; i < G_N_ELEMENTS (next); i++)
        if (next[i] >= 0 && cells[next[i]] && numbers[next[i]] == 0) {
          numbers[next[i]] = number;
          g_array_append_val (stack, next[i]);
        }
    }
    g_array_append_val (parts, part);
  }
  return parts;
}

// ---- the hull ------------------------------------------------------------------------

static gint64
turn (Corner a, Corner b, Corner c)
{
  return (gint64) (b.x - a.x) * (c.y - a.y) - (gint64) (b.y - a.y) * (c.x - a.x);
}

static void
add_corner (GArray *hull, guint least, Corner corner, int sign)
{
  while (hull->len >= least
         && sign
                    * turn (g_array_index (hull, Corner, hull->len - 2),
                            g_array_index (hull, Corner, hull->len - 1), corner)
                <= 0)
    g_array_set_size (hull, hull->len - 1);
  g_array_append_val (hull, corner);
}

// The upper (sign 1) or lower (−1) side of the convex hull, from left to right, of what
// lies between tops[u] and bottoms[u] (excluded) in each column; tops[u] < 0: nothing.
static GArray *
side_of_hull (const Grid *grid, const int *tops, const int *bottoms, int sign)
{
  GArray *hull = g_array_new (FALSE, FALSE, sizeof (Corner));

  for (int u = 0; u < grid->width; u++) {
    const int y = sign > 0 ? tops[u] : bottoms[u];
    if (tops[u] < 0)
      continue;
    add_corner (hull, 2, (Corner){ u, y }, sign);
    add_corner (hull, 2, (Corner){ u + 1, y }, sign);
  }
  return hull;
}

// Where a side is in the middle of column `u`.
static double
height_of (const GArray *side, int u)
{
  const double x = u + 0.5;

  for (guint i = 0; i + 1 < side->len; i++) {
    const Corner a = g_array_index (side, Corner, i);
    const Corner b = g_array_index (side, Corner, i + 1);
    if (x >= a.x && x <= b.x)
      return a.y + (double) (b.y - a.y) * (x - a.x) / (b.x - a.x);
  }
  return -1;
}

static int
by_size (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

// Lowers upper[u] below the chord of a curved transducer to where the picture begins.
static void
take_off_chord (const Grid *grid, const GArray *side, const int *tops, double *upper)
{
  const Corner left = g_array_index (side, Corner, 0);
  const Corner right = g_array_index (side, Corner, side->len - 1);
  Corner from = { 0, 0 }, to = { 0, 0 };

  for (guint i = 0; i + 1 < side->len; i++) {
    const Corner a = g_array_index (side, Corner, i);
    const Corner b = g_array_index (side, Corner, i + 1);
    if (b.x - a.x > to.x - from.x && abs (b.y - a.y) <= MOST_SLOPE * (b.x - a.x))
      from = a, to = b;
  }
  const int chord = to.x - from.x, radius = MAX (grid->width / 80, 1);
  if (chord < LEAST_CHORD * (right.x - left.x))
    return;
  for (int u = from.x; u < to.x; u++) {
    int near[2 * (MOST_CELLS / 80) + 1], n = 0;
    for (int w = MAX (u - radius, from.x); w <= MIN (u + radius, to.x - 1); w++)
      if (tops[w] >= 0)
        near[n++] = tops[w];
    if (n == 0)
      continue;
    qsort (near, n, sizeof *near, by_size);
    upper[u] = CLAMP (near[n / 2], upper[u], upper[u] + MOST_SAG * chord);
  }
}

// Adds the hull of part `number` to `found`, and returns its area.
static double
add_hull (const Grid *grid, const int *numbers, int number, bool *found)
{
  g_autofree int *tops = g_new (int, grid->width), *bottoms = g_new (int, grid->width);
  g_autofree double *upper = g_new (double, grid->width);
  double area = 0;

  for (int u = 0; u < grid->width; u++) {
    tops[u] = bottoms[u] = -1;
    for (int v = 0; v < grid->height; v++)
      if (numbers[(gsize) v * grid->width + u] == number) {
        tops[u] = tops[u] < 0 ? v : tops[u];
        bottoms[u] = v + 1;
      }
  }
  g_autoptr (GArray) above = side_of_hull (grid, tops, bottoms, 1);
  g_autoptr (GArray) below = side_of_hull (grid, tops, bottoms, -1);
  for (int u = 0; u < grid->width; u++)
    upper[u] = height_of (above, u);
  take_off_chord (grid, above, tops, upper);
  for (int u = 0; u < grid->width; u++) {
    const double lower = height_of (below, u);
    for (int v = 0; v < grid->height; v++)
      if (upper[u] >= 0 && v + 0.5 >= upper[u] && v + 0.5 <= lower) {
        found[(gsize) v * grid->width + u] = true;
        area++;
      }
  }
  return area;
}

// ---- all -----------------------------------------------------------------------------

// What is left of the lit cells without thin parts, and what of them lies beside that.
static void
drop_thin_parts (const Grid *grid, bool *cells)
{
  spread (grid, cells, GAP, true);
  spread (grid, cells, GAP, false);
  g_autofree bool *thick = g_memdup2 (cells, sizeof *cells * n_cells (grid));
  spread (grid, thick, THIN, false);
  spread (grid, thick, THIN + 1, true);
  for (gsize i = 0; i < n_cells (grid); i++)
    cells[i] &= thick[i];
}

static bool
is_bar (const Part *part)
{
  const int width = part->right - part->left + 1, height = part->bottom - part->top + 1;

  return width > LONG * height || height > LONG * width;
}

static bool
find_hulls (const Grid *grid, const bool *cells, const bool *lit, bool *found)
{
  g_autofree int *numbers = g_new (int, n_cells (grid));
  g_autoptr (GArray) parts = find_parts (grid, cells, lit, numbers);
  int most = 0;

  memset (found, 0, sizeof *found * n_cells (grid));
  for (guint i = 1; i < parts->len; i++) {
    const Part *part = &g_array_index (parts, Part, i);
    most = is_bar (part) ? most : MAX (most, part->lit);
  }
  if (most < LEAST_AREA * (double) n_cells (grid))
    return false;
  for (guint i = 1; i < parts->len; i++) {
    const Part *part = &g_array_index (parts, Part, i);
    if (!is_bar (part) && part->lit >= LIKE_THE_LARGEST * most
        && part->area < LEAST_FILLED * add_hull (grid, numbers, (int) i, found))
      return false;
  }
  return true;
}

// Sets inside[y · width + x] to 0 outside the sector, which is looked for where it is not
// 0; slice 0, frame 0.
// It is the convex hull of the largest area without thin parts, and of others that are
// nearly as large, without what lies between a curved transducer and the chord of its
// arc; so dark places within, and at the far end, belong to it. Exact to two pixels or
// so in pictures of 640 columns. ODL_ERROR_UNSUPPORTED, a sentence without the file's
// name: there is nothing like that. Any thread.
static bool
odl_sector_find (OdlImage *image, guint8 *inside, GError **error)
{
  const OdlExtent extent = odl_image_info (image)->extent;
  const int size = (MAX (extent.x, extent.y) + MOST_CELLS - 1) / MOST_CELLS;
  const Grid grid = { (extent.x + size - 1) / size, (extent.y + size - 1) / size, size };
  g_autofree float *picture = read_picture (image);
  g_autofree bool *lit = lit_cells (&grid, picture, inside, extent, LIT);
  g_autofree bool *faint = lit_cells (&grid, picture, inside, extent, FAINT);
  g_autofree bool *found = g_new (bool, n_cells (&grid));

  drop_thin_parts (&grid, lit);
  drop_thin_parts (&grid, faint);
  if (!find_hulls (&grid, faint, lit, found) && !find_hulls (&grid, lit, lit, found))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("no ultrasound sector was found in it: an area of its own "
                             "on an even background. Filter everywhere."));
  for (int y = 0; y < extent.y; y++)
    for (int x = 0; x < extent.x; x++)
      if (!found[(gsize) (y / size) * grid.width + x / size])
        inside[(gsize) y * extent.x + x] = 0;
  return true;
}

const char *const odl_area_names[ODL_N_AREAS + 1]
    = { [ODL_AREA_ALL] = "none", "region", "sector", NULL };

bool
odl_area_has_regions (const OdlImageInfo *info)
{
  for (int i = 0; info->regions != NULL && i < info->regions->n; i++)
    if (info->regions->items[i].kind == ODL_REGION_TISSUE)
      return true;
  return false;
}

// Of regions that cover each other the first one is seen.
static void
keep_regions (const OdlImageInfo *info, guint8 *inside)
{
  for (int y = 0; y < info->extent.y; y++)
    for (int x = 0; x < info->extent.x; x++) {
      const int found = odl_regions_at (info->regions, x + 0.5, y + 0.5);
      if (found < 0 || info->regions->items[found].kind != ODL_REGION_TISSUE)
        inside[(gsize) y * info->extent.x + x] = 0;
    }
}

bool
odl_area_find (OdlImage *image, OdlArea area, guint8 *inside, GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);

  if (area == ODL_AREA_REGION && !odl_area_has_regions (info))
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it does not say which parts of it are ultrasound pictures, so that filters "
           "cannot be kept inside them. Look for the sector, or filter everywhere."));
  memset (inside, 255, (gsize) info->extent.x * info->extent.y);
  if (area != ODL_AREA_ALL && odl_area_has_regions (info))
    keep_regions (info, inside);
  return area != ODL_AREA_SECTOR || odl_sector_find (image, inside, error);
}

bool
odl_area_add (OdlOperands *operands, OdlImage *image, OdlArea area, GError **error)
{
  const OdlExtent extent = odl_image_info (image)->extent;
  const OdlImageInfo like
      = { .extent = { extent.x, extent.y }, .channels = 1, .type = ODL_SAMPLE_U8 };
  void *inside = NULL, *outside = NULL;

  if (area == ODL_AREA_ALL)
    return true;
  g_autoptr (OdlImage) mask = odl_image_alloc (&like, &inside, error);
  g_autoptr (OdlImage) rest = odl_image_alloc (&like, &outside, error);
  if (mask == NULL || rest == NULL || !odl_area_find (image, area, inside, error))
    return false;
  for (gsize i = 0; i < (gsize) extent.x * extent.y; i++)
    ((guint8 *) outside)[i] = (guint8) ~((const guint8 *) inside)[i];
  return odl_operands_add (operands, ODL_AREA_INSIDE, mask, error)
         && odl_operands_add (operands, ODL_AREA_OUTSIDE, rest, error);
}
