// SPDX-License-Identifier: MIT
#include "source/phantom/internal.h"

#include <math.h>

#include "base/parallel.h"

// A round inclusion; lengths are fractions of the fan's radius, x to the right and y
// down from the apex.
typedef struct {
  double x, y, radius;
  double level_db;
} Inclusion;

#define ANECHOIC_DB (-80.0)

static const Inclusion inclusions[] = {
  // anechoic cysts
  { -0.160, 0.360, 0.070, ANECHOIC_DB },
  { 0.100, 0.240, 0.035, ANECHOIC_DB },
  { 0.200, 0.460, 0.050, ANECHOIC_DB },
  { -0.020, 0.530, 0.022, ANECHOIC_DB },
  { -0.240, 0.500, 0.028, ANECHOIC_DB },
  { -0.220, 0.860, 0.045, ANECHOIC_DB },
  { 0.270, 0.840, 0.030, ANECHOIC_DB },
  // bright inclusions
  { 0.030, 0.370, 0.030, -14.0 },
  { 0.120, 0.540, 0.020, -11.0 },
  { 0.040, 0.900, 0.035, -14.0 },
  { -0.070, 0.200, 0.018, -12.0 },
};

// The wall: a bright band, a fluid-filled chamber behind it, and the chamber's far
// side.
#define WALL_RANGE 0.610 // at the centre beam
#define WALL_BEND 0.160 // additional range at the edge of the fan
#define WALL_THICKNESS 0.022
#define WALL_DB (-9.0)
#define CHAMBER_DEPTH 0.130
#define CHAMBER_EDGE 0.85 // fraction of the half angle
#define CHAMBER_DB (-46.0)
#define FAR_SIDE_THICKNESS 0.016
#define FAR_SIDE_DB (-13.0)

// The heartbeat displaces the tissue around the wall away from the transducer. The
// steepest gradient, 0.86 · TRAVEL / REACH, is well below 1, so the displacement is
// invertible.
#define TRAVEL 0.034
#define REACH 0.15

// Maximum random displacement of inclusions.
#define JITTER 0.012

static double
amplitude_of_db (double db)
{
  return pow (10.0, db / 20.0);
}

// 1 inside (distance > 0), 0 outside, with an edge about one grid step wide.
static double
coverage (double distance, double edge)
{
  return CLAMP (distance / edge + 0.5, 0.0, 1.0);
}

static double
mix (double a, double b, double t)
{
  return a + (b - a) * t;
}

static double
jitter (uint64_t seed, size_t index)
{
  double unit = (double) (odl_phantom_hash (seed, 2, index) >> 11) * 0x1p-53;
  return (2.0 * unit - 1.0) * JITTER;
}

static double
wall_amplitude (double amplitude, double range, double q, double edge)
{
  double lens = 1.0 - (q / CHAMBER_EDGE) * (q / CHAMBER_EDGE);
  if (lens <= 0.0)
    return amplitude;

  double front = range - (WALL_RANGE + WALL_BEND * q * q);
  double chamber = front - WALL_THICKNESS;
  double depth = CHAMBER_DEPTH * lens;
  double taper = MIN (1.0, 4.0 * lens);
  double in_wall = coverage (front, edge) * coverage (-chamber, edge) * taper;
  double in_chamber = coverage (chamber, edge) * coverage (depth - chamber, edge) * taper;
  double in_far = coverage (chamber - depth, edge)
                  * coverage (depth + FAR_SIDE_THICKNESS - chamber, edge) * taper;

  amplitude = mix (amplitude, amplitude_of_db (CHAMBER_DB), in_chamber);
  amplitude = mix (amplitude, amplitude_of_db (FAR_SIDE_DB), in_far);
  return mix (amplitude, amplitude_of_db (WALL_DB), in_wall);
}

static void
fill_beam (const OdlPhantomGrid *grid,
           uint64_t seed,
           int beam,
           float *amplitude,
           float *displacement)
{
  double angle = beam * grid->angle_step - grid->half_angle;
  double q = angle / grid->half_angle;
  double edge = 1.5 * grid->range_step;
  double still = (1.0 - q * q) * (1.0 - q * q);

  for (int i = 0; i < grid->n_ranges; i++) {
    double range = grid->first_range + i * grid->range_step;
    double x = range * sin (angle);
    double y = range * cos (angle);
    double value = amplitude_of_db (ODL_PHANTOM_TISSUE_DB);

    for (size_t k = 0; k < G_N_ELEMENTS (inclusions); k++) {
      double dx = x - inclusions[k].x - jitter (seed, 2 * k);
      double dy = y - inclusions[k].y - jitter (seed, 2 * k + 1);
      double inside = inclusions[k].radius - sqrt (dx * dx + dy * dy);
      if (inside > -edge)
        value = mix (value, amplitude_of_db (inclusions[k].level_db),
                     coverage (inside, edge));
    }
    amplitude[i] = (float) wall_amplitude (value, range, q, edge);

    double from_wall = (range - WALL_RANGE) / REACH;
    double travel = TRAVEL * exp (-from_wall * from_wall) * still;
    displacement[i] = (float) (travel / grid->range_step);
  }
}

void
odl_phantom_scene_fill (const OdlPhantomGrid *grid,
                        uint64_t seed,
                        float *amplitude,
                        float *displacement)
{
  size_t n = (size_t) grid->n_ranges;

  ODL_PARALLEL_FOR
  for (int beam = 0; beam < grid->n_beams; beam++)
    fill_beam (grid, seed, beam, amplitude + (size_t) beam * n,
               displacement + (size_t) beam * n);
}

// A raised-cosine pulse between two phases.
static double
pulse (double phase, double from, double peak, double to)
{
  if (phase <= from || phase >= to)
    return 0.0;
  double t = phase < peak ? (phase - from) / (peak - from) : (to - phase) / (to - peak);
  return 0.5 - 0.5 * cos (G_PI * t);
}

float
odl_phantom_beat (int64_t index)
{
  int64_t within = index % ODL_PHANTOM_PERIOD;
  double phase
      = (double) (within < 0 ? within + ODL_PHANTOM_PERIOD : within) / ODL_PHANTOM_PERIOD;

  // Contraction, slower relaxation, and a small atrial kick.
  return (float) (pulse (phase, 0.0, 0.28, 0.72)
                  + 0.18 * pulse (phase, 0.76, 0.86, 0.98));
}
