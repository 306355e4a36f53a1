// SPDX-License-Identifier: MIT
// A picture registered to another one, as image/morphon/morphon.h says.
#include "engine/cpu/steps/register.h"

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

void
odl_cpu_register_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *in = work->in[0], *other = work->in[1];
  const size_t n = (size_t) in->width * (size_t) in->height;
  g_autofree float *floats = g_new (float, 4 * n);
  float *result = floats + 3 * n;
  const OdlRegister run = { .step = work->step,
                            .width = in->width,
                            .height = in->height,
                            .moving = floats,
                            .reference = floats + n,
                            .picture = floats + 2 * n };

  (void) from, (void) to;
  gather (in, 0, in->channels, floats);
  gather (other, 0, other->channels, floats + n);
  gather (in, channel, 1, floats + 2 * n);
  odl_register_run (&run, result);
  for (int y = 0; y < in->height; y++)
    memcpy (odl_cpu_row (work->out, channel, y), result + (size_t) y * in->width,
            (size_t) in->width * sizeof *result);
}
