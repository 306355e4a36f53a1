// SPDX-License-Identifier: MIT
// Every instruction set's matching and filtering of blocks against the plain ones.
#include <glib.h>
#include <math.h>
#include <string.h>

#include "engine/cpu/kernels/variant.h"
#include "image/bm3d/noise.h"

#define SIDE ODL_BM3D_SIDE
#define WIDTH 83
#define HEIGHT 61
#define PITCH (WIDTH + 4)
#define LEVELS 6
#define SIGMA 1.5F

typedef struct {
  float samples[HEIGHT * PITCH + ODL_BM3D_SLACK];
  float *phases;
  OdlBm3dPicture picture;
} Picture;

// Whole numbers, whose squares have exact sums in any order, so that many blocks are
// equally far away.
static Picture *
picture_new (GRand *random, int step)
{
  const size_t pitch = ODL_BM3D_BEFORE + (WIDTH + step - 1) / step + ODL_BM3D_BEHIND;
  Picture *made = g_new0 (Picture, 1);

  made->phases = g_new (float, HEIGHT *step *pitch);
  for (size_t i = 0; i < HEIGHT * step * pitch; i++)
    made->phases[i] = NAN; // of no account
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      const float value = (float) (g_rand_int_range (random, 0, LEVELS) + x / 30 * 2);
      made->samples[y * PITCH + x] = value;
      made->phases[(y * step + x % step) * pitch + ODL_BM3D_BEFORE + x / step] = value;
    }
  made->picture = (OdlBm3dPicture){
    .samples = made->samples,
    .pitch = PITCH,
    .width = WIDTH,
    .height = HEIGHT,
    .phases = made->phases + ODL_BM3D_BEFORE,
    .phase_pitch = pitch,
  };
  return made;
}

static void
picture_free (Picture *picture)
{
  g_free (picture->phases);
  g_free (picture);
}

// Of noise that is smoother along rows than along columns.
static void
make_noise (OdlBm3dNoise *noise, const OdlBm3dTransform *transform, bool turned)
{
  float correlations[ODL_BM3D_COEFFICIENTS] = { 0 };

  for (int i = 0; i < ODL_BM3D_COEFFICIENTS; i++)
    correlations[i] = ldexpf (1, -(i / SIDE) * 2 - i % SIDE);
  odl_bm3d_noise_init (noise, correlations, transform, turned);
}

static void
check_matches (const char *variant,
               const OdlBm3dSearch *search,
               const OdlBm3dMatches *wanted,
               const OdlBm3dMatches *got)
{
  for (int i = 0; i < search->rows * search->columns; i++) {
    if (got[i].n != wanted[i].n)
      g_error ("%s, step %d, block %d: %d matches, not %d", variant, search->step, i,
               got[i].n, wanted[i].n);
    for (int k = 0; k < wanted[i].n; k++)
      if (got[i].places[k].x != wanted[i].places[k].x
          || got[i].places[k].y != wanted[i].places[k].y)
        g_error ("%s, step %d, block %d: match %d is %d, %d, not %d, %d", variant,
                 search->step, i, k, got[i].places[k].x, got[i].places[k].y,
                 wanted[i].places[k].x, wanted[i].places[k].y);
  }
}

static void
test_matches (void)
{
  static const struct {
    int step, reach, most, x, y, columns, rows;
    float farthest;
  } cases[] = {
    { 3, 19, 16, 0, 0, 26, 18, 1e6F },     { 3, 19, 32, 0, 0, 26, 18, 330 },
    { 3, 19, 32, 75, 53, 1, 1, 330 },      { 3, 19, 32, 72, 53, 1, 1, 330 },
    { 3, 7, 8, 30, 53, 5, 1, 1e6F },       { 4, 16, 16, 0, 0, 19, 14, 1e6F },
    { 4, 16, 8, 4, 2, 17, 9, 330 },        { 2, 19, 32, 0, 0, 38, 27, 1e6F },
    { 2, 12, 16, 40, 7, 11, 3, INFINITY }, { 1, 5, 16, 3, 3, 4, 2, 1e6F },
    { 3, 19, 32, 0, 0, 26, 18, 0 },
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (9);

  for (size_t v = 0; v < odl_cpu_variant_count (); v++) {
    const OdlCpuVariant *variant = odl_cpu_variant_at (v);
    if (!variant->runs_here ())
      continue;
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
      Picture *picture = picture_new (random, cases[i].step);
      const OdlBm3dSearch search = {
        &picture->picture, cases[i].step,     cases[i].reach,
        cases[i].most,     cases[i].farthest, cases[i].x,
        cases[i].y,        cases[i].columns,  cases[i].rows,
      };
      const int n = search.rows * search.columns;
      g_autofree OdlBm3dMatches *wanted = g_new0 (OdlBm3dMatches, n);
      g_autofree OdlBm3dMatches *got = g_new0 (OdlBm3dMatches, n);
      odl_bm3d_find (&search, wanted, (size_t) search.columns);
      variant->bm3d->find (&search, got, (size_t) search.columns);
      check_matches (variant->name, &search, wanted, got);
      picture_free (picture);
    }
  }
}

// Blocks with NaN are like no others, and do not keep those from being found.
static void
test_nan (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (10);
  Picture *picture = picture_new (random, 3);
  const OdlBm3dSearch search = { &picture->picture, 3, 19, 32, 1e6F, 0, 0, 26, 18 };
  g_autofree OdlBm3dMatches *wanted = g_new0 (OdlBm3dMatches, 26 * 18);
  g_autofree OdlBm3dMatches *got = g_new0 (OdlBm3dMatches, 26 * 18);

  picture->samples[30 * PITCH + 40] = NAN;
  picture->phases[(30 * 3 + 40 % 3) * picture->picture.phase_pitch + ODL_BM3D_BEFORE
                  + 40 / 3]
      = NAN;
  odl_bm3d_find (&search, wanted, 26);
  for (size_t v = 0; v < odl_cpu_variant_count (); v++) {
    const OdlCpuVariant *variant = odl_cpu_variant_at (v);
    if (!variant->runs_here ())
      continue;
    variant->bm3d->find (&search, got, 26);
    check_matches (variant->name, &search, wanted, got);
  }
  picture_free (picture);
}

static void
check_group (const OdlCpuVariant *variant, const OdlBm3dGroup *group, GRand *random)
{
  static float wanted[HEIGHT * PITCH], got[HEIGHT * PITCH];
  static OdlBm3dNoise noise[2]; // as it lies there
  OdlBm3dGroup own = *group;

  for (int turned = 0; turned < 2; turned++)
    make_noise (&noise[turned], group->transform, turned == 1);
  for (int i = 0; i < HEIGHT * PITCH; i++)
    wanted[i] = got[i] = (float) g_rand_double (random);
  own.sums = wanted;
  own.noise = group->noise != NULL ? &noise[0] : NULL;
  const float weight = odl_bm3d_filter (&own);
  own.sums = got;
  own.noise = group->noise != NULL ? &noise[variant->bm3d->turned] : NULL;
  const float weight_got = variant->bm3d->filter (&own);
  if (!(fabsf (weight_got - weight) <= 1e-4F * weight))
    g_error ("%s, %d blocks at %d times: weight %g, not %g", variant->name,
             group->blocks->n, group->blocks->times, weight_got, weight);
  for (int i = 0; i < HEIGHT * PITCH; i++)
    if (!(fabsf (got[i] - wanted[i]) <= 1e-5F * (1 + fabsf (wanted[i]))))
      g_error ("%s, %d blocks at %d times: sum %d is %g, not %g", variant->name,
               group->blocks->n, group->blocks->times, i, got[i], wanted[i]);
}

static void
test_groups (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (12);
  Picture *picture = picture_new (random, 1), *guide = picture_new (random, 1);
  OdlBm3dTransform wavelets, cosines;
  float window[SIDE][SIDE];
  float along[ODL_BM3D_MOST_TIMES + 1][ODL_BM3D_MOST_TIMES][ODL_BM3D_MOST_TIMES];

  odl_bm3d_wavelets (&wavelets);
  odl_bm3d_cosines (&cosines);
  for (int n = 1; n <= ODL_BM3D_MOST_TIMES; n++)
    odl_bm3d_cosines_of_times (n, along[n]);
  for (int i = 0; i < SIDE * SIDE; i++)
    window[i / SIDE][i % SIDE] = (float) g_rand_double (random);
  // No coefficient is as large as a threshold.
  for (int i = 0; i < HEIGHT * PITCH; i++)
    picture->samples[i] += 0.01F * (float) g_rand_double (random);
  for (size_t v = 0; v < odl_cpu_variant_count (); v++)
    for (int k = 0; k < 6 * 5 && odl_cpu_variant_at (v)->runs_here (); k++) {
      const int n = 1 << k % 6, times = 1 + k / 6 * 2;
      OdlBm3dBlocks blocks = { .n = n, .times = MIN (times, ODL_BM3D_MOST_PLACES / n) };
      for (int i = 0; i < blocks.n * blocks.times; i++)
        blocks.places[i]
            = (OdlBm3dPlace){ g_rand_int_range (random, 10, WIDTH - SIDE + 1),
                              g_rand_int_range (random, 5, HEIGHT - SIDE + 1) };
      OdlBm3dGroup group = {
        .picture = &picture->picture,
        .blocks = &blocks,
        .along = along[blocks.times],
        .transform = &wavelets,
        .sigma = SIGMA,
        .window = window,
        .pitch = PITCH,
        .left = 10,
        .top = 5,
      };
      check_group (odl_cpu_variant_at (v), &group, random);
      group.guide = &guide->picture;
      group.transform = &cosines;
      check_group (odl_cpu_variant_at (v), &group, random);
      static const OdlBm3dNoise any;
      group.noise = &any;
      check_group (odl_cpu_variant_at (v), &group, random);
      group.guide = NULL;
      group.transform = &wavelets;
      check_group (odl_cpu_variant_at (v), &group, random);
    }
  picture_free (picture);
  picture_free (guide);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu-bm3d/matches-agree-with-plain-c", test_matches);
  g_test_add_func ("/cpu-bm3d/nan-is-like-nothing", test_nan);
  g_test_add_func ("/cpu-bm3d/groups-agree-with-plain-c", test_groups);
  return g_test_run ();
}
