// SPDX-License-Identifier: MIT
#include "jpeg2000/analysis.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "filter/recipe.h"
#include "jpeg2000/samples.h"
#include "plan/plan.h"

// Side of a tile without what it overlaps, about. What an engine that quantises sends
// back is worth a longer one.
#define TILE 1024
#define QUANTISED_TILE 4096

// The filters look so many samples away, on the next level twice as far and so on.
#define REACH 4
#define REVERSIBLE_REACH 2

// Floats: lines that start a power of two apart would fall into the same cache sets.
#define PITCH_UNIT 16

// The tiles along one axis.
typedef struct {
  int size; // of the picture
  int unit; // of one coefficient of the coarsest level: tiles begin at multiples
  int margin; // what tiles see beyond their core
  int core; // samples whose coefficients a tile gives
  int whole; // samples that it sees; those at the end see up to `unit` more
  int n;
} Axis;

// One of them.
typedef struct {
  int from, to; // core
  int begin, end; // what it sees
} Span;

typedef struct {
  OdlEngine *engine;
  const OdlJ2kAnalysis *analysis;
  OdlRecipe recipe;
  Axis x, y;
  OdlJ2kComponents components; // of a tile
  guint32 *words; // of a component of a tile; NULL: the engine does not quantise
  OdlJ2kCoefficients *out;
} Job;

const char *
odl_j2k_wavelet (bool reversible)
{
  return reversible ? "int53" : "cdf97";
}

// ---- tiles

static int
round_up (int value, int unit)
{
  return (value + unit - 1) / unit * unit;
}

static Axis
make_axis (int size, int levels, int tile, bool reversible)
{
  const int unit = 1 << levels;
  const int margin = (reversible ? REVERSIBLE_REACH : REACH) * unit;
  const int wanted = MAX ((size + tile / 2) / tile, 1);
  const int core = round_up ((size + wanted - 1) / wanted, unit);
  Axis axis = { size, unit, margin, core, core + 2 * margin, (size + core - 1) / core };

  if (axis.whole >= size || axis.n == 1)
    axis = (Axis){ size, unit, margin, size, size, 1 };
  return axis;
}

// Most are of one size, so that the engine's plan stays; the others see the last sample.
static Span
find_span (const Axis *axis, int i)
{
  const int from = i * axis->core;
  const int wanted = MAX (from - axis->margin, 0);
  const int most = (axis->size - axis->whole) / axis->unit * axis->unit;
  const int begin = MIN (wanted, most);

  return (Span){
    .from = from,
    .to = MIN (from + axis->core, axis->size),
    .begin = begin,
    .end = wanted > most ? axis->size : begin + axis->whole,
  };
}

// ---- from a tile to the bands

// Coefficients of a band along one axis that a tile gives: where they lie among the bands
// of the picture and of the tile.
typedef struct {
  int out, in, count;
} Piece;

static Piece
find_piece (const Axis *axis, const Span *span, int level, bool high)
{
  const int seen = span->end - span->begin;
  const int size = odl_level_size (axis->size, MAX (level - 1, 0));
  const int all = level == 0 ? size : high ? odl_high_count (size) : odl_low_count (size);
  const int from = span->from >> level;
  const int to = span->to == axis->size ? all : span->to >> level;

  return (Piece){
    .out = from + (high ? odl_level_size (axis->size, level) : 0),
    .in = from - (span->begin >> level) + (high ? odl_level_size (seen, level) : 0),
    .count = MAX (to - from, 0),
  };
}

// What a tile gives of a band: `out` and `in` of the picture of all bands.
typedef struct {
  Piece across, down;
} BandPart;

static BandPart
find_part (const Job *job, const OdlJ2kBand *band, const Span *x, const Span *y)
{
  return (BandPart){ find_piece (&job->x, x, band->level, band->kind & 1),
                     find_piece (&job->y, y, band->level, band->kind >> 1) };
}

// `from`: the part's first coefficient, `pitch` words or floats from a column to the
// next.
static void
copy_part (const Job *job,
           int component,
           const BandPart *part,
           const void *from,
           gsize pitch)
{
  float *const out = job->out->planes[component]
                     + (gsize) part->across.out * job->out->pitch + part->down.out;

  ODL_PARALLEL_FOR
  for (int i = 0; i < part->across.count; i++)
    memcpy (out + i * job->out->pitch, (const float *) from + i * pitch,
            part->down.count * sizeof (float));
}

static void
copy_bands (const Job *job,
            const OdlImage *tile,
            int component,
            const Span *x,
            const Span *y)
{
  const OdlJ2kLayout *layout = job->analysis->layout;
  const OdlPlane *plane = &odl_image_info (tile)->planes[0];
  const gsize pitch = plane->row_stride_bytes / sizeof (float);

  for (int b = 0; b < layout->n_bands; b++) {
    const BandPart part = find_part (job, &layout->bands[b], x, y);
    copy_part (job, component, &part,
               (const float *) plane->data + part.across.in * pitch + part.down.in,
               pitch);
  }
}

// ---- the engine

static OdlPlan *
make_plan (const Job *job, const OdlImage *component, GError **error)
{
  OdlGeometry geometry = odl_geometry_of (component);

  geometry.steps = 1; // the unit of whole numbers
  return odl_plan_new (&job->recipe, &geometry, error);
}

static bool
take_floats (const Job *job,
             OdlImage *component,
             int c,
             const Span *x,
             const Span *y,
             GError **error)
{
  if (job->analysis->layout->levels == 0) {
    copy_bands (job, component, c, x, y);
    return true;
  }
  g_autoptr (OdlPlan) plan = make_plan (job, component, error);
  if (plan == NULL)
    return false;
  g_autoptr (OdlImage) bands = odl_engine_show (job->engine, plan, component, error);
  if (bands == NULL)
    return false;
  copy_bands (job, bands, c, x, y);
  return true;
}

static bool
take_words (const Job *job,
            OdlImage *component,
            int c,
            const Span *x,
            const Span *y,
            GError **error)
{
  const OdlJ2kLayout *layout = job->analysis->layout;
  OdlPart wanted[ODL_J2K_MOST_BANDS];
  BandPart parts[ODL_J2K_MOST_BANDS];
  g_autoptr (OdlPlan) plan = make_plan (job, component, error);

  for (int b = 0; b < layout->n_bands; b++) {
    const BandPart part = find_part (job, &layout->bands[b], x, y);
    parts[b] = part;
    wanted[b] = (OdlPart){ part.down.in,
                           part.across.in,
                           part.down.count,
                           part.across.count,
                           odl_j2k_scale (layout->bands[b].step),
                           false };
  }
  if (plan == NULL || !odl_engine_prepare (job->engine, plan, error)
      || !odl_engine_run (job->engine, plan, component, error)
      || !odl_engine_parts (job->engine, plan, ODL_PART_WORDS, wanted, layout->n_bands,
                            job->words, error))
    return false;
  const guint32 *words = job->words;
  for (int b = 0; b < layout->n_bands; b++) {
    copy_part (job, c, &parts[b], words, wanted[b].width);
    words += (gsize) wanted[b].width * wanted[b].height;
  }
  return true;
}

static bool
analyse_tile (Job *job, const Span *x, const Span *y, GError **error)
{
  OdlJ2kComponents *components = &job->components;
  const OdlImageInfo info = {
    .extent = { y->end - y->begin, x->end - x->begin, 1, 1 },
    .channels = 1,
    .type = ODL_SAMPLE_F32,
  };

  components->region = (OdlJ2kRegion){ x->begin, y->begin, info.extent.y, info.extent.x };
  odl_j2k_components_fill (job->analysis->picture, job->analysis->samples,
                           job->analysis->reversible, components);
  for (int c = 0; c < odl_image_info (job->analysis->picture)->channels; c++) {
    OdlImageInfo own = info;
    own.planes[0] = (OdlPlane){ .data = components->columns[c],
                                .sample_stride_bytes = sizeof (float),
                                .row_stride_bytes = components->pitch * sizeof (float) };
    g_autoptr (OdlImage) component = odl_image_wrap (&own, NULL, NULL, error);
    if (component == NULL)
      return false;
    if (!(job->words != NULL ? take_words : take_floats) (job, component, c, x, y, error))
      return false;
  }
  return true;
}

// Those of one size after the other.
static bool
analyse_tiles (Job *job, GError **error)
{
  for (int last = 0; last < 4; last++)
    for (int i = 0; i < job->x.n; i++)
      for (int k = 0; k < job->y.n; k++) {
        const Span x = find_span (&job->x, i), y = find_span (&job->y, k);
        if ((x.end == job->x.size) + 2 * (y.end == job->y.size) == last
            && !analyse_tile (job, &x, &y, error))
          return false;
      }
  return true;
}

// ---- memory

// `lines` lines of at least `length` floats, *pitch apart.
static float *
alloc_lines (int lines, int length, gsize *pitch, GError **error)
{
  *pitch = (gsize) round_up (length, PITCH_UNIT) + PITCH_UNIT;
  const gsize factors[] = { *pitch, (gsize) lines, sizeof (float) };
  size_t size = 0;
  float *memory = NULL;

  if (odl_size_product (factors, G_N_ELEMENTS (factors), &size))
    memory = odl_aligned_alloc_unset (size, true);
  if (memory == NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("There is not enough memory to write the JPEG 2000 file."));
  return memory;
}

static guint32 *
alloc_words (const Job *job, GError **error)
{
  gsize pitch = 0;

  return (void *) alloc_lines (job->x.whole + job->x.unit, job->y.whole + job->y.unit,
                               &pitch, error);
}

static bool
alloc_all (Job *job, int channels, GError **error)
{
  OdlJ2kComponents *tile = &job->components;

  for (int c = 0; c < channels; c++) {
    job->out->planes[c] = alloc_lines (job->x.size, job->y.size, &job->out->pitch, error);
    if (job->out->planes[c] == NULL)
      return false;
    tile->columns[c] = alloc_lines (job->x.whole + job->x.unit,
                                    job->y.whole + job->y.unit, &tile->pitch, error);
    if (tile->columns[c] == NULL)
      return false;
  }
  if (job->out->quantised)
    job->words = alloc_words (job, error);
  return !job->out->quantised || job->words != NULL;
}

bool
odl_j2k_analyse (OdlEngine *engine,
                 const OdlJ2kAnalysis *analysis,
                 OdlJ2kCoefficients *coefficients,
                 GError **error)
{
  const OdlJ2kLayout *layout = analysis->layout;
  const bool quantises = engine->klass->parts != NULL && layout->levels > 0;
  const int tile = quantises ? QUANTISED_TILE : TILE;
  g_autofree char *text = g_strdup_printf (
      "soft-threshold:wavelet=%s,levels=%d view=analysis border=symmetric",
      odl_j2k_wavelet (analysis->reversible), MAX (layout->levels, 1));
  Job job = {
    .engine = engine,
    .analysis = analysis,
    .x = make_axis (layout->width, layout->levels, tile, analysis->reversible),
    .y = make_axis (layout->height, layout->levels, tile, analysis->reversible),
    .out = coefficients,
  };

  coefficients->quantised = quantises;
  odl_recipe_init (&job.recipe);
  if (!odl_recipe_parse (&job.recipe, text, error))
    return false;
  const bool done = alloc_all (&job, odl_image_info (analysis->picture)->channels, error)
                    && analyse_tiles (&job, error);
  for (int c = 0; c < ODL_IMAGE_MAX_CHANNELS; c++)
    odl_aligned_free (job.components.columns[c]);
  odl_aligned_free (job.words);
  return done;
}

void
odl_j2k_coefficients_clear (OdlJ2kCoefficients *coefficients)
{
  for (int c = 0; c < ODL_IMAGE_MAX_CHANNELS; c++) {
    odl_aligned_free (coefficients->planes[c]);
    coefficients->planes[c] = NULL;
  }
  coefficients->quantised = false;
}
