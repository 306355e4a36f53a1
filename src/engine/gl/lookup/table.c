// SPDX-License-Identifier: MIT
#include "engine/gl/lookup/table.h"

#include <glib.h>

#include "wavelet/border.h"
#include "wavelet/transform.h"

// Aligns both kernels about a common origin.
static void
fill_kernels (OdlLookupTable *table, const OdlTaps *low, const OdlTaps *high)
{
  const OdlTaps *taps[] = { low, high };
  int last = 0;

  table->left = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (taps); i++) {
    table->left = MAX (table->left, -taps[i]->first);
    last = MAX (last, taps[i]->first + taps[i]->count - 1);
  }
  table->count = table->left + last + 1;
  g_assert (table->count <= ODL_LOOKUP_MAX_TAPS);
  for (size_t i = 0; i < G_N_ELEMENTS (taps); i++)
    for (int k = 0; k < taps[i]->count; k++)
      table->kernels[table->left + taps[i]->first + k][i] = (float) taps[i]->value[k];
  table->kernels[table->count - 1][ODL_LOOKUP_ALONE] = 1;
}

// Where sample `place` of an interleaved line lies among low | high.
static int
band_address (int place, int length)
{
  return place % 2 == 0 ? place / 2 : odl_low_count (length) + place / 2;
}

static void
fill_addresses (const OdlLookupTable *table,
                const OdlLookupParams *params,
                int length,
                OdlLookupTexel *row)
{
  const int extended = odl_border_length (params->border, length);

  for (int i = 0; i < extended + table->count - 1; i++) {
    const int place = odl_border_index (params->border, i - table->left, extended);
    row[i].address
        = (float) (params->inverse && place >= 0 ? band_address (place, length) : place);
  }
}

// Without the sample that has no partner.
static void
fill_bases (const OdlLookupTable *table,
            const OdlLookupParams *params,
            int length,
            OdlLookupTexel *row)
{
  const int n_low = odl_low_count (length);

  for (int n = 0; n < length; n++) {
    OdlLookupTexel *texel = &row[table->left + n];
    const int alpha = params->inverse ? n % 2 : (n >= n_low ? 1 : 0);
    texel->kernel = (float) alpha;
    texel->base = params->inverse ? n + 0.5f : 2 * (n - alpha * n_low) + alpha + 0.5f;
  }
}

static void
fill_row (const OdlLookupTable *table,
          const OdlLookupParams *params,
          int length,
          OdlLookupTexel *row)
{
  fill_addresses (table, params, length, row);
  fill_bases (table, params, length, row);
  if (length == 1 || odl_border_length (params->border, length) < length) {
    const int sample = length - 1;
    const int low = band_address (sample, length);
    OdlLookupTexel *own = &row[table->left + (params->inverse ? sample : low)];
    own->kernel = ODL_LOOKUP_ALONE;
    own->base = sample + 0.5f;
    row[sample + table->count - 1].address = (float) (params->inverse ? low : sample);
  }
}

OdlLookupTable *
odl_lookup_table_new (const OdlLookupParams *params)
{
  const OdlWavelet *wavelet = params->wavelet;

  g_return_val_if_fail ((wavelet->borders & (1u << params->border)) != 0, NULL);
  g_return_val_if_fail (params->length > 0 && params->levels > 0, NULL);

  OdlLookupTable *table = g_new0 (OdlLookupTable, 1);
  if (params->inverse)
    fill_kernels (table, &wavelet->synthesis_even, &wavelet->synthesis_odd);
  else
    fill_kernels (table, &wavelet->analysis_low, &wavelet->analysis_high);
  table->width = params->length + table->count - 1;
  table->rows = params->levels;
  table->texels = g_new0 (OdlLookupTexel, (size_t) table->width * table->rows);
  for (int row = 0; row < table->rows; row++)
    fill_row (table, params, odl_level_size (params->length, row),
              table->texels + (size_t) row * table->width);
  return table;
}

void
odl_lookup_table_free (OdlLookupTable *table)
{
  if (table == NULL)
    return;
  g_free (table->texels);
  g_free (table);
}
