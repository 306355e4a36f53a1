// SPDX-License-Identifier: MIT
#include "source/phantom/volume.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/text.h"
#include "source/phantom/internal.h"

#define LEAST_SIDE 8
#define MOST_SIDE 2048
#define MOST_TIMES 4096
#define ENTRIES 4096 // of the tables of noise
// How much the ellipsoid shrinks at the peak of a beat.
#define SHRINKS 0.22
#define BEHIND 0.02 // what lies outside of the body

// ---- words ---------------------------------------------------------------------------

static const char *const noises[] = { "speckle", "gaussian" };

bool
odl_volume_phantom_is (const char *text)
{
  static const char start[] = "phantom:";

  if (!g_str_has_prefix (text, start))
    return false;
  const char *rest = text + strlen (start);
  int n = 0;
  for (const char *c = rest; g_ascii_isdigit (*c) || *c == 'x'; c++)
    n += *c == 'x';
  return g_ascii_isdigit (*rest) && n >= 2;
}

static bool
parse_size (const char *word, OdlVolumePhantom *phantom)
{
  g_auto (GStrv) words = g_strsplit (word, "x", 5);
  const guint n = g_strv_length (words);
  guint64 number;

  phantom->times = 1;
  for (guint i = 0; i < n; i++) {
    const guint64 most = i < 3 ? MOST_SIDE : MOST_TIMES;
    if (i > 3
        || !g_ascii_string_to_unsigned (words[i], 10, i < 3 ? LEAST_SIDE : 1, most,
                                        &number, NULL))
      return false;
    *(i < 3 ? &phantom->size[i] : &phantom->times) = (int) number;
  }
  return n >= 3;
}

static bool
parse_number (const char *text, double least, double most, double *number)
{
  // Also rejects NaN.
  return odl_number_from_text (text, number) && *number >= least && *number <= most;
}

static bool
parse_word (const char *word, OdlVolumePhantom *phantom)
{
  const char *value = strchr (word, '=');
  const size_t n = value != NULL ? (size_t) (value - word) : strlen (word);
  g_autofree char *name = g_strndup (word, n);
  guint64 number;

  if (value == NULL) {
    phantom->clean = true;
    return strcmp (name, "clean") == 0;
  }
  value++;
  if (strcmp (name, "sigma") == 0)
    return parse_number (value, 0, 1, &phantom->sigma);
  if (strcmp (name, "spacing") == 0)
    return parse_number (value, 0.001, 1000, &phantom->spacing_mm[0]);
  if (strcmp (name, "slice") == 0)
    return parse_number (value, 0.001, 1000, &phantom->spacing_mm[1]);
  if (strcmp (name, "rate") == 0)
    return parse_number (value, 0.1, 1000, &phantom->rate);
  if (strcmp (name, "seed") == 0) {
    const bool good = g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT, &number, NULL);
    phantom->seed = good ? (unsigned) number : 0;
    return good;
  }
  for (int i = 0; strcmp (name, "noise") == 0 && i < ODL_VOLUME_PHANTOM_N_NOISES; i++)
    if (strcmp (value, noises[i]) == 0) {
      phantom->noise = (OdlVolumePhantomNoise) i;
      return true;
    }
  return false;
}

bool
odl_volume_phantom_parse (const char *text, OdlVolumePhantom *phantom, GError **error)
{
  OdlVolumePhantom result
      = { .seed = 1, .sigma = 0.05, .spacing_mm = { 1, 1.5 }, .rate = 20 };
  bool good = odl_volume_phantom_is (text);
  g_auto (GStrv) words = g_strsplit (good ? strchr (text, ':') + 1 : "", ",", -1);

  for (int i = 0; good && words[i] != NULL; i++)
    good = i == 0 ? parse_size (words[i], &result) : parse_word (words[i], &result);
  if (!good)
    return odl_usage_error (
        error,
        _ ("“%s” is not a phantom of volumes. Write phantom:WIDTHxHEIGHTxSLICESxTIMES "
           "with sides of %d to %d, such as phantom:128x128x96x20, and what you like of "
           "seed=N, noise=speckle or gaussian, sigma=SHARE, spacing=MM, slice=MM, "
           "rate=VOLUMES (per second), clean, with commas between them."),
        text, LEAST_SIDE, MOST_SIDE);
  *phantom = result;
  return true;
}

// ---- what there is -------------------------------------------------------------------

// Centre and half axes as shares of half the volume's sides.
typedef struct {
  float centre[3], axes[3];
  float level; // share of full scale
  bool beats;
} Ellipsoid;

// Each covers those before it.
static const Ellipsoid ellipsoids[] = {
  { { 0, 0, 0 }, { 0.92f, 0.88f, 0.94f }, 0.36f, false }, // body
  { { 0.08f, -0.06f, 0.04f }, { 0.50f, 0.44f, 0.56f }, 0.66f, true }, // wall
  { { 0.08f, -0.06f, 0.04f }, { 0.34f, 0.28f, 0.40f }, 0.08f, true }, // cavity
  { { -0.62f, 0.20f, -0.30f }, { 0.16f, 0.16f, 0.18f }, 0.05f, false }, // cysts
  { { -0.50f, -0.50f, 0.36f }, { 0.11f, 0.11f, 0.12f }, 0.05f, false },
  { { 0.30f, 0.64f, 0.30f }, { 0.08f, 0.08f, 0.09f }, 0.05f, false },
  { { 0.34f, 0.60f, -0.44f }, { 0.13f, 0.13f, 0.14f }, 0.90f, false }, // bright
};

// An ellipsoid at one time, in voxels; in one slice.
typedef struct {
  float centre[2], inverse[2]; // of x and y
  float z; // the square of the third coordinate's share
  float sharp; // voxels of the shortest half axis: the edge is about one voxel wide
  float level;
} Section;

static void
cut (const OdlVolumePhantom *phantom, float beat, int z, Section *sections)
{
  for (size_t i = 0; i < G_N_ELEMENTS (ellipsoids); i++) {
    const Ellipsoid *from = &ellipsoids[i];
    const float shrinks = from->beats ? 1 - (float) SHRINKS * beat : 1;
    float axes[3], centre[3];
    for (int k = 0; k < 3; k++) {
      const float half = (float) phantom->size[k] / 2;
      axes[k] = from->axes[k] * shrinks * half;
      centre[k] = half + from->centre[k] * half - 0.5f;
    }
    const float dz = ((float) z - centre[2]) / axes[2];
    sections[i] = (Section){ { centre[0], centre[1] },
                             { 1 / axes[0], 1 / axes[1] },
                             dz * dz,
                             MIN (MIN (axes[0], axes[1]), axes[2]),
                             from->level };
  }
}

static float
level_at (const Section *sections, int x, int y)
{
  float level = (float) BEHIND;

  for (size_t i = 0; i < G_N_ELEMENTS (ellipsoids); i++) {
    const Section *s = &sections[i];
    const float dx = ((float) x - s->centre[0]) * s->inverse[0];
    const float dy = ((float) y - s->centre[1]) * s->inverse[1];
    const float inside = (1 - sqrtf (dx * dx + dy * dy + s->z)) * s->sharp + 0.5f;
    level += CLAMP (inside, 0, 1) * (s->level - level);
  }
  return level;
}

// ---- noise ---------------------------------------------------------------------------

// Amplitudes and phases of a circular Gaussian of power 1 in each of its two parts.
typedef struct {
  float amplitude[ENTRIES], phase[ENTRIES];
} Noise;

static const Noise *
noise_tables (void)
{
  static Noise tables;
  static gsize made = 0;

  if (g_once_init_enter (&made)) {
    for (int i = 0; i < ENTRIES; i++) {
      tables.amplitude[i] = (float) sqrt (-2 * log ((i + 0.5) / ENTRIES));
      tables.phase[i] = (float) cos (2 * G_PI * (i + 0.5) / ENTRIES);
    }
    g_once_init_leave (&made, 1);
  }
  return &tables;
}

static float
with_noise (const OdlVolumePhantom *phantom,
            const Noise *noise,
            float level,
            uint64_t bits)
{
  const float amplitude = noise->amplitude[bits % ENTRIES];

  if (phantom->noise == ODL_VOLUME_PHANTOM_GAUSSIAN)
    return level
           + (float) phantom->sigma * amplitude * noise->phase[bits / ENTRIES % ENTRIES];
  // The mean of such amplitudes is √(π/2).
  return level * amplitude * 0.79788456f;
}

OdlImage *
odl_volume_phantom_slice (const OdlVolumePhantom *phantom,
                          int time,
                          int z,
                          GError **error)
{
  OdlImageInfo info = { .extent = { phantom->size[0], phantom->size[1], 1, 1 },
                        .channels = 1,
                        .type = ODL_SAMPLE_U16,
                        .stored_max = ODL_VOLUME_PHANTOM_WHITE,
                        .spacing_mm = { phantom->spacing_mm[0], phantom->spacing_mm[0],
                                        phantom->spacing_mm[1] } };
  const Noise *noise = noise_tables ();
  // Rounded, so that it does not depend on the machine's cosine.
  const float beat
      = (float) round ((0.5 - 0.5 * cos (2 * G_PI * time / phantom->times)) * 0x1p20)
        * 0x1p-20f;
  const int width = phantom->size[0], height = phantom->size[1];
  const uint64_t slice = (uint64_t) time * (uint64_t) phantom->size[2] + (uint64_t) z;
  Section sections[G_N_ELEMENTS (ellipsoids)];
  void *samples;

  OdlImage *image = odl_image_alloc (&info, &samples, error);
  if (image == NULL)
    return NULL;
  cut (phantom, beat, z, sections);
  ODL_PARALLEL_FOR
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const size_t at = (size_t) y * (size_t) width + (size_t) x;
      float level = level_at (sections, x, y);
      if (!phantom->clean)
        level = with_noise (phantom, noise, level,
                            odl_phantom_hash (phantom->seed, slice, at));
      ((uint16_t *) samples)[at]
          = (uint16_t) (CLAMP (level, 0, 1) * ODL_VOLUME_PHANTOM_WHITE + 0.5f);
    }
  return image;
}
