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
#include "source/source.h"

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
  double beam, row;
  int first_beam, n_beams;
  float (*across)[2]; // of each of these beams: its strength there, turned by the phase
                      // of the row that the echo comes at
} Scatterer;

struct _OdlBeamPhantom {
  OdlBeamPhantomParams params;
  OdlBeams beams;
  double carrier; // radians from a row to the next
  double along; // σ of the wave packet, rows
  double earlier; // rows that an echo comes earlier from a beam to the next: steered
  int reach; // rows from a scatterer that it reaches at most
  float *echoes[2]; // in phase and in quadrature, row by row
  float *noise; // NOISE_LENGTH
  float (*wave)[2]; // of each row: cosine and sine, less what moved
  int *from; // of each row: the row at rest that it shows
  float *between; // and the share of the next one
};

static bool
parse_steering (const char *text, OdlBeamPhantomParams *params)
{
  g_auto (GStrv) words = g_strsplit (text, "/", -1);
  const int n = (int) g_strv_length (words);
  bool good = n >= 1 && n <= ODL_BEAM_PHANTOM_MORE + 1;

  params->n_more = n - 1;
  for (int i = 0; good && i < n; i++) {
    double *degrees = i == 0 ? &params->steering_degrees : &params->more_degrees[i - 1];
    good = odl_number_from_text (words[i], degrees) && fabs (*degrees) <= MOST_STEERING;
  }
  return good;
}

OdlBeamPhantomParams
odl_beam_phantom_steered (const OdlBeamPhantomParams *params, int64_t index)
{
  OdlBeamPhantomParams steered = *params;
  const int turn = (int) (index % (1 + params->n_more));

  if (turn > 0)
    steered.steering_degrees = params->more_degrees[turn - 1];
  steered.n_more = 0;
  return steered;
}

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
      good = parse_steering (value, &result);
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
    } else if (strcmp (word, "iq") == 0) {
      result.iq = true;
    } else if (strcmp (word, "clean") == 0) {
      result.clean = true;
    } else {
      good = false;
    }
  }
  if (good && result.array == ODL_BEAMS_CURVILINEAR
      && (result.steering_degrees != 0 || result.n_more > 0))
    good = false;
  if (!good)
    return odl_error_set (
        error, ODL_ERROR_USAGE,
        _ ("“%s” is not a phantom of beams. Write phantom:beams[:BEAMSxSAMPLES]"
           "[,array=curvilinear|linear][,steering=DEGREES[/DEGREES…]][,seed=N][,rate=FPS]"
           "[,attenuation=DB][,iq][,clean] with %d to %d beams of %d to %d samples, and "
           "steering of linear arrays by up to %g degrees, frame by frame in up to %d "
           "directions."),
        text, LEAST_BEAMS, MOST_BEAMS, LEAST_SAMPLES, MOST_SAMPLES, MOST_STEERING,
        ODL_BEAM_PHANTOM_MORE + 1);
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
                     .sample_mm = SAMPLE_MM,
                     .content = params->iq ? ODL_BEAMS_COMPLEX : ODL_BEAMS_WAVES };
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

// σ across a beam, in beams, which stand closer where they are steered. There the array
// is seen at an angle: what is left of it makes a wider focus, and beams open less from
// there.
static double
width_at (const OdlBeamPhantom *phantom, double row)
{
  const bool linear = phantom->params.array == ODL_BEAMS_LINEAR;
  const double depth = depth_of (phantom, row), seen = cos (phantom->beams.steering);
  const double width = hypot ((linear ? 0.35 : 0.6) / seen,
                              (linear ? 0.02 : 0.03) * seen * (depth - FOCUS_MM));

  return width
         / (linear ? phantom->beams.step * seen
                   : phantom->beams.step * (phantom->beams.radius_mm + depth));
}

// Rows that a scatterer reaches at most: those of its wave packet, and the later ones
// that it is heard in by other beams.
static int
reach_of (const OdlBeamPhantom *phantom)
{
  double beams = 0;

  for (int row = 0; row < phantom->params.samples && phantom->earlier != 0; row++)
    beams = fmax (beams, ceil (REACH * width_at (phantom, row)) + 1);
  return (int) ceil (REACH * phantom->along
                     + fabs (phantom->earlier) * fmin (beams, MOST_ACROSS / 2));
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
  Scatterer one = { .beam = beam,
                    .row = row,
                    .first_beam = first,
                    .n_beams = end - first,
                    .across = g_malloc_n ((gsize) (end - first), sizeof *one.across) };
  for (int b = first; b < end; b++) {
    const double share
        = strength * exp (-0.5 * (b - beam) * (b - beam) / (width * width));
    const double phase = -phantom->carrier * (row - phantom->earlier * (b - beam));
    one.across[b - first][0] = (float) (share * cos (phase));
    one.across[b - first][1] = (float) (share * sin (phase));
  }
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

  g_array_set_clear_func (all, free_scatterer);
  for (int row = -phantom->reach; row < phantom->params.samples + phantom->reach; row++)
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

// Those of the beams that a scatterer reaches in a row, by their number among them.
static void
find_beams (const OdlBeamPhantom *phantom,
            const Scatterer *one,
            int row,
            int *from,
            int *end)
{
  const double off = one->row - row, reach = REACH * phantom->along;
  const double turn = phantom->earlier, beam = one->beam - one->first_beam;
  const double a = beam + (off - reach) / turn, b = beam + (off + reach) / turn;

  *from = (int) fmax (ceil (fmin (a, b)), 0);
  *end = (int) fmin (floor (fmax (a, b)) + 1, one->n_beams);
}

static void
add_to_row (const OdlBeamPhantom *phantom,
            const Scatterer *one,
            int row,
            float *real,
            float *imaginary)
{
  const double scale = -0.5 / (phantom->along * phantom->along);
  double off = row - one->row;
  float share = (float) exp (scale * off * off);
  int from = 0, end = one->n_beams;

  if (phantom->earlier != 0)
    find_beams (phantom, one, row, &from, &end);
  for (int i = from; i < end; i++) {
    const int beam = one->first_beam + i;
    if (phantom->earlier != 0) {
      off = row - one->row + phantom->earlier * (beam - one->beam);
      share = expf ((float) (scale * off * off));
    }
    real[beam] += share * one->across[i][0];
    imaginary[beam] += share * one->across[i][1];
  }
}

static void
fill_row (OdlBeamPhantom *phantom, const GArray *all, int row)
{
  const size_t at = (size_t) row * phantom->params.beams;
  float *real = phantom->echoes[0] + at, *imaginary = phantom->echoes[1] + at;

  memset (real, 0, phantom->params.beams * sizeof *real);
  memset (imaginary, 0, phantom->params.beams * sizeof *imaginary);
  for (guint i = first_from (all, row - phantom->reach);
       i < all->len && g_array_index (all, Scatterer, i).row <= row + phantom->reach; i++)
    add_to_row (phantom, &g_array_index (all, Scatterer, i), row, real, imaginary);
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
  phantom->earlier
      = phantom->beams.step * sin (phantom->beams.steering) / phantom->beams.sample_mm;
  phantom->reach = reach_of (phantom);
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
    // Demodulated by the same carrier, so that still echoes do not turn.
    const double turned = phantom->carrier * (phantom->params.iq ? at - row : at);
    phantom->wave[row][0] = (float) cos (turned);
    phantom->wave[row][1] = (float) sin (turned);
  }
}

static int16_t
stored (float echo)
{
  return (int16_t) lrintf (CLAMP (echo, -(float) FULL, (float) FULL));
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
    out[b] = stored (echo);
    if (phantom->params.iq)
      out[n + b] = stored (re * quadrature + im * in_phase
                           + phantom->noise[(turn + (uint64_t) (n + b)) % NOISE_LENGTH]);
  }
}

OdlImage *
odl_beam_phantom_frame (OdlBeamPhantom *phantom,
                        int64_t index,
                        OdlImagePool *pool,
                        GError **error)
{
  const double rate = phantom->params.frame_rate;
  OdlImageInfo info = {
    .extent = { phantom->params.beams * (phantom->params.iq ? 2 : 1),
                phantom->params.samples, 1, 1 },
    .channels = 1,
    .type = ODL_SAMPLE_S16,
    .beams = phantom->beams,
    .frame_interval_ms = 1000 / rate,
    .pts_ns = (int64_t) ((double) index * (1e9 / rate)),
  };
  void *samples = NULL;

  odl_beams_describe (&info.beams, info.extent.x, info.extent.y, info.spacing_mm,
                      &info.pixel_aspect);
  OdlImage *image = odl_image_alloc_in (pool, &info, &samples, error);

  if (image == NULL)
    return NULL;
  fill_rows (phantom, index);
  ODL_PARALLEL_FOR
  for (int row = 0; row < phantom->params.samples; row++)
    write_row (phantom, index, row, (int16_t *) samples + (size_t) row * info.extent.x);
  return image;
}

typedef struct {
  OdlSource base;
  OdlBeamPhantomParams params;
  OdlBeamPhantom *phantoms[ODL_BEAM_PHANTOM_MORE + 1]; // by directions, which take turns
} BeamSource;

extern const OdlSourceClass odl_beams_source;

static bool
beams_probe (const char *location, const uint8_t *head, size_t n_head)
{
  const char *name = "phantom:beams";

  return g_str_has_prefix (location, name)
         && strchr (":,", location[strlen (name)]) != NULL;
}

static bool
make_phantoms (BeamSource *self, const OdlBeamPhantomParams *params, GError **error)
{
  for (int i = 0; i <= params->n_more; i++) {
    const OdlBeamPhantomParams steered = odl_beam_phantom_steered (params, i);
    self->phantoms[i] = odl_beam_phantom_new (&steered, error);
    if (self->phantoms[i] == NULL)
      return false;
  }
  return true;
}

static void
free_phantoms (BeamSource *self)
{
  for (int i = 0; i <= ODL_BEAM_PHANTOM_MORE; i++)
    g_clear_pointer (&self->phantoms[i], odl_beam_phantom_free);
}

static OdlSource *
beams_open (const char *location, GCancellable *cancellable, GError **error)
{
  OdlBeamPhantomParams params;

  if (!odl_beam_phantom_parse (location, &params, error))
    return NULL;
  BeamSource *self = g_new0 (BeamSource, 1);
  if (!make_phantoms (self, &params, error)) {
    free_phantoms (self);
    g_free (self);
    return NULL;
  }
  OdlSourceInfo *info = &self->base.info;
  odl_source_init (&self->base, &odl_beams_source, location);
  self->params = params;
  g_free (info->name);
  // Translators: numbers of beams and of samples along each.
  info->name = g_strdup_printf (_ ("beams %d×%d"), params.beams, params.samples);
  g_free (info->format);
  info->format = g_strdup (params.iq ? _ ("generated echoes, IQ")
                                     : _ ("generated echoes, radio frequency"));
  info->n_frames = info->declared_frames = ODL_BEAM_PHANTOM_PERIOD;
  info->frame_rate = params.frame_rate;
  info->live = true;
  odl_source_add_detail (&self->base, "beam-data", "%s", params.iq ? "iq" : "rf");
  odl_source_add_detail (&self->base, "seed", "%u", params.seed);
  odl_source_add_detail (&self->base, "clean", "%s", params.clean ? "yes" : "no");
  return &self->base;
}

static void
beams_close (OdlSource *source)
{
  free_phantoms ((BeamSource *) source);
}

static OdlImage *
beams_read_frame (OdlSource *source,
                  int64_t index,
                  GCancellable *cancellable,
                  GError **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  BeamSource *self = (BeamSource *) source;
  g_autoptr (OdlImagePool) pool = odl_source_ref_pool (source);
  return odl_beam_phantom_frame (self->phantoms[index % (1 + self->params.n_more)], index,
                                 pool, error);
}

static const char *const beams_examples[]
    = { "phantom:beams",
        "phantom:beams:128x2048,array=linear,steering=10",
        "phantom:beams,seed=3,rate=50,attenuation=0.5",
        "phantom:beams,iq",
        "phantom:beams,array=linear,steering=-10/0/10",
        "phantom:beams,clean",
        NULL };

const OdlSourceClass odl_beams_source = {
  .name = "beams",
  .description = N_ ("Generated echoes of an ultrasound probe before they are a picture: "
                     "cysts, points and speckle, in radio frequency or as IQ"),
  .examples = beams_examples,
  .probe = beams_probe,
  .open = beams_open,
  .close = beams_close,
  .read_frame = beams_read_frame,
};
