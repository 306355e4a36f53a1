// SPDX-License-Identifier: MIT
// Benchmark results, and the picture and plan to measure.
#include "bench/task.h"

static const char *const part_names[] = {
  [ODL_BENCH_TOTAL] = "total",
  [ODL_BENCH_DECODE] = "decode",
  [ODL_BENCH_UPLOAD] = "upload",
  [ODL_BENCH_FORWARD] = "forward",
  [ODL_BENCH_FILTER] = "filter",
  [ODL_BENCH_BACKWARD] = "backward",
  [ODL_BENCH_DISPLAY] = "display",
  [ODL_BENCH_READ_BACK] = "read back",
  [ODL_BENCH_WHOLE] = "whole",
  [ODL_BENCH_DECOMPOSE] = "decompose",
  [ODL_BENCH_RECONSTRUCT] = "reconstruct",
  [ODL_BENCH_OVERLAPPED] = "overlapped",
  [ODL_BENCH_RESIDENT] = "resident",
  [ODL_BENCH_SLIDER] = "slider",
};

const char *
odl_bench_part_name (OdlBenchPart part)
{
  g_return_val_if_fail (part < ODL_BENCH_N_PARTS, NULL);
  return part_names[part];
}

OdlImage *
odl_bench_texture (int width, int height, int channels, GError **error)
{
  OdlImageInfo info
      = { .extent = { width, height }, .channels = channels, .type = ODL_SAMPLE_U8 };
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, error);
  uint8_t *out = samples;
  uint32_t noise = 1;

  if (image == NULL)
    return NULL;
  // Ramps, edges of several sizes and noise: coefficients of all magnitudes.
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < channels; c++) {
        noise = noise * 1664525u + 1013904223u;
        int ramp = (x * 3 + y * 2 + c * 40) / 8 % 96;
        int tiles = ((x >> 5) ^ (y >> 4)) % 3 * 40;
        *out++ = (uint8_t) (ramp + tiles + (noise >> 27));
      }
  return image;
}

// The recipe to measure.
static bool
make_recipe (const OdlBenchTaskParams *params, OdlRecipe *recipe, GError **error)
{
  const int levels
      = params->size.levels > 0 ? params->size.levels : params->params->levels;
  g_autofree char *shrinkage
      = g_strdup_printf ("shrinkage:wavelet=%s,levels=%d%s", params->params->wavelet,
                         levels, params->decomposes ? " view=analysis" : "");
  const char *filter = params->params->filter;

  odl_recipe_init (recipe);
  if (!odl_recipe_parse (recipe, filter != NULL ? filter : shrinkage, error))
    return false;
  recipe->precision = params->precision;
  return true;
}

// Filters of two pictures have the texture as the second one, whatever file is named.
static OdlOperands *
make_operands (const OdlBenchTaskParams *params, OdlRecipe *recipe, GError **error)
{
  g_autoptr (OdlOperands) operands = odl_operands_new ();
  g_autoptr (OdlImage) texture = odl_bench_texture (
      params->size.width, params->size.height, params->channels, error);

  if (texture == NULL || !odl_operands_add (operands, "texture", texture, error))
    return NULL;
  for (int i = 0; i < recipe->n_items; i++)
    if (odl_filter_file (recipe->items[i].filter) != NULL)
      odl_recipe_set_file (recipe, i, "texture");
  return g_steal_pointer (&operands);
}

OdlPlan *
odl_bench_plan (const OdlBenchTaskParams *params, GError **error)
{
  OdlGeometry geometry = { params->size.width, params->size.height, params->channels, 8 };
  OdlRecipe recipe;

  if (!make_recipe (params, &recipe, error))
    return NULL;
  g_autoptr (OdlOperands) operands = make_operands (params, &recipe, error);
  if (operands == NULL)
    return NULL;
  geometry.operands = operands;
  return odl_plan_new (&recipe, &geometry, error);
}

OdlBenchRow
odl_bench_row (const OdlBenchTaskParams *params, const OdlPlan *plan)
{
  OdlBenchRow row = { .width = params->size.width,
                      .height = params->size.height,
                      .channels = params->channels,
                      .precision = params->precision,
                      .threads = params->threads };
  OdlRecipe recipe;

  if (params->params->filter != NULL && make_recipe (params, &recipe, NULL)) {
    g_autofree char *text = odl_recipe_to_text (&recipe, " ");
    row.filter = g_intern_string (text);
  }
  g_strlcpy (row.engine, params->choice.klass->name, sizeof row.engine);
  g_strlcpy (row.variant,
             params->choice.variant != NULL ? params->choice.variant : "default",
             sizeof row.variant);
  for (int i = 0; i < plan->n_steps; i++)
    row.levels = MAX (row.levels, plan->steps[i].level);
  return row;
}

static void
case_free (void *data)
{
  OdlBenchCase *one = data;

  odl_plan_unref (one->plan);
  g_free (one->step_ms);
  g_free (one);
}

OdlBenchResult *
odl_bench_result_new (void)
{
  OdlBenchResult *result = g_new0 (OdlBenchResult, 1);

  result->rows = g_array_new (FALSE, FALSE, sizeof (OdlBenchRow));
  result->cases = g_ptr_array_new_with_free_func (case_free);
  result->starts = g_array_new (FALSE, FALSE, sizeof (OdlBenchStart));
  result->loads = g_array_new (FALSE, FALSE, sizeof (OdlBenchLoadRow));
  result->notes = g_ptr_array_new_with_free_func (g_free);
  odl_bench_machine_init (&result->machine);
  return result;
}

void
odl_bench_result_append (OdlBenchResult *result, OdlBenchResult *from)
{
  OdlBenchMachine *machine = &result->machine;

  g_array_append_vals (result->rows, from->rows->data, from->rows->len);
  g_array_append_vals (result->starts, from->starts->data, from->starts->len);
  g_array_append_vals (result->loads, from->loads->data, from->loads->len);
  g_array_set_size (from->rows, 0);
  g_array_set_size (from->starts, 0);
  g_array_set_size (from->loads, 0);
  g_ptr_array_extend_and_steal (result->cases,
                                g_ptr_array_copy (from->cases, NULL, NULL));
  g_ptr_array_set_free_func (from->cases, NULL);
  g_ptr_array_set_size (from->cases, 0);
  g_ptr_array_extend_and_steal (result->notes,
                                g_ptr_array_copy (from->notes, NULL, NULL));
  g_ptr_array_set_free_func (from->notes, NULL);
  g_ptr_array_set_size (from->notes, 0);
  result->changes += from->changes;
  result->filter = result->filter != NULL ? result->filter : from->filter;
  // Earlier sets may have run without GL.
  if (*machine->gl_renderer == '\0') {
    g_free (machine->gl_renderer);
    g_free (machine->gl_driver);
    machine->gl_renderer = g_strdup (from->machine.gl_renderer);
    machine->gl_driver = g_strdup (from->machine.gl_driver);
    machine->gl_software = from->machine.gl_software;
  }
}

void
odl_bench_result_free (OdlBenchResult *result)
{
  if (result == NULL)
    return;
  g_array_unref (result->rows);
  g_ptr_array_unref (result->cases);
  g_array_unref (result->starts);
  g_array_unref (result->loads);
  g_ptr_array_unref (result->notes);
  odl_bench_machine_clear (&result->machine);
  g_free (result);
}
