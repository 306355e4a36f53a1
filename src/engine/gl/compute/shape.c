// SPDX-License-Identifier: MIT
#include "engine/gl/compute/shape.h"

#include <gio/gio.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "base/cache_file.h"
#include "engine/gl/platform/pass.h"

#define CLASSES 8 // 128², 256² … 16384² and more
#define FIRST_CLASS_LOG2 14 // of the samples of the first
#define MOST_BYTES (64 * 1024)
#define MOST_KEYS 16
#define DIGEST_CHARS 16

struct _OdlGlTuning {
  // By precision 16 and 32, direction, levels 1 and 2; rows 0: unknown.
  OdlGlShape shapes[CLASSES][2][2][ODL_GL_FUSION_LEVELS];
};

static const OdlGlShape shapes[ODL_GL_FUSION_LEVELS][8] = {
  { { 3, 1 }, { 9, 4 }, { 1, 1 }, { 5, 4 }, { 21, 4 }, { 9, 1 }, { 5, 2 }, { 0 } },
  { { 4, 1 }, { 16, 4 }, { 1, 1 }, { 9, 4 }, { 2, 1 }, { 16, 1 }, { 4, 2 }, { 0 } },
};

// Measured on an H200. Each warp starts three pairs early, and each pair that it marches
// on costs latency: few for small pictures, where the hardware is not full.
static const OdlGlShape defaults[ODL_GL_FUSION_LEVELS][CLASSES] = {
  { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 3, 1 }, { 5, 2 }, { 5, 4 }, { 9, 4 }, { 9, 4 } },
  { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 }, { 4, 2 }, { 16, 1 }, { 16, 4 }, { 16, 4 } },
};

static const char *const shader_files[]
    = { "wavelet/forward.comp",     "wavelet/inverse.comp", "wavelet/forward_two.comp",
        "wavelet/inverse_two.comp", "include/lanes.glsl",   "include/two_levels.glsl" };

const OdlGlShape *
odl_gl_shapes_for (int levels)
{
  return shapes[levels - 1];
}

OdlGlTuning *
odl_gl_tuning_new (void)
{
  return g_new0 (OdlGlTuning, 1);
}

void
odl_gl_tuning_free (OdlGlTuning *tuning)
{
  g_free (tuning);
}

static int
class_of (double samples)
{
  return (int) CLAMP (lround (log2 (MAX (samples, 1)) / 2) - FIRST_CLASS_LOG2 / 2, 0,
                      CLASSES - 1);
}

static OdlGlShape *
place_of (OdlGlTuning *tuning, const OdlGlLevelKind *kind)
{
  return &tuning->shapes[class_of (kind->samples)][kind->precision == 32][kind->inverse]
                        [kind->levels - 1];
}

bool
odl_gl_tuning_knows (const OdlGlTuning *tuning, const OdlGlLevelKind *kind)
{
  return place_of ((OdlGlTuning *) tuning, kind)->rows > 0;
}

OdlGlShape
odl_gl_tuning_shape (const OdlGlTuning *tuning, const OdlGlLevelKind *kind)
{
  const OdlGlShape *known = place_of ((OdlGlTuning *) tuning, kind);

  return known->rows > 0 ? *known : defaults[kind->levels - 1][class_of (kind->samples)];
}

void
odl_gl_tuning_set (OdlGlTuning *tuning, const OdlGlLevelKind *kind, OdlGlShape shape)
{
  *place_of (tuning, kind) = shape;
}

char *
odl_gl_tuning_path (void)
{
  return odl_cache_file_path ("gl-compute.ini");
}

char *
odl_gl_tuning_key (const OdlGlCaps *caps)
{
  g_autoptr (GChecksum) shaders = g_checksum_new (G_CHECKSUM_SHA256);

  for (size_t i = 0; i < G_N_ELEMENTS (shader_files); i++) {
    g_autofree char *path
        = g_strconcat ("/org/ondelette/shaders/", shader_files[i], NULL);
    g_autoptr (GBytes) text = g_resources_lookup_data (path, 0, NULL);
    if (text != NULL)
      g_checksum_update (shaders, g_bytes_get_data (text, NULL),
                         (gssize) g_bytes_get_size (text));
  }
  return g_strdup_printf ("%s; %.*s", caps->gpu, DIGEST_CHARS,
                          g_checksum_get_string (shaders));
}

// A group of the file is one key:
//   [digest of the key]
//   key=…
//   measured=SECONDS   since 1970
//   CLASS-BITS-forward-LEVELS=ROWS ACROSS
#define NAME_LENGTH 32
#define PLACES (CLASSES * 2 * 2 * ODL_GL_FUSION_LEVELS)

// All places, numbered: the levels change fastest.
static OdlGlShape *
place_at (OdlGlTuning *tuning, int n)
{
  const int levels = n % ODL_GL_FUSION_LEVELS, rest = n / ODL_GL_FUSION_LEVELS;

  return &tuning->shapes[rest / 4][rest / 2 % 2][rest % 2][levels];
}

static const char *
name_place (char name[NAME_LENGTH], int n)
{
  const int levels = n % ODL_GL_FUSION_LEVELS + 1, rest = n / ODL_GL_FUSION_LEVELS;

  g_snprintf (name, NAME_LENGTH, "%d-%d-%s-%d", rest / 4, rest / 2 % 2 != 0 ? 32 : 16,
              rest % 2 != 0 ? "inverse" : "forward", levels);
  return name;
}

static void
load_place (GKeyFile *file, const char *group, OdlGlTuning *tuning, int place)
{
  OdlGlShape *shape = place_at (tuning, place);
  const OdlGlShape *s = odl_gl_shapes_for (place % ODL_GL_FUSION_LEVELS + 1);
  char name[NAME_LENGTH];
  gsize n = 0;
  g_autofree int *numbers
      = g_key_file_get_integer_list (file, group, name_place (name, place), &n, NULL);

  for (; numbers != NULL && n == 2 && s->rows > 0; s++)
    if (s->rows == numbers[0] && s->across == numbers[1])
      *shape = *s;
}

void
odl_gl_tuning_load (OdlGlTuning *tuning, const char *path, const char *key)
{
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  g_autofree char *group = odl_cache_file_group (key);

  if (!odl_cache_file_knows (file, group, key))
    return;
  for (int n = 0; n < PLACES; n++)
    load_place (file, group, tuning, n);
}

static void
save_places (const OdlGlTuning *tuning, GKeyFile *file, const char *group)
{
  char name[NAME_LENGTH];

  for (int n = 0; n < PLACES; n++) {
    const OdlGlShape *shape = place_at ((OdlGlTuning *) tuning, n);
    int numbers[] = { shape->rows, shape->across };
    if (shape->rows > 0)
      g_key_file_set_integer_list (file, group, name_place (name, n), numbers,
                                   G_N_ELEMENTS (numbers));
  }
}

bool
odl_gl_tuning_save (const OdlGlTuning *tuning,
                    const char *path,
                    const char *key,
                    GError **error)
{
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  g_autofree char *group = odl_cache_file_group (key);

  g_key_file_remove_group (file, group, NULL);
  odl_cache_file_begin_group (file, group, key, MOST_KEYS);
  g_key_file_set_int64 (file, group, "measured", g_get_real_time () / G_USEC_PER_SEC);
  save_places (tuning, file, group);
  return odl_cache_file_save (
      file, path, _ ("what was tuned for this graphics card cannot be kept"), error);
}
