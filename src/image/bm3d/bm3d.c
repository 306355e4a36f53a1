// SPDX-License-Identifier: MIT
#include "image/bm3d/bm3d.h"

#include <glib.h>
#include <string.h>

#include "base/memory.h"
#include "image/bm3d/pass.h"

#define SIDE ODL_BM3D_SIDE

static int
count_channels (const OdlBm3d *bm3d)
{
  return MAX (bm3d->channels, 1);
}

static void
copy_picture (const OdlBm3d *bm3d, float *result, size_t pitch)
{
  for (int c = 0; c < count_channels (bm3d); c++)
    for (int y = 0; y < bm3d->height; y++)
      memcpy (result + (size_t) c * bm3d->result_plane + (size_t) y * pitch,
              bm3d->samples + (size_t) c * bm3d->plane + (size_t) y * bm3d->pitch,
              (size_t) bm3d->width * sizeof *result);
}

// `size`: from a channel of the copy to the next one.
static OdlBm3dPicture
padded (const OdlBm3d *bm3d,
        const float *samples,
        size_t pitch,
        int channels,
        size_t plane,
        float *copy,
        size_t size)
{
  const int width = MAX (bm3d->width, SIDE);

  for (int c = 0; c < channels; c++)
    odl_bm3d_pad (samples + (size_t) c * plane, pitch, bm3d->width, bm3d->height,
                  copy + (size_t) c * size);
  return (OdlBm3dPicture){ .samples = copy,
                           .pitch = (size_t) width,
                           .frame = channels > 1 ? size : 0,
                           .width = width,
                           .height = MAX (bm3d->height, SIDE) };
}

// `room` is zero; `size`: of a channel there, before phases.
static bool
run (const OdlBm3d *bm3d, float *room, size_t size, float *result, size_t pitch)
{
  const int channels = count_channels (bm3d);
  const size_t all = (size_t) channels * size;
  OdlBm3dPass pass = {
    .second = bm3d->guide != NULL,
    .n_frames = channels,
    .together = channels > 1,
    .sigma = bm3d->sigma,
    .correlations = bm3d->correlations,
    .effort = bm3d->effort,
    .kernels = bm3d->kernels != NULL ? bm3d->kernels : &odl_bm3d_plain,
    .progress = bm3d->progress,
    .passes = MAX (bm3d->pictures, 1),
    .phases = room + 4 * all + size,
    .sums = room + 2 * all,
    .weights = room + 3 * all,
  };

  pass.picture
      = padded (bm3d, bm3d->samples, bm3d->pitch, channels, bm3d->plane, room, size);
  if (pass.second)
    pass.guide = padded (bm3d, bm3d->guide, bm3d->guide_pitch, channels,
                         bm3d->guide_plane, room + all, size);
  if (bm3d->searched != NULL)
    pass.searched
        = padded (bm3d, bm3d->searched, bm3d->searched_pitch, 1, 0, room + 4 * all, size);
  if (!odl_bm3d_pass (&pass))
    return false;
  for (size_t c = 0; c < (size_t) channels; c++)
    odl_bm3d_divide (&pass.picture, pass.sums + c * size, pass.weights + c * size,
                     bm3d->width, bm3d->height, result + c * bm3d->result_plane, pitch);
  return true;
}

bool
odl_bm3d_run (const OdlBm3d *bm3d, float *result, size_t pitch)
{
  const int width = MAX (bm3d->width, SIDE), height = MAX (bm3d->height, SIDE);
  const size_t size = (size_t) width * (size_t) height + ODL_BM3D_SLACK;
  const size_t pictures = 4 * (size_t) count_channels (bm3d) + 1;
  const size_t phases = odl_bm3d_phases_size (width, height, bm3d->effort);
  float *room = bm3d->sigma > 0
                    ? odl_aligned_alloc ((pictures * size + phases) * sizeof *room)
                    : NULL;

  const bool filtered = room != NULL && run (bm3d, room, size, result, pitch);
  if (!filtered)
    copy_picture (bm3d, result, pitch);
  odl_aligned_free (room);
  return filtered || !(bm3d->sigma > 0);
}
