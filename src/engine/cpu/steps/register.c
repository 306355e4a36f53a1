// SPDX-License-Identifier: MIT
// A picture registered to another one, as image/morphon/morphon.h says.
#include "engine/cpu/steps/work.h"

#include "engine/register.h"

// Without gaps between rows; the mean of channels first … first + n − 1.
static void
gather (const OdlCpuPicture *picture, int first, int n, float *samples)
{
  for (int y = 0; y < picture->height; y++) {
    float *row = samples + (size_t) y * picture->width;
    for (int c = 0; c < n; c++) {
      const float *from = odl_cpu_row (picture, first + c, y);
      for (int x = 0; x < picture->width; x++)
        row[x] = (c > 0 ? row[x] : 0) + from[x] / (float) n;
    }
  }
}

// Likewise the mean of all slices of channels first … first + n − 1.
static void
gather_volume (const OdlCpuPicture *picture, int first, int n, float *samples)
{
  for (int z = 0; z < picture->depth; z++)
    gather (picture, z * picture->channels + first, n,
            samples + (size_t) z * picture->height * picture->width);
}

static void
run_volume (const OdlCpuWork *work)
{
  const OdlCpuPicture *in = work->in[0], *other = work->in[1], *out = work->out;
  const size_t width = (size_t) in->width;
  const size_t n = width * (size_t) in->height * (size_t) in->depth;
  g_autofree float *floats = g_try_new (float, (size_t) (2 + in->channels) * n);
  g_autofree float **volumes = g_new (float *, in->channels);
  const OdlRegisterVolume run = { .step = work->step,
                                  .size = { in->width, in->height, in->depth },
                                  .moving = floats,
                                  .reference = floats + n,
                                  .progress = work->progress };

  if (floats == NULL) {
    odl_cpu_short_of_memory (work);
    return;
  }
  gather_volume (in, 0, in->channels, floats);
  gather_volume (other, 0, other->channels, floats + n);
  for (int c = 0; c < in->channels; c++) {
    volumes[c] = floats + (size_t) (2 + c) * n;
    gather_volume (in, c, 1, volumes[c]);
  }
  if (!odl_register_run_volume (&run, volumes, in->channels))
    odl_cpu_short_of_memory (work);
  for (int plane = 0; plane < odl_cpu_planes (out); plane++)
    for (int y = 0; y < in->height; y++)
      memcpy (odl_cpu_row (out, plane, y),
              volumes[plane % in->channels]
                  + ((size_t) (plane / in->channels) * (size_t) in->height + (size_t) y)
                        * width,
              width * sizeof (float));
}

void
odl_cpu_register_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->out->depth > 1) {
    run_volume (work);
    return;
  }
  const OdlCpuPicture *in = work->in[0], *other = work->in[1];
  const size_t n = (size_t) in->width * (size_t) in->height;
  g_autofree float *floats = g_try_new (float, 4 * n);
  if (floats == NULL) {
    odl_cpu_short_of_memory (work);
    return;
  }
  float *result = floats + 3 * n;
  const OdlRegister run = { .step = work->step,
                            .width = in->width,
                            .height = in->height,
                            .moving = floats,
                            .reference = floats + n,
                            .picture = floats + 2 * n,
                            .progress = work->progress,
                            .pictures = odl_cpu_planes (work->out) };

  (void) from, (void) to;
  gather (in, 0, in->channels, floats);
  gather (other, 0, other->channels, floats + n);
  gather (in, channel, 1, floats + 2 * n);
  if (!odl_register_run (&run, result))
    odl_cpu_short_of_memory (work);
  for (int y = 0; y < in->height; y++)
    memcpy (odl_cpu_row (work->out, channel, y), result + (size_t) y * in->width,
            (size_t) in->width * sizeof *result);
}
