// SPDX-License-Identifier: MIT
// Bisection over values, as for medians without weights (kernels/median_kernels.h): for
// PART samples at a time, whose candidates shrink to the one that is left.
#include "base/clones.h"
#include "engine/cpu/steps/work.h"

enum { PART = 64, MOST_SIDE = ODL_PLAN_MAX_KERNEL, PIECE = PART + MOST_SIDE - 1 };

typedef struct {
  float line[MOST_SIDE][PIECE + ODL_CPU_SLACK];
  float least[PART], greatest[PART];
} Room;

// Halves the candidates of every sample; whether any has more than one left.
ODL_ROW_LOOP
static bool
halve (Room *room, const OdlStep *step, float half)
{
  float middle[PART], below[PART], above[PART], weight[PART];
  int many = 0;

  for (int i = 0; i < PART; i++) {
    const float least = room->least[i], greatest = room->greatest[i];
    const float at = least + (greatest - least) * 0.5f;
    middle[i] = at < greatest ? at : least;
    below[i] = least;
    above[i] = greatest;
    weight[i] = 0;
  }
  for (int k = 0; k < step->kernel_width * step->kernel_height; k++) {
    const float *line = room->line[k / step->kernel_width] + k % step->kernel_width;
    const float own = step->parameters.kernel[k];
    for (int i = 0; i < PART; i++) {
      const float value = line[i];
      const bool inside = value <= middle[i];
      weight[i] += inside ? own : 0;
      below[i] = inside && value > below[i] ? value : below[i];
      above[i] = !inside && value < above[i] ? value : above[i];
    }
  }
  for (int i = 0; i < PART; i++) {
    const bool enough = weight[i] >= half;
    room->greatest[i] = enough ? below[i] : room->greatest[i];
    room->least[i] = enough ? room->least[i] : above[i];
    many |= room->least[i] < room->greatest[i];
  }
  return many != 0;
}

ODL_ROW_LOOP
static void
find_ends (Room *room, const OdlStep *step)
{
  for (int i = 0; i < PART; i++)
    room->least[i] = room->greatest[i] = room->line[0][i];
  for (int k = 1; k < step->kernel_width * step->kernel_height; k++) {
    const float *line = room->line[k / step->kernel_width] + k % step->kernel_width;
    for (int i = 0; i < PART; i++) {
      room->least[i] = MIN (room->least[i], line[i]);
      room->greatest[i] = MAX (room->greatest[i], line[i]);
    }
  }
}

void
odl_cpu_weighted_median_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStep *step = work->step;
  const int width = work->out->width, height = work->out->height;
  const int across = step->kernel_width / 2, down = step->kernel_height / 2;
  const float half = (float) odl_step_value (step, "half");
  Room room = { 0 };

  for (int y = from; y < to; y++)
    for (int x = 0; x < width; x += PART) {
      const int count = MIN (PART, width - x);
      for (int k = 0; k < step->kernel_height; k++) {
        const float *line
            = odl_cpu_row (work->in[0], channel, odl_border_fold (y + k - down, height));
        odl_cpu_copy_mirrored (line, width, x - across, x + count + across, room.line[k]);
      }
      find_ends (&room, step);
      while (halve (&room, step, half))
        ;
      memcpy (odl_cpu_row (work->out, channel, y) + x, room.least,
              (size_t) count * sizeof (float));
    }
}
