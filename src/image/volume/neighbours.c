// SPDX-License-Identifier: MIT
#include "image/volume/neighbours.h"

typedef struct {
  int64_t index;
  OdlImage *image;
} Neighbour;

struct _OdlNeighbours {
  gatomicrefcount ref_count;
  int64_t at;
  int64_t count;
  GArray *frames; // of Neighbour
};

static void
neighbour_clear (void *data)
{
  odl_image_unref (((Neighbour *) data)->image);
}

OdlNeighbours *
odl_neighbours_new (int64_t at, int64_t count)
{
  OdlNeighbours *neighbours = g_new0 (OdlNeighbours, 1);

  g_atomic_ref_count_init (&neighbours->ref_count);
  neighbours->at = at;
  neighbours->count = count;
  neighbours->frames = g_array_new (FALSE, FALSE, sizeof (Neighbour));
  g_array_set_clear_func (neighbours->frames, neighbour_clear);
  return neighbours;
}

OdlNeighbours *
odl_neighbours_ref (OdlNeighbours *neighbours)
{
  g_return_val_if_fail (neighbours != NULL, NULL);
  g_atomic_ref_count_inc (&neighbours->ref_count);
  return neighbours;
}

void
odl_neighbours_unref (OdlNeighbours *neighbours)
{
  if (neighbours == NULL || !g_atomic_ref_count_dec (&neighbours->ref_count))
    return;
  g_array_unref (neighbours->frames);
  g_free (neighbours);
}

void
odl_neighbours_put (OdlNeighbours *neighbours, int64_t index, OdlImage *image)
{
  g_return_if_fail (neighbours != NULL && image != NULL);

  const Neighbour neighbour = { index, odl_image_ref (image) };
  g_array_append_val (neighbours->frames, neighbour);
}

bool
odl_neighbours_are_alike (const OdlImage *one, const OdlImage *other)
{
  const OdlImageInfo *a = odl_image_info (one), *b = odl_image_info (other);

  return a->extent.x == b->extent.x && a->extent.y == b->extent.y
         && a->extent.z == b->extent.z && a->channels == b->channels
         && a->stored_min == b->stored_min && a->stored_max == b->stored_max;
}

void
odl_neighbours_set_count (OdlNeighbours *neighbours, int64_t count)
{
  g_return_if_fail (neighbours != NULL && count > 0);
  neighbours->count = count;
}

int64_t
odl_neighbours_at (const OdlNeighbours *neighbours)
{
  return neighbours->at;
}

int64_t
odl_neighbours_count (const OdlNeighbours *neighbours)
{
  return neighbours->count;
}

OdlImage *
odl_neighbours_find (const OdlNeighbours *neighbours, int64_t index)
{
  for (guint i = 0; i < neighbours->frames->len; i++) {
    const Neighbour *neighbour = &g_array_index (neighbours->frames, Neighbour, i);
    if (neighbour->index == index)
      return neighbour->image;
  }
  return NULL;
}
