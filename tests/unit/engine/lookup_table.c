// SPDX-License-Identifier: MIT
// The tables of the engine gl-lookup: the worked rows of Wong et al. (2007), and whole
// transforms done by nothing but the tables, for every wavelet, border and size.
#include "engine/gl/lookup/table.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "wavelet/transform.h"

// Rows for a kernel of five taps, as published (figure 4, figure 5 and their text), texel
// by texel: R, then α and β of the line itself.
typedef struct {
  int level; // of a line of 14 samples
  const char *addresses;
  const char *kernels;
  const char *bases;
} WorkedRow;

static const WorkedRow forward_rows[] = {
  { 1, "2 1 0 1 2 3 4 5 6 7 8 9 10 11 12 13 12 11", "0 0 0 0 0 0 0 1 1 1 1 1 1 1",
    "0.5 2.5 4.5 6.5 8.5 10.5 12.5 1.5 3.5 5.5 7.5 9.5 11.5 13.5" },
  { 2, "2 1 0 1 2 3 4 5 6 5 4", "0 0 0 0 1 1 1", "0.5 2.5 4.5 6.5 1.5 3.5 5.5" },
  { 3, "2 1 0 1 2 3 2 1", "0 0 1 1", "0.5 2.5 1.5 3.5" },
};

static const WorkedRow inverse_rows[] = {
  { 1, "1 7 0 7 1 8 2 9 3 10 4 11 5 12 6 13 6 12", "0 1 0 1 0 1 0 1 0 1 0 1 0 1",
    "0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5 10.5 11.5 12.5 13.5" },
  { 2, "1 4 0 4 1 5 2 6 3 6 2", "0 1 0 1 0 1 0", "0.5 1.5 2.5 3.5 4.5 5.5 6.5" },
};

static void
append (GString *text, float value)
{
  g_string_append_printf (text, "%s%g", text->len > 0 ? " " : "", (double) value);
}

static void
check_row (const OdlLookupTable *table, const WorkedRow *row)
{
  const OdlLookupTexel *texels = table->texels + (row->level - 1) * table->width;
  const int length = odl_level_size (14, row->level - 1);
  g_autoptr (GString) addresses = g_string_new (NULL);
  g_autoptr (GString) kernels = g_string_new (NULL);
  g_autoptr (GString) bases = g_string_new (NULL);

  for (int i = 0; i < length + table->count - 1; i++)
    append (addresses, texels[i].address);
  for (int n = 0; n < length; n++) {
    append (kernels, texels[table->left + n].kernel);
    append (bases, texels[table->left + n].base);
  }
  g_assert_cmpstr (addresses->str, ==, row->addresses);
  g_assert_cmpstr (kernels->str, ==, row->kernels);
  g_assert_cmpstr (bases->str, ==, row->bases);
}

static void
worked_rows (void)
{
  OdlLookupParams params = {
    .wavelet = odl_wavelet_find ("cdf53"), // five taps both ways
    .border = ODL_BORDER_WHOLE_SAMPLE,
    .length = 14,
    .levels = 3,
  };
  OdlLookupTable *forward = odl_lookup_table_new (&params);

  params.inverse = true;
  OdlLookupTable *inverse = odl_lookup_table_new (&params);
  g_assert_cmpint (forward->width, ==, 14 + 5 - 1);
  g_assert_cmpint (forward->rows, ==, 3);
  g_assert_cmpint (forward->count, ==, 5);
  for (size_t i = 0; i < G_N_ELEMENTS (forward_rows); i++)
    check_row (forward, &forward_rows[i]);
  for (size_t i = 0; i < G_N_ELEMENTS (inverse_rows); i++)
    check_row (inverse, &inverse_rows[i]);
  odl_lookup_table_free (forward);
  odl_lookup_table_free (inverse);
}

// Periodic and zero differ from mirrored in nothing but the addresses of the border.
static void
border_changes_only_addresses (void)
{
  static const char *const expected[] = {
    [ODL_BORDER_WHOLE_SAMPLE] = "1 0 1 2 3 4 5 4",
    [ODL_BORDER_PERIODIC] = "5 0 1 2 3 4 5 0",
    [ODL_BORDER_ZERO] = "-1 0 1 2 3 4 5 -1",
  };
  const OdlWavelet *rows[ODL_N_BORDERS] = { NULL };

  rows[ODL_BORDER_WHOLE_SAMPLE] = odl_wavelet_find ("cdf53");
  rows[ODL_BORDER_PERIODIC] = odl_wavelet_find ("cdf53");
  rows[ODL_BORDER_ZERO] = odl_wavelet_find ("haar");
  for (int border = 0; border < ODL_N_BORDERS; border++) {
    if (rows[border] == NULL)
      continue;
    const OdlLookupParams params = {
      .wavelet = rows[border], .border = (OdlBorder) border, .length = 6, .levels = 1
    };
    OdlLookupTable *table = odl_lookup_table_new (&params);
    g_autoptr (GString) addresses = g_string_new (NULL);
    for (int i = -1; i <= 6; i++)
      if (table->left + i >= 0 && table->left + i < table->width)
        append (addresses, table->texels[table->left + i].address);
    const char *wanted = expected[border];
    if (table->left == 0) // Haar may reach to one side only
      wanted = strchr (wanted, ' ') + 1;
    g_assert_cmpstr (addresses->str, ==, wanted);
    odl_lookup_table_free (table);
  }
}

// One pass over a line, as the shader does it.
static void
apply (const OdlLookupTable *table, int row, int length, const double *in, double *out)
{
  const OdlLookupTexel *texels = table->texels + (size_t) row * table->width;

  for (int n = 0; n < length; n++) {
    const int alpha = (int) texels[table->left + n].kernel;
    const int beta = (int) texels[table->left + n].base;
    out[n] = 0;
    for (int k = 0; k < table->count; k++) {
      g_assert_cmpint (beta + k, <, table->width);
      const int address = (int) texels[beta + k].address;
      g_assert_cmpint (address, <, length);
      if (address >= 0)
        out[n] += table->kernels[k][alpha] * in[address];
    }
  }
}

static void
check_length (const OdlWavelet *wavelet, OdlBorder border, int length)
{
  const OdlTransform transform = { .wavelet = wavelet, .border = border };
  OdlLookupParams params
      = { .wavelet = wavelet, .border = border, .length = length, .levels = 3 };
  OdlLookupTable *forward = odl_lookup_table_new (&params);
  params.inverse = true;
  OdlLookupTable *inverse = odl_lookup_table_new (&params);
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) length);

  for (int row = 0; row < 3; row++) {
    const int l = odl_level_size (length, row);
    g_autofree double *line = g_new (double, l);
    g_autofree double *bands = g_new (double, l);
    g_autofree double *wanted = g_new (double, l + 1);
    g_autofree double *back = g_new (double, l);
    for (int i = 0; i < l; i++)
      line[i] = g_rand_double (random);
    apply (forward, row, l, line, bands);
    apply (inverse, row, l, bands, back);
    odl_transform_forward_1d (&transform, line, 1, l, wanted, wanted + odl_low_count (l),
                              1);
    for (int i = 0; i < l; i++)
      if (fabs (bands[i] - wanted[i]) > 1e-5 || fabs (back[i] - line[i]) > 1e-5)
        g_error ("%s, border %d, %d samples, %d: %g for %g, %g for %g", wavelet->name,
                 border, l, i, bands[i], wanted[i], back[i], line[i]);
  }
  odl_lookup_table_free (forward);
  odl_lookup_table_free (inverse);
}

static void
tables_transform (void)
{
  for (size_t w = 0; w < odl_wavelet_count (); w++) {
    const OdlWavelet *wavelet = odl_wavelet_at (w);
    if (wavelet->reversible)
      continue; // rounds
    for (int border = 0; border < ODL_N_BORDERS; border++)
      for (int length = 1; length <= 67 && wavelet->borders & 1u << border; length++)
        check_length (wavelet, (OdlBorder) border, length);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lookup-table/has-the-worked-rows", worked_rows);
  g_test_add_func ("/lookup-table/border-changes-only-addresses",
                   border_changes_only_addresses);
  g_test_add_func ("/lookup-table/transforms-like-the-reference", tables_transform);
  return g_test_run ();
}
