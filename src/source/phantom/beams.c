// SPDX-License-Identifier: MIT
// Echoes are kept at rest and without their carrier: two slowly varying numbers a sample,
// which frames displace, put on the carrier again, and add noise to. So frames are cheap,
// and the phase moves with what moves.
#include "source/phantom/beams.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/text.h"
#include "source/phantom/internal.h"

#define LEAST_BEAMS 2
#define MOST_BEAMS 512
#define LEAST_SAMPLES 64
#define MOST_SAMPLES 8192
#define MOST_STEERING 20.0
#define MOST_ATTENUATION 2.0

#define SOUND_MM_PER_US 1.54
#define SAMPLING_MHZ 20.0
#define SAMPLE_MM (SOUND_MM_PER_US / (2 * SAMPLING_MHZ))
#define START_MM 1.0

#define RADIUS_MM 60.0
#define HALF_ANGLE (G_PI / 6)
#define WIDTH_MM 38.1

#define BANDWIDTH 0.5 // of the carrier, where the spectrum has half of its amplitude
#define FOCUS_MM 45.0

#define FULL 32767.0
#define POINT_LEVEL 0.7 // of full scale, at the surface
#define SPECKLE_DB (-24.0) // of that, root of the mean square
#define NOISE_DB (-70.0) // of full scale
#define TRAVEL_MM 1.0

// Scatterers in a cell of resolution that is 2√π σ long and wide.
#define DENSITY 12.0

// σ that a scatterer reaches at most, along and across; beams that it reaches at most.
#define REACH 3.5
#define MOST_ACROSS 64

#define NOISE_LENGTH 65536u

// Random numbers of different things.
enum { STREAM_PLACE = 11, STREAM_STRENGTH, STREAM_NOISE, STREAM_TURN };

typedef struct {
  double x, y, radius;
  double db; // beside the tissue
} Inclusion;

#define ANECHOIC_DB (-80.0)

static const Inclusion inclusions[] = {
  { -10, 25, 5, ANECHOIC_DB }, { 9, 55, 4, ANECHOIC_DB }, { -32, 52, 6, ANECHOIC_DB },
  { 10, 25, 4.5, -9 },         { -10, 55, 4.5, 9 },       { 32, 52, 6, 9 },
};

static const OdlBeamsPoint points[] = {
  { 0, 10 }, { 0, 20 }, { 0, 30 },  { 0, 40 },   { 0, 50 },  { 0, 60 },
  { 0, 70 }, { 7, 40 }, { -7, 40 }, { -14, 40 }, { 14, 40 },
};

// What echoes, in columns and rows.
typedef struct {
  double row;
  int first_beam, n_beams;
  float real, imaginary; // its strength, turned by the phase of its place
  float *across; // share of each of these beams
} Scatterer;

struct _OdlBeamPhantom {
  OdlBeamPhantomParams params;
  OdlBeams beams;
  double carrier; // radians from a row to the next
  double along; // σ of the wave packet, rows
  float *echoes[2]; // in phase and in quadrature, row by row
  float *noise; // NOISE_LENGTH
  float (*wave)[2]; // of each row: cosine and sine, less what moved
  int *from; // of each row: the row at rest that it shows
  float *between; // and the share of the next one
};

bool
odl_beam_phantom_parse (const char *text, OdlBeamPhantomParams *params, GError **error)
{
  const char *name = "phantom:beams";
  OdlBeamPhantomParams result = { .beams = 128,
                                  .samples = 2048,
                                  .array = ODL_BEAMS_CURVILINEAR,
                                  .seed = 1,
                                  .frame_rate = 25,
                                  .attenuation = 0.3 };
  const char *rest = g_str_has_prefix (text, name) ? text + strlen (name) : "!";
  g_auto (GStrv) words = g_strsplit (*rest == '\0' ? "" : rest + 1, ",", -1);
  bool good = *rest == '\0' || (strchr (":,", *rest) != NULL && words[0] != NULL);

  for (int i = 0; good && words[i] != NULL; i++) {
    const char *word = words[i];
    const char *value = strchr (word, '=') != NULL ? strchr (word, '=') + 1 : "";
    guint64 number = 0;

    if (i == 0 && *rest == ':') {
      g_auto (GStrv) sides = g_strsplit (word, "x", 2);
      guint64 samples = 0;
      good = g_strv_length (sides) == 2
             && g_ascii_string_to_unsigned (sides[0], 10, LEAST_BEAMS, MOST_BEAMS,
                                            &number, NULL)
             && g_ascii_string_to_unsigned (sides[1], 10, LEAST_SAMPLES, MOST_SAMPLES,
                                            &samples, NULL);
      result.beams = (int) number;
      result.samples = (int) samples;
    } else if (strcmp (word, "array=curvilinear") == 0) {
      result.array = ODL_BEAMS_CURVILINEAR;
    } else if (strcmp (word, "array=linear") == 0) {
      result.array = ODL_BEAMS_LINEAR;
    } else if (g_str_has_prefix (word, "steering=")) {
      good = odl_number_from_text (value, &result.steering_degrees)
             && fabs (result.steering_degrees) <= MOST_STEERING;
    } else if (g_str_has_prefix (word, "seed=")) {
      good = g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT, &number, NULL);
      result.seed = (unsigned) number;
    } else if (g_str_has_prefix (word, "rate=")) {
      good = odl_number_from_text (value, &result.frame_rate)
             && result.frame_rate >= ODL_BEAM_PHANTOM_RATE_MIN
             && result.frame_rate <= ODL_BEAM_PHANTOM_RATE_MAX;
    } else if (g_str_has_prefix (word, "attenuation=")) {
      good = odl_number_from_text (value, &result.attenuation) && result.attenuation >= 0
             && result.attenuation <= MOST_ATTENUATION;
    } else if (strcmp (word, "clean") == 0) {
      result.clean = true;
    } else {
      good = false;
    }
  }
  if (good && result.array == ODL_BEAMS_CURVILINEAR && result.steering_degrees != 0)
    good = false;
  if (!good)
    return odl_error_set (
        error, ODL_ERROR_USAGE,
        _ ("“%s” is not a phantom of beams. Write phantom:beams[:BEAMSxSAMPLES]"
           "[,array=curvilinear|linear][,steering=DEGREES][,seed=N][,rate=FPS]"
           "[,attenuation=DB][,clean] with %d to %d beams of %d to %d samples, and "
           "steering of linear arrays by up to %g degrees."),
        text, LEAST_BEAMS, MOST_BEAMS, LEAST_SAMPLES, MOST_SAMPLES, MOST_STEERING);
  *params = result;
  return true;
}

OdlBeams
odl_beam_phantom_beams (const OdlBeamPhantomParams *params)
{
  const bool linear = params->array == ODL_BEAMS_LINEAR;
  const double span = linear ? WIDTH_MM : 2 * HALF_ANGLE;

  return (OdlBeams){ .array = params->array,
                     .radius_mm = linear ? 0 : RADIUS_MM,
                     .first = -span / 2,
                     .step = span / (params->beams - 1),
                     .steering = params->steering_degrees * G_PI / 180,
                     .start_mm = START_MM,
                     .sample_mm = SAMPLE_MM };
}

static double
megahertz (const OdlBeamPhantomParams *params)
{
  return params->array == ODL_BEAMS_LINEAR ? 5 : 3.5;
}

static double
depth_of (const OdlBeamPhantom *phantom, double row)
{
  return phantom->beams.start_mm + phantom->beams.sample_mm * row;
}

// σ across a beam, in beams.
static double
width_at (const OdlBeamPhantom *phantom, double row)
{
  const bool linear = phantom->params.array == ODL_BEAMS_LINEAR;
  const double depth = depth_of (phantom, row);
  const double width
      = hypot (linear ? 0.35 : 0.6, (linear ? 0.02 : 0.03) * (depth - FOCUS_MM));

  return width
         / (linear ? phantom->beams.step
                   : phantom->beams.step * (phantom->beams.radius_mm + depth));
}

// What is left of an echo.
static double
loss_at (const OdlBeamPhantom *phantom, double row)
{
  const double db = 2 * phantom->params.attenuation * megahertz (&phantom->params)
                    * depth_of (phantom, row) / 10;

  return pow (10, -db / 20);
}

static double
tissue_at (OdlBeamsPoint place)
{
  for (size_t i = 0; i < G_N_ELEMENTS (inclusions); i++)
    if (hypot (place.x - inclusions[i].x, place.y - inclusions[i].y)
        < inclusions[i].radius)
      return pow (10, inclusions[i].db / 20);
  return 1;
}

static void
add_scatterer (GArray *all,
               const OdlBeamPhantom *phantom,
               double beam,
               double row,
               double strength)
{
  const double width = width_at (phantom, row);
  const int reach = MIN ((int) ceil (REACH * width), MOST_ACROSS / 2 - 1);
  const int first = MAX ((int) floor (beam) - reach, 0);
  const int end = MIN ((int) floor (beam) + reach + 2, phantom->params.beams);

  if (end <= first)
    return;
  const double phase = -phantom->carrier * row;
  Scatterer one = { .row = row,
                    .first_beam = first,
                    .n_beams = end - first,
                    .real = (float) (strength * cos (phase)),
                    .imaginary = (float) (strength * sin (phase)),
                    .across = g_new (float, (size_t) (end - first)) };
  for (int b = first; b < end; b++)
    one.across[b - first]
        = (float) exp (-0.5 * (b - beam) * (b - beam) / (width * width));
  g_array_append_val (all, one);
}

// Those of one row: so many, on the average, as the density says.
static void
add_speckle (GArray *all, const OdlBeamPhantom *phantom, int row)
{
  const double width = width_at (phantom, row);
  const double cell = 4 * G_PI * width * phantom->along; // beams × rows
  const double margin = REACH * width;
  const double span = phantom->params.beams + 2 * margin;
  const int n = (int) ceil (DENSITY / cell * span);
  // The mean square of n / span scatterers to a beam and row, each with that strength, is
  // that of the level.
  const double strength = pow (10, SPECKLE_DB / 20) * POINT_LEVEL * FULL
                          / sqrt (n / span * G_PI * width * phantom->along);
  const uint64_t seed = phantom->params.seed;

  for (int i = 0; i < n; i++) {
    const uint32_t counter[4] = { (uint32_t) i, (uint32_t) row, STREAM_PLACE, 0 };
    const uint32_t other[4] = { (uint32_t) i, (uint32_t) row, STREAM_STRENGTH, 0 };
    const OdlUniforms place = odl_random_uniforms (seed, counter);
    const double normal = odl_random_normal (odl_random_uniforms (seed, other).a);
    const double at = row + place.b - 0.5, beam = place.a * span - margin - 0.5;
    const double tissue = tissue_at (odl_beams_place (&phantom->beams, beam, at));
    add_scatterer (all, phantom, beam, at,
                   normal * strength * tissue * loss_at (phantom, at));
  }
}

static void
free_scatterer (void *data)
{
  g_free (((Scatterer *) data)->across);
}

static int
by_row (const void *a, const void *b)
{
  const double one = ((const Scatterer *) a)->row, other = ((const Scatterer *) b)->row;

  return (one > other) - (one < other);
}

static GArray *
find_scatterers (const OdlBeamPhantom *phantom)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Scatterer));
  const int margin = (int) ceil (REACH * phantom->along);

  g_array_set_clear_func (all, free_scatterer);
  for (int row = -margin; row < phantom->params.samples + margin; row++)
    if (!phantom->params.clean)
      add_speckle (all, phantom, row);
  for (size_t i = 0; i < G_N_ELEMENTS (points); i++) {
    const OdlBeamsPoint at = odl_beams_find (&phantom->beams, points[i].x, points[i].y);
    add_scatterer (all, phantom, at.x, at.y,
                   POINT_LEVEL * FULL * loss_at (phantom, at.y));
  }
  g_array_sort (all, by_row);
  return all;
}

// The first scatterer at or behind `row`.
static guint
first_from (const GArray *all, double row)
{
  guint low = 0, high = all->len;

  while (low < high) {
    const guint middle = (low + high) / 2;
    if (g_array_index (all, Scatterer, middle).row < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void
fill_row (OdlBeamPhantom *phantom, const GArray *all, int row)
{
  const double reach = REACH * phantom->along;
  const size_t at = (size_t) row * phantom->params.beams;
  float *real = phantom->echoes[0] + at, *imaginary = phantom->echoes[1] + at;

  memset (real, 0, phantom->params.beams * sizeof *real);
  memset (imaginary, 0, phantom->params.beams * sizeof *imaginary);
  for (guint i = first_from (all, row - reach);
       i < all->len && g_array_index (all, Scatterer, i).row <= row + reach; i++) {
    const Scatterer *one = &g_array_index (all, Scatterer, i);
    const double off = (row - one->row) / phantom->along;
    const float share = (float) exp (-0.5 * off * off);
    for (int b = 0; b < one->n_beams; b++) {
      real[one->first_beam + b] += share * one->real * one->across[b];
      imaginary[one->first_beam + b] += share * one->imaginary * one->across[b];
    }
  }
}

static void
fill_noise (OdlBeamPhantom *phantom)
{
  const double level = pow (10, NOISE_DB / 20) * FULL;

  for (guint i = 0; i < NOISE_LENGTH; i++) {
    const uint32_t counter[4] = { i, 0, STREAM_NOISE, 0 };
    const OdlUniforms uniforms = odl_random_uniforms (phantom->params.seed, counter);
    phantom->noise[i]
        = phantom->params.clean ? 0 : (float) (level * odl_random_normal (uniforms.a));
  }
}

OdlBeamPhantom *
odl_beam_phantom_new (const OdlBeamPhantomParams *params, GError **error)
{
  g_autoptr (OdlBeamPhantom) phantom = g_new0 (OdlBeamPhantom, 1);
  const size_t rows = (size_t) params->samples, n = rows * (size_t) params->beams;

  phantom->params = *params;
  phantom->beams = odl_beam_phantom_beams (params);
  phantom->carrier = 2 * G_PI * megahertz (params) / SAMPLING_MHZ;
  // The spectrum of a Gaussian of σ rows is one of σ = 1 / (2π σ) of the sampling rate.
  phantom->along
      = sqrt (2 * log (2)) * SAMPLING_MHZ / (G_PI * BANDWIDTH * megahertz (params));
  for (int i = 0; i < 2; i++)
    phantom->echoes[i] = odl_aligned_alloc (n * sizeof (float));
  phantom->noise = odl_aligned_alloc (NOISE_LENGTH * sizeof (float));
  phantom->wave = odl_aligned_alloc (rows * sizeof *phantom->wave);
  phantom->from = odl_aligned_alloc (rows * sizeof *phantom->from);
  phantom->between = odl_aligned_alloc (rows * sizeof *phantom->between);
  if (phantom->echoes[0] == NULL || phantom->echoes[1] == NULL || phantom->noise == NULL
      || phantom->wave == NULL || phantom->from == NULL || phantom->between == NULL)
    return odl_error_null (
        error, ODL_ERROR_TOO_LARGE,
        _ ("There is not enough memory for a phantom of %d beams with %d samples."),
        params->beams, params->samples);
  fill_noise (phantom);
  g_autoptr (GArray) all = find_scatterers (phantom);
  ODL_PARALLEL_FOR
  for (int row = 0; row < phantom->params.samples; row++)
    fill_row (phantom, all, row);
  return g_steal_pointer (&phantom);
}

void
odl_beam_phantom_free (OdlBeamPhantom *phantom)
{
  if (phantom == NULL)
    return;
  for (int i = 0; i < 2; i++)
    odl_aligned_free (phantom->echoes[i]);
  odl_aligned_free (phantom->noise);
  odl_aligned_free (phantom->wave);
  odl_aligned_free (phantom->from);
  odl_aligned_free (phantom->between);
  g_free (phantom);
}

// What each row of the frame shows, which is the same of all beams.
static void
fill_rows (OdlBeamPhantom *phantom, int64_t index)
{
  const int rows = phantom->params.samples;
  const int period = ODL_BEAM_PHANTOM_PERIOD;
  const double last = depth_of (phantom, rows - 1);
  const double swing = TRAVEL_MM * sin (2 * G_PI * (double) (index % period) / period);

  for (int row = 0; row < rows; row++) {
    const double bow = sin (G_PI * depth_of (phantom, row) / last);
    const double moved = swing * bow * bow / phantom->beams.sample_mm;
    const double at = CLAMP (row - moved, 0, rows - 1);
    phantom->from[row] = MIN ((int) at, rows - 2);
    phantom->between[row] = (float) (at - phantom->from[row]);
    phantom->wave[row][0] = (float) cos (phantom->carrier * at);
    phantom->wave[row][1] = (float) sin (phantom->carrier * at);
  }
}

static void
write_row (const OdlBeamPhantom *phantom, int64_t index, int row, int16_t *out)
{
  const int n = phantom->params.beams;
  const size_t at = (size_t) phantom->from[row] * n;
  const float share = phantom->between[row];
  const float *real = phantom->echoes[0] + at, *imaginary = phantom->echoes[1] + at;
  const float in_phase = phantom->wave[row][0], quadrature = phantom->wave[row][1];
  const uint64_t turn = odl_phantom_hash (phantom->params.seed, STREAM_TURN,
                                          (uint64_t) index * MOST_SAMPLES + row);

  for (int b = 0; b < n; b++) {
    const float re = real[b] + share * (real[b + n] - real[b]);
    const float im = imaginary[b] + share * (imaginary[b + n] - imaginary[b]);
    const float noise = phantom->noise[(turn + (uint64_t) b) % NOISE_LENGTH];
    const float echo = re * in_phase - im * quadrature + noise;
    out[b] = (int16_t) lrintf (CLAMP (echo, -(float) FULL, (float) FULL));
  }
}

// Of the samples in the middle: so broad and so high are they where they lie.
static double
aspect_of (const OdlBeamPhantom *phantom)
{
  const OdlBeams *beams = &phantom->beams;
  const double row = (phantom->params.samples - 1) / 2.0;
  const OdlBeamsPoint left = odl_beams_place (beams, 0, row);
  const OdlBeamsPoint right = odl_beams_place (beams, 1, row);

  return hypot (right.x - left.x, right.y - left.y) / beams->sample_mm;
}

OdlImage *
odl_beam_phantom_frame (OdlBeamPhantom *phantom,
                        int64_t index,
                        OdlImagePool *pool,
                        GError **error)
{
  const bool linear = phantom->params.array == ODL_BEAMS_LINEAR;
  const double rate = phantom->params.frame_rate;
  const OdlImageInfo info = {
    .extent = { phantom->params.beams, phantom->params.samples, 1, 1 },
    .channels = 1,
    .type = ODL_SAMPLE_S16,
    .beams = phantom->beams,
    .pixel_aspect = aspect_of (phantom),
    .spacing_mm
    = { linear && phantom->params.steering_degrees == 0 ? phantom->beams.step : 0,
        linear && phantom->params.steering_degrees == 0 ? phantom->beams.sample_mm : 0,
        0 },
    .frame_interval_ms = 1000 / rate,
    .pts_ns = (int64_t) ((double) index * (1e9 / rate)),
  };
  void *samples = NULL;
  OdlImage *image = odl_image_alloc_in (pool, &info, &samples, error);

  if (image == NULL)
    return NULL;
  fill_rows (phantom, index);
  ODL_PARALLEL_FOR
  for (int row = 0; row < phantom->params.samples; row++)
    write_row (phantom, index, row,
               (int16_t *) samples + (size_t) row * phantom->params.beams);
  return image;
}
