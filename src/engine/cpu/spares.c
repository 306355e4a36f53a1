// SPDX-License-Identifier: MIT
#include "engine/cpu/spares.h"

#include "base/memory.h"

// Numbers and thresholds keep their memory, and what they hold.
#define LEAST_FLOATS ((size_t) 1 << 18)

typedef struct {
  float *samples;
  size_t floats;
} Spare;

struct _OdlCpuSpares {
  bool huge_pages;
  GArray *spares; // Spare
};

OdlCpuSpares *
odl_cpu_spares_new (bool huge_pages)
{
  OdlCpuSpares *self = g_new (OdlCpuSpares, 1);

  self->huge_pages = huge_pages;
  self->spares = g_array_new (FALSE, FALSE, sizeof (Spare));
  return self;
}

void
odl_cpu_spares_free (OdlCpuSpares *self)
{
  for (guint i = 0; i < self->spares->len; i++)
    odl_aligned_free (g_array_index (self->spares, Spare, i).samples);
  g_array_unref (self->spares);
  g_free (self);
}

static size_t
floats_of (const OdlCpuPicture *picture)
{
  return picture->pitch * (size_t) picture->height * (size_t) odl_cpu_planes (picture);
}

void
odl_cpu_spares_give (OdlCpuSpares *self, OdlCpuPicture *picture)
{
  const Spare spare = { picture->samples, floats_of (picture) };

  if (spare.samples == NULL || spare.floats < LEAST_FLOATS)
    return;
  g_array_append_val (self->spares, spare);
  picture->samples = NULL;
}

bool
odl_cpu_spares_take (OdlCpuSpares *self, OdlCpuPicture *picture, size_t *allocations)
{
  const size_t floats = floats_of (picture);

  if (picture->samples != NULL)
    return true;
  for (guint i = self->spares->len; i > 0; i--) {
    const Spare spare = g_array_index (self->spares, Spare, i - 1);
    if (spare.floats != floats)
      continue;
    g_array_remove_index (self->spares, i - 1);
    picture->samples = spare.samples;
    return true;
  }
  if (!odl_cpu_picture_alloc (picture, self->huge_pages))
    return false;
  ++*allocations;
  return true;
}
