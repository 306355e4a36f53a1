// SPDX-License-Identifier: MIT
#include "engine/cpu/strips.h"

#include "engine/cpu/pipe.h"

// A strip's rows depend on rows above and below, which its neighbours compute as well:
// its overlap. A strip is at least as high as its overlap on one side, and has so many
// samples of its own. A picture below the least number is not worth waking a thread for.
#define STRIP_SAMPLES 32768
#define LEAST_SAMPLES 131072

// Many strips lie side by side, each half as wide and twice as high as before, as long as
// it is so wide and no higher than wide: its overlap is smaller then, and its lines take
// half of the room in the second cache. Fewer strips are high enough as they are. Both
// ends of a row cost the same in a narrow strip as in a wide one: hence the least width.
#define MANY_STRIPS 8
#define LEAST_WIDTH 1024

// Floats per cache line; adjacent strips do not share one.
#define LINE_FLOATS 16

static int
count_strips (const OdlCpuStrips *strips, int threads)
{
  const int64_t samples = (int64_t) strips->width * strips->height;
  const int64_t by_size = samples < LEAST_SAMPLES ? 1 : samples / STRIP_SAMPLES;
  const int64_t by_height = strips->height / strips->reach;

  return (int) CLAMP (MIN (by_size, by_height), 1, MAX (threads, 1));
}

// One in luma mode, since colour rows are read whole, and where coefficients are kept,
// since kernels write whole vectors of them.
static int
count_columns (const OdlCpuStrips *strips, const OdlCpuSpan *span)
{
  const int64_t width = strips->width, height = strips->height;
  int columns = 1;

  if (span->luma || span->measured || strips->count < MANY_STRIPS)
    return 1;
  while (strips->count % (2 * columns) == 0 && width / (2 * columns) >= LEAST_WIDTH
         && width / (2 * columns) >= 2 * height * columns / strips->count)
    columns *= 2;
  return columns;
}

OdlCpuStrips
odl_cpu_strips (const OdlPlan *plan, const OdlCpuSpan *span, int threads)
{
  const OdlCpuLift lift = odl_cpu_lift_of_wavelet (plan->steps[span->filter].wavelet);
  OdlCpuStrips strips = {
    .width = plan->geometry.width,
    .height = plan->geometry.height,
    .unit = 1 << span->levels,
    // Coefficients that are kept depend on half of what the result does.
    .reach = odl_cpu_pipe_reach (&lift, span->levels) / (span->measured ? 2 : 1),
  };

  strips.count = count_strips (&strips, threads);
  strips.columns = count_columns (&strips, span);
  return strips;
}

// Part `index` of `count`, which begins and ends at multiples of `unit`.
static OdlCpuRange
cut (const OdlCpuStrips *strips, int size, int index, int count, int unit)
{
  const int first = (int) ((int64_t) size * index / count) / unit * unit;
  const int end = index == count - 1
                      ? size
                      : (int) ((int64_t) size * (index + 1) / count) / unit * unit;
  const int more = (strips->reach + unit - 1) / unit * unit;

  return (OdlCpuRange){ first, end, MAX (first - more, 0), MIN (end + more, size) };
}

OdlCpuRange
odl_cpu_strip_rows (const OdlCpuStrips *strips, int index)
{
  return cut (strips, strips->height, index / strips->columns,
              strips->count / strips->columns, strips->unit);
}

OdlCpuRange
odl_cpu_strip_columns (const OdlCpuStrips *strips, int index)
{
  return cut (strips, strips->width, index % strips->columns, strips->columns,
              MAX (strips->unit, LINE_FLOATS));
}
