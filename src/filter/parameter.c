// SPDX-License-Identifier: MIT
// The parameters of a filter: finding them, and what values they take.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "filter/filter.h"
#include "wavelet/wavelet.h"

const OdlParameter *
odl_filter_parameter (const OdlFilter *filter, const char *key)
{
  g_return_val_if_fail (filter != NULL && key != NULL, NULL);

  for (size_t i = 0; i < filter->n_parameters; i++)
    if (g_str_equal (filter->parameters[i].key, key))
      return &filter->parameters[i];
  return NULL;
}

const OdlParameter *
odl_filter_file (const OdlFilter *filter)
{
  g_return_val_if_fail (filter != NULL, NULL);

  for (size_t i = 0; i < filter->n_parameters; i++)
    if (filter->parameters[i].kind == ODL_PARAMETER_FILE)
      return &filter->parameters[i];
  return NULL;
}

const OdlParameter *
odl_filter_any_file (const OdlFilter *filter)
{
  g_return_val_if_fail (filter != NULL, NULL);

  for (size_t i = 0; i < filter->n_parameters; i++)
    if (odl_parameter_is_file (&filter->parameters[i]))
      return &filter->parameters[i];
  return NULL;
}

// Translatable, for titles.
static const struct {
  const char *word;
  double value;
} words[] = {
  { N_ ("auto"), ODL_VALUE_AUTO },
  { N_ ("cine"), ODL_VALUE_CINE },
  { N_ ("frame"), ODL_VALUE_FRAME },
  { N_ ("each-frame"), ODL_VALUE_FRAME }, // of noise
};

static bool
takes_word (const OdlParameter *parameter, size_t i)
{
  return words[i].value == ODL_VALUE_AUTO            ? odl_parameter_may_wait (parameter)
         : g_str_equal (words[i].word, "each-frame") ? parameter->each_frame
                                                     : parameter->over_frames;
}

const char *
odl_parameter_word (const OdlParameter *parameter, double value)
{
  g_return_val_if_fail (parameter != NULL, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (value == words[i].value && takes_word (parameter, i))
      return words[i].word;
  return NULL;
}

bool
odl_parameter_from_word (const OdlParameter *parameter, const char *word, double *value)
{
  g_return_val_if_fail (parameter != NULL && word != NULL && value != NULL, false);

  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (word, words[i].word) == 0 && takes_word (parameter, i)) {
      *value = words[i].value;
      return true;
    }
  return false;
}

double
odl_parameter_default (const OdlParameter *parameter, int i)
{
  g_return_val_if_fail (parameter != NULL && i >= 0 && i < parameter->count, 0);
  return parameter->measured || parameter->follows ? ODL_VALUE_AUTO
                                                   : parameter->default_value;
}

double
odl_parameter_usual (const OdlParameter *parameter, int i, double value)
{
  g_return_val_if_fail (parameter != NULL && i >= 0 && i < parameter->count, 0);
  if ((parameter->measurable && value == ODL_VALUE_AUTO)
      || odl_parameter_is_of_frames (parameter, value)
      || (parameter->over_frames && value == ODL_VALUE_CINE))
    return parameter->default_value;
  return value == ODL_VALUE_AUTO && !parameter->follows
             ? ldexp (parameter->default_value, -MIN (i / ODL_DETAIL_BANDS, 2))
             : value;
}

double
odl_parameter_maximum (const OdlParameter *parameter)
{
  g_return_val_if_fail (parameter != NULL, 0);
  return parameter->kind == ODL_PARAMETER_WAVELET ? (double) odl_wavelet_count () - 1
                                                  : parameter->maximum;
}

double
odl_parameter_clamp (const OdlParameter *parameter, double value)
{
  g_return_val_if_fail (parameter != NULL, 0);

  if (!isfinite (value))
    value = parameter->default_value;
  if (odl_parameter_word (parameter, value) != NULL)
    return value;
  if (parameter->kind != ODL_PARAMETER_NUMBER && parameter->kind != ODL_PARAMETER_MATRIX
      && parameter->kind != ODL_PARAMETER_SPECTRUM
      && parameter->kind != ODL_PARAMETER_PULLS)
    value = round (value);
  if (parameter->kind == ODL_PARAMETER_PULLS && value != ODL_NO_PULL)
    value = MAX (value, 0); // nothing lies between the border and no pull
  return CLAMP (value, parameter->minimum, odl_parameter_maximum (parameter));
}

bool
odl_filter_takes_volume (const OdlFilter *filter)
{
  return odl_filter_file (filter) != NULL
         && odl_filter_parameter (filter, "dimensions") != NULL;
}
