// SPDX-License-Identifier: MIT
#include "source/phantom/phantom.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/error.h"
#include "base/text.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "source/phantom/internal.h"
#include "source/source.h"

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

// The tissue at rest: echo amplitude (1: white) and displacement in range steps at the
// peak of the heartbeat, for every beam and range.
static void
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

// Displacement of the wall in frame `index`, 0 … 1.
static float
odl_phantom_beat (int64_t index)
{
  int64_t within = index % ODL_PHANTOM_PERIOD;
  double phase
      = (double) (within < 0 ? within + ODL_PHANTOM_PERIOD : within) / ODL_PHANTOM_PERIOD;

  // Contraction, slower relaxation, and a small atrial kick.
  return (float) (pulse (phase, 0.0, 0.28, 0.72)
                  + 0.18 * pulse (phase, 0.76, 0.86, 0.98));
}

#define MIN_SIDE 16
#define MAX_SIDE 4096
#define DEFAULT_SIDE 512
#define DEPTH_MM 160.0

// Electronic noise relative to white; raised with depth by the gain that compensates
// attenuation.
#define NOISE_NEAR_DB (-64.0)
#define NOISE_FAR_DB (-50.0)
#define NOISE_LENGTH (1u << 16)

// The mean of ln X for an exponential X of mean 1 is −γ, so the mean of log-compressed
// speckle lies 2.5 dB below the log of its mean power. The clean picture shows this
// mean.
#define EULER_GAMMA 0.57721566490153286

// Levels of the polar picture have 7 fractional bits, scan conversion weights 8:
// products fit in 31 bits.
#define LEVEL_ONE 128
#define WEIGHT_ONE 256

// The log table is indexed by exponent and the top 10 mantissa bits of powers from
// 2^−26 to 2^3.
#define LOG_SHIFT 13
#define LOG_LOWEST 0x1p-26f
#define LOG_HIGHEST 0x1p3f
#define LOG_ENTRIES (29 << 10)

// Maximum ranges per beam: the finest PSF has two steps along the beam.
#define MOST_RANGES 1024

// Quantities that are displaced together, as one vector: echo amplitude, real and
// imaginary part of the speckle, unused.
typedef float Scatterer __attribute__ ((vector_size (4 * sizeof (float))));

// The four polar neighbours of a pixel.
typedef struct {
  uint32_t cell; // beam · n_ranges + range
  uint16_t range_weight; // 0 … WEIGHT_ONE, weight of the next range
  uint16_t beam_weight; // weight of the next beam
} Texel;

struct _OdlPhantom {
  OdlPhantomParams params;
  OdlPhantomGrid grid;
  Scatterer *scatterers;
  float *displacement;
  float *resting; // complex: the echo at rest
  int *moving; // per beam: first range that ever moves, end of these
  float *noise; // complex, NOISE_LENGTH
  float *noise_gain; // per range
  uint16_t
      *levels; // the polar picture, followed by black cells for pixels outside the fan
  uint16_t *log_levels;
  Texel *texels; // width × height
  int *inside; // per row: first pixel in the fan, end of these
};

bool
odl_phantom_parse (const char *text, OdlPhantomParams *params, GError **error)
{
  OdlPhantomParams result
      = { DEFAULT_SIDE, DEFAULT_SIDE, 1, false, ODL_PHANTOM_FRAME_RATE };
  const char *rest = g_str_has_prefix (text, "phantom") ? text + strlen ("phantom") : "!";
  g_auto (GStrv) words = g_strsplit (*rest == '\0' ? "" : rest + 1, ",", -1);
  bool good = *rest == '\0' || (strchr (":,", *rest) != NULL && words[0] != NULL);

  for (int i = 0; good && words[i] != NULL; i++) {
    const char *word = words[i];
    guint64 number = 0;

    if (i == 0 && *rest == ':') {
      g_auto (GStrv) sides = g_strsplit (word, "x", 2);
      guint64 side[2] = { 0, 0 };
      good = g_strv_length (sides) == 2;
      for (int k = 0; good && k < 2; k++)
        good = g_ascii_string_to_unsigned (sides[k], 10, MIN_SIDE, MAX_SIDE, &side[k],
                                           NULL);
      result.width = (int) side[0];
      result.height = (int) side[1];
    } else if (g_str_has_prefix (word, "seed=")) {
      good = g_ascii_string_to_unsigned (word + strlen ("seed="), 10, 0, G_MAXUINT,
                                         &number, NULL);
      result.seed = (unsigned) number;
    } else if (g_str_has_prefix (word, "rate=")) {
      // Also rejects NaN.
      good = odl_number_from_text (word + strlen ("rate="), &result.frame_rate)
             && result.frame_rate >= ODL_PHANTOM_RATE_MIN
             && result.frame_rate <= ODL_PHANTOM_RATE_MAX;
    } else if (strcmp (word, "clean") == 0) {
      result.clean = true;
    } else {
      good = false;
    }
  }
  if (!good)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("“%s” is not a phantom. Write "
                             "phantom:WIDTHxHEIGHT[,seed=N][,rate=FPS][,clean] with "
                             "sides of %d to %d, such as phantom:512x512,rate=50."),
                          text, MIN_SIDE, MAX_SIDE);
  *params = result;
  return true;
}

static OdlPhantomGrid
make_grid (int width, int height)
{
  OdlPhantomGrid grid = { .first_range = 0.04 };
  double aspect = MIN (1.0, width / (2.0 * height));

  // A fan as wide as the frame, within the limits of phased arrays.
  grid.half_angle = CLAMP (asin (aspect), G_PI * 35.0 / 180.0, G_PI * 60.0 / 180.0);
  grid.radius_px = 0.98 * MIN ((double) height, width / (2.0 * sin (grid.half_angle)));
  grid.apex_x_px = 0.5 * width;
  grid.apex_y_px = 0.5 * (height - grid.radius_px);

  // σ of the PSF: 0.4 mm along the beam, 1.2 mm across it at the far end; not much
  // finer than pixels.
  double range_sigma = MAX (1.0 / 400.0, 0.7 / grid.radius_px);
  double angle_sigma = MAX (3.0 / 400.0, 0.7 / grid.radius_px);
  grid.n_ranges = (int) ceil ((1.0 - grid.first_range) / (range_sigma / 2.0)) + 1;
  grid.n_beams = (int) ceil (2.0 * grid.half_angle / (angle_sigma / 1.5)) + 1;
  grid.range_step = (1.0 - grid.first_range) / (grid.n_ranges - 1);
  grid.angle_step = 2.0 * grid.half_angle / (grid.n_beams - 1);
  grid.psf_range_steps = range_sigma / grid.range_step;
  grid.psf_angle_steps = angle_sigma / grid.angle_step;
  return grid;
}

static Texel
texel_make (const OdlPhantomGrid *grid, int x, int y)
{
  double dx = (x + 0.5 - grid->apex_x_px) / grid->radius_px;
  double dy = (y + 0.5 - grid->apex_y_px) / grid->radius_px;
  double range = (sqrt (dx * dx + dy * dy) - grid->first_range) / grid->range_step;
  double beam = (atan2 (dx, dy) + grid->half_angle) / grid->angle_step;
  Texel outside = { (uint32_t) (grid->n_beams * grid->n_ranges), 0, 0 };

  if (!(range >= 0 && range <= grid->n_ranges - 1 && beam >= 0
        && beam <= grid->n_beams - 1))
    return outside;

  int i = MIN ((int) range, grid->n_ranges - 2);
  int j = MIN ((int) beam, grid->n_beams - 2);
  return (Texel){ (uint32_t) (j * grid->n_ranges + i),
                  (uint16_t) lrint ((range - i) * WEIGHT_ONE),
                  (uint16_t) lrint ((beam - j) * WEIGHT_ONE) };
}

static uint32_t
float_bits (float value)
{
  uint32_t bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static void
fill_log_levels (uint16_t *levels)
{
  for (uint32_t i = 0; i < LOG_ENTRIES; i++) {
    // The centre of the powers that share this entry.
    uint32_t bits = float_bits (LOG_LOWEST) + (i << LOG_SHIFT) + (1u << (LOG_SHIFT - 1));
    float power;
    memcpy (&power, &bits, sizeof power);
    double grey = 1.0 + 10.0 * log10 (power) / ODL_PHANTOM_DYNAMIC_RANGE_DB;
    levels[i] = (uint16_t) lrint (CLAMP (grey, 0.0, 1.0) * 255.0 * LEVEL_ONE);
  }
}

// Position in the resting scene that is displaced to range `i`.
static float
place_of (int i, float moved, int n)
{
  return CLAMP ((float) i - moved, 0.0f, (float) (n - 1));
}

// Noise-free echo of the scene at `place`.
static inline void
echo_at (const Scatterer *scatterers, int k, float t, float echo[2])
{
  const Scatterer at = scatterers[k] + t * (scatterers[k + 1] - scatterers[k]);

  echo[0] = at[0] * at[1];
  echo[1] = at[0] * at[2];
}

// Marks the ranges that move measurably; most of the scene never does.
static void
fill_resting (OdlPhantom *phantom, int beam)
{
  const int n = phantom->grid.n_ranges;
  const size_t first = (size_t) beam * n;
  const float *displacement = phantom->displacement + first;
  int *moving = phantom->moving + 2 * beam;

  moving[0] = n;
  moving[1] = 0;
  for (int i = 0; i < n; i++) {
    const int k = MIN (i, n - 2);
    echo_at (phantom->scatterers + first, k, (float) (i - k),
             phantom->resting + 2 * (first + i));
    if (place_of (i, displacement[i], n) == place_of (i, 0.0f, n))
      continue;
    moving[0] = MIN (moving[0], i);
    moving[1] = i + 1;
  }
  moving[0] = MIN (moving[0], moving[1]);
}

static void
fill_texels (OdlPhantom *phantom, int y)
{
  const OdlPhantomGrid *grid = &phantom->grid;
  const int width = phantom->params.width;
  Texel *texels = phantom->texels + (size_t) y * width;
  int *inside = phantom->inside + 2 * y;

  inside[0] = inside[1] = 0;
  for (int x = 0; x < width; x++) {
    texels[x] = texel_make (grid, x, y);
    if (texels[x].cell >= (uint32_t) (grid->n_beams * grid->n_ranges))
      continue;
    if (inside[1] == 0)
      inside[0] = x;
    inside[1] = x + 1;
  }
}

static bool
fill_scatterers (OdlPhantom *phantom)
{
  const size_t cells = (size_t) phantom->grid.n_beams * phantom->grid.n_ranges;
  float *amplitude = odl_aligned_alloc (cells * sizeof (float));
  float *speckle = odl_phantom_speckle_new (&phantom->grid, phantom->params.seed);
  const bool filled = amplitude != NULL && speckle != NULL;

  if (filled) {
    odl_phantom_scene_fill (&phantom->grid, phantom->params.seed, amplitude,
                            phantom->displacement);
    for (size_t i = 0; i < cells; i++)
      phantom->scatterers[i]
          = (Scatterer){ amplitude[i], speckle[2 * i], speckle[2 * i + 1], 0 };
  }
  odl_aligned_free (amplitude);
  odl_aligned_free (speckle);
  return filled;
}

static void
fill_tables (OdlPhantom *phantom)
{
  const OdlPhantomGrid *grid = &phantom->grid;

  odl_phantom_white_noise (phantom->params.seed, 3, phantom->noise, NOISE_LENGTH);
  for (int i = 0; i < grid->n_ranges; i++) {
    double db = NOISE_NEAR_DB + (NOISE_FAR_DB - NOISE_NEAR_DB) * i / (grid->n_ranges - 1);
    phantom->noise_gain[i] = (float) pow (10.0, db / 20.0);
  }
  fill_log_levels (phantom->log_levels);

  ODL_PARALLEL_FOR
  for (int beam = 0; beam < grid->n_beams; beam++)
    fill_resting (phantom, beam);
  ODL_PARALLEL_FOR
  for (int y = 0; y < phantom->params.height; y++)
    fill_texels (phantom, y);
}

OdlPhantom *
odl_phantom_new (const OdlPhantomParams *params, GError **error)
{
  if (params->width < MIN_SIDE || params->width > MAX_SIDE || params->height < MIN_SIDE
      || params->height > MAX_SIDE)
    return odl_error_null (
        error, ODL_ERROR_USAGE,
        _ ("A phantom of %d×%d cannot be made. Its sides are %d to %d."), params->width,
        params->height, MIN_SIDE, MAX_SIDE);

  g_autoptr (OdlPhantom) phantom = g_new0 (OdlPhantom, 1);
  phantom->params = *params;
  phantom->grid = make_grid (params->width, params->height);

  size_t cells = (size_t) phantom->grid.n_beams * phantom->grid.n_ranges;
  size_t black = (size_t) phantom->grid.n_ranges + 2;
  phantom->scatterers = odl_aligned_alloc (cells * sizeof (Scatterer));
  phantom->displacement = odl_aligned_alloc (cells * sizeof (float));
  phantom->resting = odl_aligned_alloc (2 * cells * sizeof (float));
  phantom->moving = odl_aligned_alloc (2 * phantom->grid.n_beams * sizeof (int));
  phantom->inside = odl_aligned_alloc (2 * (size_t) params->height * sizeof (int));
  phantom->noise = odl_aligned_alloc (2 * NOISE_LENGTH * sizeof (float));
  phantom->noise_gain = odl_aligned_alloc (phantom->grid.n_ranges * sizeof (float));
  phantom->levels = odl_aligned_alloc ((cells + black) * sizeof (uint16_t));
  phantom->log_levels = odl_aligned_alloc (LOG_ENTRIES * sizeof (uint16_t));
  phantom->texels
      = odl_aligned_alloc ((size_t) params->width * params->height * sizeof (Texel));
  if (phantom->scatterers == NULL || phantom->displacement == NULL
      || phantom->noise == NULL || phantom->noise_gain == NULL || phantom->levels == NULL
      || phantom->log_levels == NULL || phantom->texels == NULL
      || phantom->resting == NULL || phantom->moving == NULL || phantom->inside == NULL
      || !fill_scatterers (phantom))
    return odl_error_null (
        error, ODL_ERROR_TOO_LARGE,
        _ ("There is not enough memory for a phantom of %d×%d. Choose a smaller one."),
        params->width, params->height);
  fill_tables (phantom);
  return g_steal_pointer (&phantom);
}

void
odl_phantom_free (OdlPhantom *phantom)
{
  if (phantom == NULL)
    return;
  odl_aligned_free (phantom->scatterers);
  odl_aligned_free (phantom->displacement);
  odl_aligned_free (phantom->resting);
  odl_aligned_free (phantom->moving);
  odl_aligned_free (phantom->inside);
  odl_aligned_free (phantom->noise);
  odl_aligned_free (phantom->noise_gain);
  odl_aligned_free (phantom->levels);
  odl_aligned_free (phantom->log_levels);
  odl_aligned_free (phantom->texels);
  g_free (phantom);
}

const OdlPhantomGrid *
odl_phantom_grid (const OdlPhantom *phantom)
{
  return &phantom->grid;
}

// Interpolates ranges from … end − 1 of the resting scene.
ODL_ROW_LOOP
static void
find_places (const float *displacement,
             float beat,
             int from,
             int end,
             int n,
             int *restrict place,
             float *restrict part)
{
  for (int i = from; i < end; i++) {
    const float moved = place_of (i, beat * displacement[i], n);
    const int before = MIN ((int) moved, n - 2);
    place[i] = before;
    part[i] = moved - (float) before;
  }
}

// Echo of ranges from … end − 1 with the wall displaced: tissue and scatterers come
// from other positions of the resting scene.
static void
moved_echo (const OdlPhantom *phantom,
            int beam,
            float beat,
            int from,
            int end,
            float *restrict echo)
{
  const int n = phantom->grid.n_ranges;
  const Scatterer *scatterers = phantom->scatterers + (size_t) beam * n;
  int place[MOST_RANGES];
  float part[MOST_RANGES];

  find_places (phantom->displacement + (size_t) beam * n, beat, from, end, n, place,
               part);
  for (int i = from; i < end; i++)
    echo_at (scatterers, place[i], part[i], echo + 2 * i);
}

ODL_ROW_LOOP
static void
power_of (const float *echo,
          const float *noise,
          const float *gain,
          int count,
          float *restrict power)
{
  for (int i = 0; i < count; i++) {
    const float re = echo[2 * i] + gain[i] * noise[2 * i];
    const float im = echo[2 * i + 1] + gain[i] * noise[2 * i + 1];
    power[i] = re * re + im * im;
  }
}

// Adds noise, starting at `start`, to ranges from … end − 1 of an echo.
static void
add_noise (const OdlPhantom *phantom,
           const float *echo,
           uint32_t start,
           int from,
           int end,
           float *power)
{
  while (from < end) {
    const uint32_t at = (start + (uint32_t) from) % NOISE_LENGTH;
    const int n = MIN (end - from, (int) (NOISE_LENGTH - at));

    power_of (echo + 2 * from, phantom->noise + 2 * at, phantom->noise_gain + from, n,
              power + from);
    from += n;
  }
}

static void
clean_power (const OdlPhantom *phantom, float beat, int beam, float *power)
{
  const int n = phantom->grid.n_ranges;
  const Scatterer *scatterers = phantom->scatterers + (size_t) beam * n;
  const float *displacement = phantom->displacement + (size_t) beam * n;
  const float mean_of_log = (float) exp (-EULER_GAMMA);

  for (int i = 0; i < n; i++) {
    const float place = place_of (i, beat * displacement[i], n);
    const int k = MIN ((int) place, n - 2);
    const float near = scatterers[k][0], far = scatterers[k + 1][0];
    const float a = near + (place - (float) k) * (far - near);
    power[i] = a * a * mean_of_log;
  }
}

void
odl_phantom_beam_power (const OdlPhantom *phantom,
                        int64_t index,
                        int beam,
                        bool clean,
                        float *power)
{
  const int n = phantom->grid.n_ranges;
  const float beat = odl_phantom_beat (index);
  const uint32_t start = (uint32_t) odl_phantom_hash (
      odl_phantom_hash (phantom->params.seed, 4, (uint64_t) index), 5, (uint64_t) beam);
  const int from = beat == 0 ? n : phantom->moving[2 * beam];
  const int end = beat == 0 ? n : phantom->moving[2 * beam + 1];
  const float *resting = phantom->resting + 2 * (size_t) beam * n;
  float moved[2 * MOST_RANGES];

  if (clean) {
    clean_power (phantom, beat, beam, power);
    return;
  }
  moved_echo (phantom, beam, beat, from, end, moved);
  add_noise (phantom, resting, start, 0, from, power);
  add_noise (phantom, moved, start, from, end, power);
  add_noise (phantom, resting, start, end, n, power);
}

// Log compression of one beam.
static void
compress_beam (const OdlPhantom *phantom, const float *power, uint16_t *levels)
{
  const uint32_t lowest = float_bits (LOG_LOWEST);

  for (int i = 0; i < phantom->grid.n_ranges; i++) {
    float p = CLAMP (power[i], LOG_LOWEST, LOG_HIGHEST);
    uint32_t entry = (float_bits (p) - lowest) >> LOG_SHIFT;
    levels[i] = phantom->log_levels[MIN (entry, LOG_ENTRIES - 1)];
  }
}

static void
convert_row (const OdlPhantom *phantom, int y, uint8_t *out)
{
  const int width = phantom->params.width;
  const Texel *texel = phantom->texels + (size_t) y * width;
  const size_t next_beam = (size_t) phantom->grid.n_ranges;
  const int *inside = phantom->inside + 2 * y;

  memset (out, 0, (size_t) inside[0]);
  memset (out + inside[1], 0, (size_t) (width - inside[1]));
  for (int x = inside[0]; x < inside[1]; x++) {
    const uint16_t *near = phantom->levels + texel[x].cell;
    const uint16_t *far = near + next_beam;
    int32_t r = texel[x].range_weight;
    int32_t b = texel[x].beam_weight;
    int32_t left = near[0] * (WEIGHT_ONE - r) + near[1] * r;
    int32_t right = far[0] * (WEIGHT_ONE - r) + far[1] * r;
    int32_t grey = ((left >> 8) * (WEIGHT_ONE - b) + (right >> 8) * b) >> 8;
    out[x] = (uint8_t) ((grey + LEVEL_ONE / 2) / LEVEL_ONE);
  }
}

OdlImage *
odl_phantom_frame (OdlPhantom *phantom,
                   int64_t index,
                   bool clean,
                   OdlImagePool *pool,
                   GError **error)
{
  const OdlPhantomGrid *grid = &phantom->grid;
  const int width = phantom->params.width;
  const double rate = phantom->params.frame_rate > 0 ? phantom->params.frame_rate
                                                     : ODL_PHANTOM_FRAME_RATE;
  double spacing = DEPTH_MM / grid->radius_px;
  OdlImageInfo info = {
    .extent = { width, phantom->params.height, 1, 1 },
    .channels = 1,
    .type = ODL_SAMPLE_U8,
    .spacing_mm = { spacing, spacing, 0.0 },
    .frame_interval_ms = 1000.0 / rate,
    .pts_ns = (int64_t) ((double) index * (1e9 / rate)),
  };
  void *samples = NULL;
  OdlImage *image = odl_image_alloc_in (pool, &info, &samples, error);
  if (image == NULL)
    return NULL;

  ODL_PARALLEL_FOR
  for (int beam = 0; beam < grid->n_beams; beam++) {
    float power[MOST_RANGES];
    odl_phantom_beam_power (phantom, index, beam, clean, power);
    compress_beam (phantom, power, phantom->levels + (size_t) beam * grid->n_ranges);
  }
  ODL_PARALLEL_FOR
  for (int y = 0; y < phantom->params.height; y++)
    convert_row (phantom, y, (uint8_t *) samples + (size_t) y * width);
  return image;
}

typedef struct {
  OdlSource base;
  OdlPhantomParams params;
  OdlPhantom *phantom;
} PhantomSource;

extern const OdlSourceClass odl_phantom_source;

static bool
phantom_probe (const char *location, const uint8_t *head, size_t n_head)
{
  // A file of that name can be opened as ./phantom.
  return g_str_has_prefix (location, "phantom")
         && strchr (":,", location[strlen ("phantom")]) != NULL;
}

static OdlSource *
phantom_open (const char *location, GCancellable *cancellable, GError **error)
{
  OdlPhantomParams params;

  if (!odl_phantom_parse (location, &params, error))
    return NULL;
  OdlPhantom *phantom = odl_phantom_new (&params, error);
  if (phantom == NULL)
    return NULL;

  PhantomSource *self = g_new0 (PhantomSource, 1);
  OdlSourceInfo *info = &self->base.info;
  odl_source_init (&self->base, &odl_phantom_source, location);
  self->params = params;
  self->phantom = phantom;
  g_free (info->name);
  info->name = g_strdup_printf (_ ("phantom %d×%d"), params.width, params.height);
  g_free (info->format);
  info->format = g_strdup (params.clean ? _ ("generated ultrasound, without speckle")
                                        : _ ("generated ultrasound"));
  info->n_frames = ODL_PHANTOM_PERIOD;
  info->declared_frames = ODL_PHANTOM_PERIOD;
  info->frame_rate = params.frame_rate;
  info->live = true;
  odl_source_add_detail (&self->base, "seed", "%u", params.seed);
  odl_source_add_detail (&self->base, "clean", "%s", params.clean ? "yes" : "no");
  return &self->base;
}

static void
phantom_close (OdlSource *source)
{
  odl_phantom_free (((PhantomSource *) source)->phantom);
}

static OdlImage *
phantom_read_frame (OdlSource *source,
                    int64_t index,
                    GCancellable *cancellable,
                    GError **error)
{
  PhantomSource *self = (PhantomSource *) source;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  g_autoptr (OdlImagePool) pool = odl_source_ref_pool (source);
  return odl_phantom_frame (self->phantom, index, self->params.clean, pool, error);
}

static const char *const phantom_examples[]
    = { "phantom:512x512", "phantom:1024x768,seed=3", "phantom:512x512,rate=50",
        "phantom:512x512,clean", NULL };

const OdlSourceClass odl_phantom_source = {
  .name = "phantom",
  .description = N_ ("A generated ultrasound cine with cysts, a moving wall and speckle"),
  .examples = phantom_examples,
  .probe = phantom_probe,
  .open = phantom_open,
  .close = phantom_close,
  .read_frame = phantom_read_frame,
};
