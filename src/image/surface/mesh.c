// SPDX-License-Identifier: MIT
#include "image/surface/mesh.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"

// A normal is none when the sine of the angle between both tangents is below.
#define LEAST_SINE 1e-7

typedef struct {
  int first; // B-spline
  double values[ODL_SURFACE_MAX_DEGREE + 1];
  double derivatives[ODL_SURFACE_MAX_DEGREE + 1];
} Basis;

float *
odl_surface_points (const OdlImage *grid, const OdlImageInfo *info)
{
  const int columns = info->extent.x, rows = info->extent.y;
  const double range = info->stored_max - info->stored_min;
  float *points = g_new (float, 3 * (size_t) columns * (size_t) rows);
  g_autofree float *row = g_new (float, columns);

  for (int y = 0; y < rows; y++)
    for (int c = 0; c < 3; c++) {
      float *to = points + 3 * (size_t) y * (size_t) columns + c;
      odl_image_scaled_row (grid, c, y, 0, 0, row);
      for (int x = 0; x < columns; x++)
        to[3 * (size_t) x] = (float) (info->stored_min + range * (double) row[x]);
    }
  return points;
}

// The knots inside the range, each once, with both ends.
static double *
find_breaks (const OdlSurface *surface, int direction, int *count)
{
  const int n = surface->shape.points[direction] + surface->shape.degree[direction] + 1;
  const double *knots = surface->knots[direction], *range = surface->range[direction];
  double *breaks = g_new (double, n + 2);

  *count = 0;
  breaks[(*count)++] = range[0];
  for (int i = 0; i < n; i++)
    if (knots[i] > breaks[*count - 1] && knots[i] < range[1])
      breaks[(*count)++] = knots[i];
  breaks[(*count)++] = range[1];
  return breaks;
}

// Where the mesh has vertices along a direction: ascending parameters, with those of the
// knots unless there are too many. Transfer full.
static double *
parameters_along (const OdlSurface *surface, int direction, int *count)
{
  int n_breaks;
  g_autofree double *breaks = find_breaks (surface, direction, &n_breaks);
  const int spans = n_breaks - 1;
  const int pieces = CLAMP (ODL_MESH_USUAL / spans, 1, ODL_MESH_FINEST);
  const int stride = (spans + ODL_MESH_MOST - 1) / ODL_MESH_MOST;
  double *at = g_new (double, (size_t) spans *pieces + 1);

  *count = 0;
  for (int i = 0; i < spans; i += stride)
    for (int k = 0; k < pieces; k++)
      at[(*count)++] = breaks[i] + (breaks[i + 1] - breaks[i]) * k / pieces;
  at[(*count)++] = breaks[spans];
  return at;
}

static Basis *
find_bases (const OdlSurface *surface, int direction, int *count)
{
  g_autofree double *at = parameters_along (surface, direction, count);
  Basis *bases = g_new (Basis, *count);

  for (int i = 0; i < *count; i++)
    bases[i].first = odl_surface_basis (surface, direction, at[i], bases[i].values,
                                        bases[i].derivatives);
  return bases;
}

// Sums of w·x, w·y, w·z, w over the control points: of the surface and of its derivatives
// along u and v.
typedef struct {
  double point[4], along_u[4], along_v[4];
} Sums;

static void
add_up (const OdlSurface *surface,
        const float *points,
        const Basis *u,
        const Basis *v,
        Sums *sums)
{
  const OdlSurfaceShape *shape = &surface->shape;

  *sums = (Sums){ 0 };
  for (int j = 0; j <= shape->degree[1]; j++) {
    double row[4] = { 0 }, slope[4] = { 0 };
    const size_t begin
        = (size_t) (v->first + j) * (size_t) shape->points[0] + (size_t) u->first;
    for (int i = 0; i <= shape->degree[0]; i++) {
      const size_t at = begin + (size_t) i;
      const double w = surface->weights != NULL ? surface->weights[at] : 1;
      const double homogeneous[4]
          = { w * (double) points[3 * at], w * (double) points[3 * at + 1],
              w * (double) points[3 * at + 2], w };
      for (int c = 0; c < 4; c++) {
        row[c] += u->values[i] * homogeneous[c];
        slope[c] += u->derivatives[i] * homogeneous[c];
      }
    }
    for (int c = 0; c < 4; c++) {
      sums->point[c] += v->values[j] * row[c];
      sums->along_u[c] += v->values[j] * slope[c];
      sums->along_v[c] += v->derivatives[j] * row[c];
    }
  }
}

static double
length_of (const double v[3])
{
  return sqrt (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Zero where a tangent vanishes, as at a pole, or both are parallel.
static void
set_normal (const double u[3], const double v[3], float normal[3])
{
  const double cross[3] = { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                            u[0] * v[1] - u[1] * v[0] };
  const double length = length_of (cross);
  const bool good = length > LEAST_SINE * length_of (u) * length_of (v);

  for (int c = 0; c < 3; c++)
    normal[c] = good ? (float) (cross[c] / length) : 0;
}

static void
set_vertex (const Sums *sums, float position[3], float normal[3])
{
  const double w = sums->point[3];
  double u[3], v[3];

  // The quotient rule: (A / w)′ = (A′ − w′ · A / w) / w.
  for (int c = 0; c < 3; c++) {
    const double at = sums->point[c] / w;
    position[c] = (float) at;
    u[c] = (sums->along_u[c] - sums->along_u[3] * at) / w;
    v[c] = (sums->along_v[c] - sums->along_v[3] * at) / w;
  }
  set_normal (u, v, normal);
}

static bool
is_missing (const float normal[3])
{
  return normal[0] == 0 && normal[1] == 0 && normal[2] == 0;
}

// The mean of the normals about a vertex that has none; z where they have none either.
static void
mend_normal (const OdlMesh *mesh, const float *normals, int column, int row)
{
  float *normal = mesh->normals + 3 * ((size_t) row * (size_t) mesh->columns + column);
  double sum[3] = { 0 };

  for (int y = MAX (row - 1, 0); y <= MIN (row + 1, mesh->rows - 1); y++)
    for (int x = MAX (column - 1, 0); x <= MIN (column + 1, mesh->columns - 1); x++)
      for (int c = 0; c < 3; c++)
        sum[c] += (double) normals[3 * ((size_t) y * (size_t) mesh->columns + x) + c];
  const double length = length_of (sum);
  for (int c = 0; c < 3; c++)
    normal[c] = length > LEAST_SINE ? (float) (sum[c] / length) : c == 2;
}

static void
mend_normals (OdlMesh *mesh)
{
  const size_t n = 3 * (size_t) mesh->columns * (size_t) mesh->rows;
  g_autofree float *before = g_memdup2 (mesh->normals, n * sizeof (float));

  for (int row = 0; row < mesh->rows; row++)
    for (int column = 0; column < mesh->columns; column++)
      if (is_missing (before + 3 * ((size_t) row * (size_t) mesh->columns + column)))
        mend_normal (mesh, before, column, row);
}

static void
evaluate_row (const OdlSurface *surface,
              const float *points,
              const Basis *across,
              const Basis *down,
              int row,
              OdlMesh *mesh)
{
  size_t at = 3 * (size_t) row * (size_t) mesh->columns;
  Sums sums;

  for (int column = 0; column < mesh->columns; column++, at += 3) {
    add_up (surface, points, &across[column], &down[row], &sums);
    set_vertex (&sums, mesh->positions + at, mesh->normals + at);
  }
}

static OdlMesh *
alloc_mesh (void)
{
  OdlMesh *mesh = g_new0 (OdlMesh, 1);

  g_atomic_ref_count_init (&mesh->ref_count);
  return mesh;
}

OdlMesh *
odl_mesh_new (const OdlSurface *surface, const float *points)
{
  OdlMesh *mesh = alloc_mesh ();
  g_autofree Basis *across = find_bases (surface, ODL_SURFACE_U, &mesh->columns);
  g_autofree Basis *down = find_bases (surface, ODL_SURFACE_V, &mesh->rows);
  const size_t n = 3 * (size_t) mesh->columns * (size_t) mesh->rows;

  mesh->positions = g_new (float, n);
  mesh->normals = g_new (float, n);
  ODL_PARALLEL_FOR
  for (int row = 0; row < mesh->rows; row++)
    evaluate_row (surface, points, across, down, row, mesh);
  mend_normals (mesh);
  return mesh;
}

OdlMesh *
odl_mesh_new_net (const OdlSurface *surface, const float *points)
{
  OdlMesh *net = alloc_mesh ();

  net->columns = surface->shape.points[0];
  net->rows = surface->shape.points[1];
  net->positions = g_memdup2 (points, 3 * (size_t) net->columns * (size_t) net->rows
                                          * sizeof (float));
  return net;
}

OdlMesh *
odl_mesh_ref (OdlMesh *mesh)
{
  g_atomic_ref_count_inc (&mesh->ref_count);
  return mesh;
}

void
odl_mesh_unref (OdlMesh *mesh)
{
  if (mesh == NULL || !g_atomic_ref_count_dec (&mesh->ref_count))
    return;
  g_free (mesh->positions);
  g_free (mesh->normals);
  g_free (mesh);
}

void
odl_mesh_measure (const OdlMesh *mesh, float centre[3], float *radius)
{
  const size_t n = (size_t) mesh->columns * (size_t) mesh->rows;
  float low[3], high[3];
  double most = 0;

  memcpy (low, mesh->positions, sizeof low);
  memcpy (high, mesh->positions, sizeof high);
  for (size_t i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) {
      low[c] = MIN (low[c], mesh->positions[3 * i + c]);
      high[c] = MAX (high[c], mesh->positions[3 * i + c]);
    }
  for (int c = 0; c < 3; c++)
    centre[c] = low[c] / 2 + high[c] / 2;
  for (size_t i = 0; i < n; i++) {
    const double off[3] = { (double) (mesh->positions[3 * i] - centre[0]),
                            (double) (mesh->positions[3 * i + 1] - centre[1]),
                            (double) (mesh->positions[3 * i + 2] - centre[2]) };
    most = MAX (most, length_of (off));
  }
  *radius = (float) MAX (most, 1e-30);
}
