// SPDX-License-Identifier: MIT
// Transforms raw samples from standard input to standard output, for tests in Python.
// usage: odl-transform forward|inverse|ENGINE|SCHEME:METHOD WAVELET BORDER WIDTH HEIGHT
// LEVELS
//        odl-transform list
//        odl-transform functions LEVELS
//        odl-transform serve
// `list` prints a line per wavelet with tab-separated fields: name, aliases, borders, and
// first offset and taps of both analysis filters. `functions` prints eight per wavelet:
// its name, what stands in it, place of the first value and distance of the others, and
// the values: scaling function and wavelet of analysis and of synthesis
// (wavelet/functions.h), and the gains of both filters of either. forward and inverse run
// the reference functions, ENGINE that engine's analysis view; SCHEME:METHOD instead,
// such as line-based:lifting, runs that scheme of the video coder's transform, which has
// gains of its own, and SCHEME:METHOD:back its way back. Samples are doubles in host
// order, row by row; results have the Mallat layout. `serve` answers one request after
// the other: a line with the six words, then samples. An answer is the status that the
// program would have ended with, in 32 bits, and the samples where it is 0.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coder/coder.h"
#include "engine/engine.h"
#include "transform_2d.h"
#include "wavelet/functions.h"

static void
run_engine (const char *name,
            const OdlTransform *transform,
            double *data,
            int w,
            int h,
            int levels)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf (
      "soft-threshold:wavelet=%s,levels=%d view=analysis border=%s",
      transform->wavelet->name, levels, odl_border_names[transform->border + 1]);
  OdlRecipe recipe;
  float *samples;
  const OdlImageInfo info
      = { .extent = { w, h, 1, 1 }, .channels = 1, .type = ODL_SAMPLE_F32 };

  odl_recipe_init (&recipe);
  if (!odl_recipe_parse (&recipe, text, &error))
    g_error ("%s", error->message);
  g_autoptr (OdlImage) input = odl_image_alloc (&info, (void **) &samples, &error);
  for (int i = 0; i < w * h; i++)
    samples[i] = (float) data[i];

  const OdlGeometry geometry = odl_geometry_of (input);
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, &error);
  const OdlEngineClass *klass = odl_engine_find (name);
  if (klass == NULL || plan == NULL)
    exit (2);
  g_autoptr (OdlEngine) engine = odl_engine_open (klass, &error);
  g_autoptr (OdlImage) result
      = engine == NULL ? NULL : odl_engine_process (engine, plan, input, &error);
  if (result == NULL)
    g_error ("%s", error->message);
  for (int y = 0; y < h; y++) {
    g_autofree float *row = g_new (float, w);
    odl_image_scaled_row (result, 0, y, 0, 0, row);
    for (int x = 0; x < w; x++)
      data[y * w + x] = row[x];
  }
}

// False where there is no such scheme.
static bool
run_scheme (const char *name,
            const OdlTransform *transform,
            double *data,
            int w,
            int h,
            int levels)
{
  g_auto (GStrv) words = g_strsplit (name, ":", 3);
  OdlCoderParams params = { .wavelet = transform->wavelet,
                            .border = transform->border,
                            .width = w,
                            .height = h,
                            .channels = 1,
                            .levels = levels };
  const bool back = g_strv_length (words) == 3;
  float *samples;
  const OdlImageInfo info
      = { .extent = { w, h, 1, 1 }, .channels = 1, .type = ODL_SAMPLE_F32 };

  while (params.scheme < ODL_CODER_N_SCHEMES
         && !g_str_equal (words[0], odl_coder_schemes[params.scheme]))
    params.scheme++;
  while (params.method < ODL_CODER_N_METHODS
         && !g_str_equal (words[1], odl_coder_methods[params.method]))
    params.method++;
  if (params.scheme == ODL_CODER_N_SCHEMES || params.method == ODL_CODER_N_METHODS
      || !odl_coder_suits (&params))
    return false;
  g_autoptr (OdlImage) input = odl_image_alloc (&info, (void **) &samples, NULL);
  g_autoptr (OdlCoder) coder = odl_coder_new (&params);
  g_autofree float *row = g_new (float, w);
  for (int i = 0; i < w * h; i++)
    samples[i] = (float) data[i];
  odl_coder_load (coder, input);
  odl_coder_forward (coder);
  for (int y = 0; y < h && back; y++) {
    for (int x = 0; x < w; x++)
      row[x] = (float) data[y * w + x];
    odl_coder_write_row (coder, 0, y, row);
  }
  if (back)
    odl_coder_inverse (coder);
  for (int y = 0; y < h; y++) {
    odl_coder_read_row (coder, 0, y, row);
    for (int x = 0; x < w; x++)
      data[y * w + x] = row[x];
  }
  return true;
}

static OdlBorder
border_named (const char *name)
{
  OdlBorder border = ODL_BORDER_WHOLE_SAMPLE;

  while (border < ODL_N_BORDERS && !g_str_equal (name, odl_border_names[border + 1]))
    border++;
  return border;
}

static void
print_taps (const OdlTaps *taps)
{
  printf ("\t%d", taps->first);
  for (int i = 0; i < taps->count; i++)
    printf (" %.17g", taps->value[i]);
}

static int
list (void)
{
  for (size_t i = 0; i < odl_wavelet_count (); i++) {
    const OdlWavelet *wavelet = odl_wavelet_at (i);
    g_autofree char *aliases = g_strjoinv (" ", (char **) wavelet->aliases);
    printf ("%s\t%s\t", wavelet->name, aliases);
    for (OdlBorder border = 0; border < ODL_N_BORDERS; border++)
      if (wavelet->borders & 1u << border)
        printf ("%s ", odl_border_names[border + 1]);
    print_taps (&wavelet->analysis_low);
    print_taps (&wavelet->analysis_high);
    printf ("\n");
  }
  return 0;
}

static void
print_values (const char *what, double first, double step, const double *values, int n)
{
  printf ("\t%s\t%.17g\t%.17g\t", what, first, step);
  for (int i = 0; i < n; i++)
    printf ("%.17g ", values[i]);
  printf ("\n");
}

static int
functions (int levels)
{
  static const char *const sides[] = { "analysis", "synthesis" };
  enum { N_GAINS = 129 };
  for (size_t i = 0; i < odl_wavelet_count (); i++)
    for (OdlWaveletSide side = ODL_WAVELET_ANALYSIS; side <= ODL_WAVELET_SYNTHESIS;
         side++) {
      const OdlWavelet *wavelet = odl_wavelet_at (i);
      double gains[2][N_GAINS];
      odl_wavelet_response (wavelet, side, N_GAINS, gains[0], gains[1]);
      for (int high = 0; high < 2; high++) {
        g_auto (OdlWaveletFunction) function
            = odl_wavelet_function (wavelet, side, high, levels);
        g_autofree char *what = g_strdup_printf ("%s %d", sides[side], high);
        g_autofree char *gain = g_strdup_printf ("%s gain %d", sides[side], high);
        printf ("%s", wavelet->name);
        print_values (what, function.first, function.step, function.values, function.n);
        printf ("%s", wavelet->name);
        print_values (gain, 0, 0.5 / (N_GAINS - 1), gains[high], N_GAINS);
      }
    }
  return 0;
}

// words: what is asked for, wavelet, border, width, height, levels. Returns an exit
// status.
static int
answer (char **words, FILE *from, double **result, size_t *n)
{
  const OdlWavelet *wavelet = odl_wavelet_find (words[1]);
  const OdlBorder border = border_named (words[2]);
  const int w = atoi (words[3]);
  const int h = atoi (words[4]);
  const int levels = atoi (words[5]);
  g_autofree double *data = g_new (double, (size_t) w *h);

  *n = (size_t) w * h;
  if (fread (data, sizeof *data, *n, from) != *n)
    return 2;
  if (wavelet == NULL || (wavelet->borders & 1u << border) == 0)
    return 2;
  OdlTransform transform = odl_transform_of (wavelet);
  transform.border = border;
  if (g_str_equal (words[0], "forward"))
    odl_transform_forward_2d (&transform, data, w, h, w, levels);
  else if (g_str_equal (words[0], "inverse"))
    odl_transform_inverse_2d (&transform, data, w, h, w, levels);
  else if (strchr (words[0], ':') != NULL) {
    if (!run_scheme (words[0], &transform, data, w, h, levels))
      return 3;
  } else
    run_engine (words[0], &transform, data, w, h, levels);
  *result = g_steal_pointer (&data);
  return 0;
}

static int
serve (void)
{
  char line[256];

  while (fgets (line, sizeof line, stdin) != NULL) {
    g_auto (GStrv) words = g_strsplit (g_strchomp (line), " ", -1);
    g_autofree double *data = NULL;
    size_t n;
    if (g_strv_length (words) != 6)
      return 2;
    const int32_t status = answer (words, stdin, &data, &n);
    fwrite (&status, sizeof status, 1, stdout);
    if (status == 0 && fwrite (data, sizeof *data, n, stdout) != n)
      return 1;
    fflush (stdout);
  }
  return 0;
}

int
main (int argc, char **argv)
{
  g_autofree double *data = NULL;
  size_t n;

  if (argc == 2 && g_str_equal (argv[1], "list"))
    return list ();
  if (argc == 3 && g_str_equal (argv[1], "functions"))
    return functions (atoi (argv[2]));
  if (argc == 2 && g_str_equal (argv[1], "serve"))
    return serve ();
  if (argc != 7)
    return 2;
  const int status = answer (argv + 1, stdin, &data, &n);
  if (status != 0)
    return status;
  return fwrite (data, sizeof *data, n, stdout) == n ? 0 : 1;
}
