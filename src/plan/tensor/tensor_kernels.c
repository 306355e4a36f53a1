// SPDX-License-Identifier: MIT
#include "plan/tensor/tensor_kernels.h"

#include <math.h>

#include "base/parallel.h"
#include "plan/tensor/tensor.h"

#define KEPT 6 // banks: an adaptive filter has two
#define MOST (2 * ODL_TENSOR_MOST)

typedef struct {
  bool quadrature;
  int dimensions, side;
  double a, b; // frequency and bandwidth, or the cut-off
} Key;

typedef struct {
  Key key;
  int n; // kernels; 0: unused
  unsigned used; // the larger, the later
  OdlKernel kernels[MOST];
} Entry;

typedef struct {
  GMutex lock;
  Entry entries[KEPT];
  unsigned turn;
} Kept;

// That of the process.
static Kept *
kept_banks (void)
{
  static gsize made;

  if (g_once_init_enter (&made)) {
    Kept *kept = g_new0 (Kept, 1);
    g_mutex_init (&kept->lock);
    g_once_init_leave (&made, (gsize) kept);
  }
  return (Kept *) made;
}

static OdlKernel
make_quadrature (const Key *key, int k)
{
  double n[4];

  odl_tensor_direction (key->dimensions, k / 2, n);
  const double space = sqrt (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  const OdlQuadrature shape
      = { .frequency = key->a,
          .bandwidth = key->b,
          .direction = atan2 (n[1], n[0]) * 180 / G_PI,
          .elevation = asin (CLAMP (n[2] / space, -1, 1)) * 180 / G_PI,
          .tempo = asin (CLAMP (n[3], -1, 1)) * 180 / G_PI,
          .imaginary = k % 2 > 0 };
  return odl_kernel_quadrature (key->dimensions, key->side, key->side, &shape);
}

static OdlKernel
make_kernel (const Key *key, int k)
{
  double n[4];

  if (key->quadrature)
    return make_quadrature (key, k);
  odl_tensor_direction (key->dimensions, k, n);
  return odl_kernel_high_pass (key->dimensions, key->side, key->a, n);
}

static OdlKernel
copy_kernel (const OdlKernel *kernel)
{
  OdlKernel copy = *kernel;

  copy.value = g_memdup2 (kernel->value, (gsize) kernel->width * kernel->height
                                             * kernel->depth * MAX (kernel->duration, 1)
                                             * sizeof *kernel->value);
  return copy;
}

static bool
is_of (const Entry *entry, const Key *key)
{
  return entry->n > 0 && entry->key.quadrature == key->quadrature
         && entry->key.dimensions == key->dimensions && entry->key.side == key->side
         && entry->key.a == key->a && entry->key.b == key->b;
}

static bool
take_kept (const Key *key, OdlKernel *kernels)
{
  Kept *kept = kept_banks ();
  bool found = false;

  g_mutex_lock (&kept->lock);
  for (int i = 0; i < KEPT && !found; i++) {
    Entry *entry = &kept->entries[i];
    found = is_of (entry, key);
    for (int k = 0; found && k < entry->n; k++)
      kernels[k] = copy_kernel (&entry->kernels[k]);
    entry->used = found ? ++kept->turn : entry->used;
  }
  g_mutex_unlock (&kept->lock);
  return found;
}

// In the place of what was not used for longest.
static void
keep (const Key *key, const OdlKernel *kernels, int n)
{
  Kept *kept = kept_banks ();

  g_mutex_lock (&kept->lock);
  Entry *entry = &kept->entries[0];
  for (int i = 1; i < KEPT; i++)
    if (kept->entries[i].used < entry->used)
      entry = &kept->entries[i];
  for (int k = 0; k < entry->n; k++)
    odl_kernel_clear (&entry->kernels[k]);
  *entry = (Entry){ .key = *key, .n = n, .used = ++kept->turn };
  for (int k = 0; k < n; k++)
    entry->kernels[k] = copy_kernel (&kernels[k]);
  g_mutex_unlock (&kept->lock);
}

static void
find_kernels (const Key *key, int n, OdlKernel *kernels)
{
  if (take_kept (key, kernels))
    return;
  ODL_PARALLEL_FOR
  for (int k = 0; k < n; k++)
    kernels[k] = make_kernel (key, k);
  keep (key, kernels, n);
}

void
odl_tensor_quadratures (int dimensions,
                        int side,
                        double frequency,
                        double bandwidth,
                        OdlKernel *kernels)
{
  const Key key = { true, dimensions, side, frequency, bandwidth };

  find_kernels (&key, 2 * odl_tensor_count (dimensions), kernels);
}

void
odl_tensor_high_bands (int dimensions, int side, double cutoff, OdlKernel *kernels)
{
  const Key key = { false, dimensions, side, cutoff, 0 };

  find_kernels (&key, odl_tensor_count (dimensions), kernels);
}
