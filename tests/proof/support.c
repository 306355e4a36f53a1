// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../helpers/images.h"
#include "../helpers/operands.h"
#include "../helpers/stability.h"
#include "base/error.h"
#include "engine/gl/platform/headless.h"
#include "proof.h"
#include "wavelet/border.h"

#define SHARES 7 // of the cases, of which a way on a GPU takes one

double
odl_proof_unrest (const OdlWavelet *wavelet, const char *border)
{
  static double known[ODL_N_BORDERS][128]; // 0: not yet
  size_t w = 0;
  int b = 0;

  while (odl_wavelet_at (w) != wavelet)
    w++;
  g_assert_cmpuint (w, <, G_N_ELEMENTS (known[0]));
  while (!g_str_equal (odl_border_names[b + 1], border))
    b++;
  if (known[b][w] == 0)
    known[b][w] = odl_test_unrest (wavelet, (OdlBorder) b);
  return known[b][w];
}

// ---- pictures ------------------------------------------------------------------------

OdlImage *
odl_proof_noise (int width, int height, int channels, OdlSampleType type, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  void *samples;
  OdlImage *image = odl_test_image (width, height, channels, type, &samples);

  for (size_t i = 0; i < (size_t) width * height * channels; i++) {
    const guint32 bits = g_rand_int (random) >> 16;
    switch (type) {
    case ODL_SAMPLE_U8:
      ((guint8 *) samples)[i] = (guint8) bits;
      break;
    case ODL_SAMPLE_U16:
    case ODL_SAMPLE_S16:
      ((guint16 *) samples)[i] = (guint16) bits;
      break;
    case ODL_SAMPLE_F32:
      ((float *) samples)[i] = (float) bits / 65535;
      break;
    }
  }
  return image;
}

OdlPlan *
odl_proof_plan (const char *text, const OdlImage *image)
{
  OdlGeometry geometry = odl_geometry_of (image);
  OdlRecipe recipe = odl_test_recipe (text);
  g_autoptr (OdlOperands) operands = geometry.operands
      = odl_test_operands (&recipe, &geometry, odl_proof_noise);

  return odl_test_plan_of (&recipe, &geometry);
}

OdlImage *
odl_proof_repeat (const OdlImage *tile, int width, int height, OdlBorder border)
{
  const OdlImageInfo *from = odl_image_info (tile);
  const size_t size = from->type == ODL_SAMPLE_F32 ? sizeof (float) : 1;
  char *to;
  OdlImage *image = odl_test_image (width, height, 1, from->type, &to);

  for (int y = 0; y < height; y++) {
    const char *row = (const char *) from->planes[0].data
                      + odl_border_index (border, y, from->extent.y)
                            * from->planes[0].row_stride_bytes;
    for (int x = 0; x < width; x++, to += size)
      memcpy (to, row + odl_border_index (border, x, from->extent.x) * size, size);
  }
  return image;
}

double
odl_proof_distance (OdlImage *a, OdlImage *b)
{
  const OdlImageInfo *info = odl_image_info (a);
  const OdlImageInfo *other = odl_image_info (b);
  const int width = info->extent.x;
  double largest = 0;

  if (other->extent.x != width || other->extent.z != info->extent.z
      || other->extent.y != info->extent.y || other->channels != info->channels)
    return INFINITY;

  g_autofree float *rows = g_new (float, 2 * width);
  for (int c = 0; c < info->channels * info->extent.z; c++)
    for (int y = 0; y < info->extent.y; y++) {
      const int channel = c % info->channels, z = c / info->channels;
      odl_image_scaled_row (a, channel, y, z, 0, rows);
      odl_image_scaled_row (b, channel, y, z, 0, rows + width);
      for (int x = 0; x < width; x++) {
        const double d = fabs ((double) rows[x] - rows[width + x]);
        if (!(d <= largest))
          largest = isfinite (d) ? d : (double) INFINITY;
      }
    }
  return largest;
}

// ---- the reference
// ---------------------------------------------------------------------

static GHashTable *known; // by what was filtered, and how; NULL: nothing yet

OdlImage *
odl_proof_wanted (Proof *proof, const OdlPlan *plan, OdlImage *image, const char *what)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autofree char *key
      = g_strdup_printf ("%s, %d×%d×%d, %d channels, type %d", what, info->extent.x,
                         info->extent.y, info->extent.z, info->channels, info->type);

  if (known == NULL)
    known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                   (GDestroyNotify) odl_image_unref);
  OdlImage *wanted = g_hash_table_lookup (known, key);
  if (wanted == NULL) {
    g_autoptr (GError) error = NULL;
    wanted = odl_engine_process (proof->reference, plan, image, &error);
    g_assert_no_error (error);
    g_hash_table_insert (known, g_steal_pointer (&key), wanted);
  }
  return odl_image_ref (wanted);
}

// ---- running -------------------------------------------------------------------------

typedef struct {
  const OdlEngineClass *klass;
  OdlGlApi api; // ODL_GL_API_ANY: no GL
  const char *variant; // NULL: the engine's own choice
  int turn, n_ways;
} Way;

typedef struct {
  const ProofCase *row;
  Way way;
} Run;

// Software rasterisers compile every shader anew for every context and engine: the ways
// of an API share both, so that each program is compiled once for all variants that need
// it.
static Way current;
static Proof proof; // engine NULL: none is open
static OdlGlHeadless *context;

static void
close_proof (void)
{
  g_clear_pointer (&proof.engine, odl_engine_close);
  g_clear_pointer (&proof.reference, odl_engine_close);
  g_clear_pointer (&context, odl_gl_headless_free);
}

// Opens a context of the way's API, unless one is open, and the engines.
static bool
open_engines (const Way *way, GError **error)
{
  if (proof.engine != NULL && way->klass == current.klass && way->api == current.api)
    return true;
  close_proof ();
  if (way->klass->needs_gl) {
    context = odl_gl_headless_new_for (way->api, error);
    if (context == NULL)
      return false;
  }
  proof.engine = odl_engine_open (way->klass, error);
  if (proof.engine == NULL)
    return false;
  proof.reference = odl_engine_open (odl_engine_find ("reference"), error);
  return true;
}

static bool
open_proof (const Way *way, GError **error)
{
  static const char *const apis[] = { "", ", desktop OpenGL", ", OpenGL ES" };
  const char *variant = way->variant != NULL ? way->variant : "auto";

  if (proof.engine != NULL && memcmp (way, &current, sizeof current) == 0)
    return true;
  if (!open_engines (way, error)
      || !odl_engine_choose (proof.engine, way->variant, error))
    return false;
  g_free (proof.name);
  proof.name = g_strconcat (way->klass->name, ":", variant, apis[way->api], NULL);
  // A program for every wavelet and length of line, compiled by the processor.
  const bool all = g_getenv ("ODL_PROOF_ALL") != NULL;
  proof.software = context != NULL && odl_gl_headless_is_software (context);
  proof.slow = !all && proof.software && g_str_equal (way->klass->name, "gl-fragment");
  proof.again = !all && way->api == ODL_GL_API_ES && way->n_ways >= 2 * SHARES;
  proof.turn = way->turn;
  proof.shares = proof.slow                                 ? way->n_ways
                 : all || context == NULL || way->turn == 0 ? 1
                                                            : SHARES;
  current = *way;
  return true;
}

static void
run_cb (gconstpointer data)
{
  const Run *run = data;
  g_autoptr (GError) error = NULL;

  if (!open_proof (&run->way, &error)) {
    g_test_skip (error->message);
    return;
  }
  proof.cases = proof.compared = proof.refused = 0;
  run->row->check (&proof);
  if (context != NULL)
    g_test_message ("%s", odl_gl_headless_renderer (context));
  g_test_message ("%s: %d pictures, %d refused", proof.name, proof.compared,
                  proof.refused);
  if (proof.compared + proof.refused == 0)
    g_test_skip ("nothing falls to this share");
}

// A case of few items has none left for some ways.
static bool
has_no_share (const Way *way, const ProofCase *row)
{
  return way->klass->needs_gl && g_getenv ("ODL_PROOF_ALL") == NULL && row->n_items > 0
         && way->turn % SHARES >= row->n_items;
}

static void
add_way (const Way *way, const ProofCase *cases, size_t n_cases)
{
  static const char *const apis[] = { "", "desktop/", "es/" };
  const char *variant = way->variant != NULL ? way->variant : "auto";

  for (size_t i = 0; i < n_cases; i++) {
    if (has_no_share (way, &cases[i]))
      continue;
    Run *run = g_new0 (Run, 1);
    run->row = &cases[i];
    memcpy (&run->way, way, sizeof *way);
    g_autofree char *path = g_strconcat ("/proof/", way->klass->name, "/", apis[way->api],
                                         variant, "/", cases[i].name, NULL);
    g_test_add_data_func_full (path, run, run_cb, g_free);
  }
}

// Variants that are known to be inexact have tests that measure by how much.
int
odl_proof_run (const ProofCase *cases, size_t n_cases)
{
  const char *name = g_getenv ("ODL_TEST_ENGINE");
  const OdlEngineClass *klass = odl_engine_find (name != NULL ? name : "cpu");
  const OdlGlApi first = klass->needs_gl ? ODL_GL_API_DESKTOP : ODL_GL_API_ANY;
  const OdlGlApi last = klass->needs_gl ? ODL_GL_API_ES : ODL_GL_API_ANY;
  GArray *ways = g_array_new (FALSE, TRUE, sizeof (Way));

  for (OdlGlApi api = first; api <= last; api++)
    for (int v = -1;
         v < 0 || (klass->variants != NULL && klass->variants[v].name != NULL); v++) {
      if (v >= 0 && klass->variants[v].inexact)
        continue;
      g_array_set_size (ways, ways->len + 1); // zeroed: ways are compared byte by byte
      Way *way = &g_array_index (ways, Way, ways->len - 1);
      way->klass = klass;
      way->api = api;
      way->variant = v < 0 ? NULL : klass->variants[v].name;
      way->turn = (int) ways->len - 1;
    }
  for (guint i = 0; i < ways->len; i++) {
    g_array_index (ways, Way, i).n_ways = (int) ways->len;
    add_way (&g_array_index (ways, Way, i), cases, n_cases);
  }
  g_array_unref (ways);

  const int status = g_test_run ();
  close_proof ();
  g_clear_pointer (&proof.name, g_free);
  g_clear_pointer (&known, g_hash_table_unref);
  return status;
}
