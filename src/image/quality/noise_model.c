// SPDX-License-Identifier: MIT
#include "image/quality/noise_model.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/text.h"

typedef struct {
  const char *name;
  double most; // of the amount, which is above 0
} Kind;

static const Kind kinds[ODL_N_NOISES] = {
  [ODL_NOISE_NONE] = { "none", 0 },
  [ODL_NOISE_GAUSSIAN] = { "gaussian", 10 },
  [ODL_NOISE_SPECKLE] = { "speckle", 10 },
  [ODL_NOISE_POISSON] = { "poisson", 1e9 },
  [ODL_NOISE_SALT_PEPPER] = { "salt-pepper", 1 },
};

static bool
parse_amount (const char *text, double *amount)
{
  g_auto (GStrv) parts = g_strsplit (text, "/", 2);
  double above = 0, below = 1;

  if (parts[0] == NULL || !odl_number_from_text (parts[0], &above)
      || (parts[1] != NULL && !odl_number_from_text (parts[1], &below)) || !(below > 0))
    return false;
  *amount = above / below;
  return true;
}

static bool
parse_model (const char *text, OdlNoiseModel *model)
{
  g_auto (GStrv) words = g_strsplit (text, ":", 2);

  if (words[0] == NULL || words[1] == NULL)
    return false;
  g_auto (GStrv) numbers = g_strsplit (words[1], ",", 2);
  for (int kind = ODL_NOISE_GAUSSIAN; kind < ODL_N_NOISES; kind++)
    if (g_str_equal (words[0], kinds[kind].name)) {
      guint64 seed = 0;
      model->kind = (OdlNoiseKind) kind;
      if (numbers[0] == NULL || !parse_amount (numbers[0], &model->amount)
          || !(model->amount > 0 && model->amount <= kinds[kind].most)
          || (numbers[1] != NULL
              && !g_ascii_string_to_unsigned (numbers[1], 10, 0, G_MAXUINT64, &seed,
                                              NULL)))
        return false;
      model->seed = seed;
      return true;
    }
  return false;
}

bool
odl_noise_model_parse (const char *text, OdlNoiseModel *model, GError **error)
{
  OdlNoiseModel made = { 0 };

  if (parse_model (text, &made)) {
    *model = made;
    return true;
  }
  return odl_usage_error (
      error,
      _ ("--noise “%s” is no noise. Write gaussian:SIGMA or speckle:SIGMA (a share of "
         "full scale up to 10, such as 0.1 or 25/255), poisson:PEAK (events at full "
         "scale, up to 1e9) or salt-pepper:P (up to 1), with ,SEED if you like."),
      text);
}

// The shortest text that gives the same double.
static char *
amount_to_text (double amount)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = 1; digits < 17; digits++) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    if (g_ascii_strtod (g_ascii_formatd (buffer, sizeof buffer, format, amount), NULL)
        == amount)
      return g_strdup (buffer);
  }
  return g_strdup (g_ascii_dtostr (buffer, sizeof buffer, amount));
}

char *
odl_noise_model_to_text (const OdlNoiseModel *model)
{
  if (model->kind == ODL_NOISE_NONE)
    return g_strdup (kinds[ODL_NOISE_NONE].name);
  g_autofree char *amount = amount_to_text (model->amount);
  return g_strdup_printf ("%s:%s,%" G_GUINT64_FORMAT, kinds[model->kind].name, amount,
                          (guint64) model->seed);
}

static double
noisy (const OdlNoiseModel *model, double v, uint32_t counter[4])
{
  if (model->kind == ODL_NOISE_POISSON)
    return odl_random_poisson (fmax (v, 0) * model->amount, model->seed, counter)
           / model->amount;
  const double u = odl_random_uniforms (model->seed, counter).a;
  switch (model->kind) {
  case ODL_NOISE_GAUSSIAN:
    return v + model->amount * odl_random_normal (u);
  case ODL_NOISE_SPECKLE:
    return v * (1 + model->amount * odl_random_normal (u));
  default: // salt and pepper
    return u >= model->amount ? v : u < model->amount / 2 ? 0 : 1;
  }
}

static void
add_to_row (const OdlNoiseModel *model,
            const OdlImageInfo *info,
            int y,
            uint32_t frame,
            float *row)
{
  const int channels = info->channels, noisy_channels = MIN (channels, 3);

  for (int x = 0; x < info->extent.x; x++)
    for (int c = 0; c < noisy_channels; c++) {
      // ODL_IMAGE_MAX_SAMPLES makes the index fit.
      uint32_t counter[4] = { (uint32_t) ((size_t) y * (size_t) info->extent.x + x),
                              (uint32_t) c, 0, frame };
      float *sample = row + (size_t) x * channels + c;
      *sample = (float) noisy (model, (double) *sample, counter);
    }
}

OdlImage *
odl_noise_model_apply (const OdlNoiseModel *model,
                       OdlImage *image,
                       int64_t frame,
                       GError **error)
{
  float *samples;

  if (model->kind == ODL_NOISE_NONE)
    return odl_image_ref (image);
  g_autoptr (OdlImage) scaled = odl_image_to_scaled (image, error);
  if (scaled == NULL)
    return NULL;
  const OdlImageInfo *info = odl_image_info (scaled);
  OdlImage *made = odl_image_alloc (info, (void **) &samples, error);
  if (made == NULL)
    return NULL;
  const size_t row = (size_t) info->extent.x * info->channels;
  ODL_PARALLEL_FOR
  for (int y = 0; y < info->extent.y; y++) {
    memcpy (samples + row * y, (const float *) info->planes[0].data + row * y,
            row * sizeof (float));
    add_to_row (model, info, y, (uint32_t) frame, samples + row * y);
  }
  return made;
}
