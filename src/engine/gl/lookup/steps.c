// SPDX-License-Identifier: MIT
#include "engine/gl/lookup/steps.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/lookup/table.h"
#include "plan/flow.h"
#include "plan/group.h"

// The first store that step `s` may write. `place`: the store of each slot, −1 for
// none.
static int
free_store (const OdlPlan *plan, const int *place, int s)
{
  bool busy[ODL_GL_LOOKUP_STORES] = { false };
  int store = 0;

  for (int slot = 0; slot < plan->n_slots; slot++)
    if (place[slot] >= 0 && (slot == plan->source || odl_plan_is_needed (plan, slot, s)))
      busy[place[slot]] = true;
  while (store < ODL_GL_LOOKUP_STORES && busy[store])
    store++;
  g_assert (store < ODL_GL_LOOKUP_STORES);
  return store;
}

static bool
is_coarsest_threshold (const OdlPlan *plan, int s)
{
  const OdlStep *step = &plan->steps[s];

  return step->kind == ODL_STEP_THRESHOLD
         && step->level == odl_plan_group (plan, step->group).levels;
}

static int
store_to_write (const OdlPlan *plan,
                const OdlGlLookupPlace *places,
                const int *place,
                int s)
{
  const OdlStep *step = &plan->steps[s];
  const OdlGroupLevel level = odl_plan_group_level (plan, s);

  switch (step->kind) {
  case ODL_STEP_FORWARD: // back to the pyramid that its level began in
    if (step->axis == ODL_AXIS_Y && step->level > 1)
      return places[level.forward_x].reads[0];
    break;
  case ODL_STEP_THRESHOLD:
    if (step->level > 1)
      return places[odl_plan_group (plan, step->group).level[0].threshold].writes;
    break;
  case ODL_STEP_INVERSE: // back to the detail of the finer levels
    if (step->axis == ODL_AXIS_X)
      return places[level.inverse_y].reads[1];
    break;
  case ODL_STEP_LAYOUT:
    return place[step->reads[1]];
  default:
    break;
  }
  return free_store (plan, place, s);
}

int
odl_gl_lookup_places (const OdlPlan *plan, OdlGlLookupPlace *places)
{
  g_autofree int *place = g_new (int, plan->n_slots);
  int count = 0;

  memset (place, -1, plan->n_slots * sizeof *place);
  for (int s = 0; s < plan->n_steps; s++) {
    const OdlStep *step = &plan->steps[s];
    for (int r = 0; r < 3; r++)
      places[s].reads[r]
          = step->reads[r] != ODL_PLAN_NO_SLOT ? place[step->reads[r]] : -1;
    places[s].writes = -1;
    if (odl_step_class (step) == ODL_STEP_CLASS_MEASURE)
      continue; // numbers are in no store: measure.h
    places[s].writes = store_to_write (plan, places, place, s);
    place[step->writes] = places[s].writes;
    // The approximation is copied along, so that one store has the whole pyramid.
    if (is_coarsest_threshold (plan, s))
      place[step->reads[0]] = places[s].writes;
    count = MAX (count, places[s].writes + 1);
  }
  return count;
}

typedef struct {
  OdlLookupParams params;
  OdlLookupTable *table;
  GLuint texture;
} Table;

struct _OdlGlLookupTables {
  GArray *all; // Table
  size_t *created;
};

OdlGlLookupTables *
odl_gl_lookup_tables_new (size_t *created)
{
  OdlGlLookupTables *tables = g_new0 (OdlGlLookupTables, 1);

  tables->all = g_array_new (FALSE, FALSE, sizeof (Table));
  tables->created = created;
  return tables;
}

void
odl_gl_lookup_tables_free (OdlGlLookupTables *tables)
{
  if (tables == NULL)
    return;
  for (guint i = 0; i < tables->all->len; i++) {
    Table *table = &g_array_index (tables->all, Table, i);
    odl_lookup_table_free (table->table);
    glDeleteTextures (1, &table->texture);
  }
  g_array_unref (tables->all);
  g_free (tables);
}

static GLuint
table_texture (const OdlLookupTable *table)
{
  GLuint texture = odl_gl_texture_new (4, 32, table->width, table->rows);

  if (texture != 0) // left bound
    glTexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, table->width, table->rows, GL_RGBA, GL_FLOAT,
                     table->texels);
  return texture;
}

static bool
same_table (const OdlLookupParams *a, const OdlLookupParams *b)
{
  return a->wavelet == b->wavelet && a->border == b->border && a->inverse == b->inverse
         && a->length == b->length && a->levels == b->levels;
}

static const Table *
obtain_table (const OdlGlLookupParams *params,
              const OdlLookupParams *wanted,
              GError **error)
{
  OdlGlLookupTables *tables = params->tables;

  for (guint i = 0; i < tables->all->len; i++)
    if (same_table (&g_array_index (tables->all, Table, i).params, wanted))
      return &g_array_index (tables->all, Table, i);

  Table table = { *wanted, odl_lookup_table_new (wanted), 0 };
  if (table.table->width > params->caps->max_side) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("the addresses of %d pixels and their borders exceed the texture "
                    "limit of %d pixels a side of this graphics driver (%s); choose "
                    "another engine"),
                 wanted->length, params->caps->max_side, params->caps->renderer);
  } else {
    table.texture = table_texture (table.table);
    if (table.texture == 0)
      g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
                   _ ("the graphics driver gave no memory for a table of %d addresses; "
                      "choose another engine"),
                   table.table->width * table.table->rows);
  }
  if (table.texture == 0) {
    odl_lookup_table_free (table.table);
    return NULL;
  }
  *tables->created += 1;
  g_array_append_val (tables->all, table);
  return &g_array_index (tables->all, Table, tables->all->len - 1);
}

typedef struct {
  const OdlGlLookupParams *params;
  GArray *draws;
  int s;
  const OdlStep *step;
  const OdlSlot *out;
  const OdlGlTextureStore *target;
  GError **error;
} Compiler;

static GLuint
texture_read (const Compiler *c, int read)
{
  return c->params->stores[c->params->places[c->s].reads[read]].textures[0];
}

// Appends a draw call into the step's store; NULL when its program fails.
static OdlGlDraw *
add_draw (Compiler *c, OdlGlPassId pass, const char *defines, const int viewport[4])
{
  g_autofree char *all = g_strconcat (
      c->target->precision == 16 ? "#define HALF_TARGET\n" : "", defines, NULL);
  OdlGlDraw draw = {
    .program = odl_gl_programs_get (c->params->programs, pass, false, all, c->error),
    .framebuffer = c->target->framebuffers[0],
    .vertices = 3,
  };

  if (draw.program == NULL)
    return NULL;
  memcpy (draw.viewport, viewport, sizeof draw.viewport);
  g_array_append_val (c->draws, draw);
  return &g_array_index (c->draws, OdlGlDraw, c->draws->len - 1);
}

// For FORWARD and INVERSE. Both bands lie in one store, whatever their slots.
static bool
compile_transform (Compiler *c)
{
  const OdlPlan *plan = c->params->plan;
  const OdlGroup group = odl_plan_group (plan, c->step->group);
  const OdlSlot *whole = &plan->slots[plan->steps[group.level[0].forward_x].reads[0]];
  const bool along_x = c->step->axis == ODL_AXIS_X;
  OdlLookupParams wanted = {
    .wavelet = c->step->wavelet,
    .border = c->step->border,
    .inverse = c->step->kind == ODL_STEP_INVERSE,
    .length = along_x ? whole->width : whole->height,
    .levels = group.levels,
  };

  const Table *table = obtain_table (c->params, &wanted, c->error);
  if (table == NULL)
    return false;

  g_autofree char *defines
      = g_strdup_printf ("#define AXIS %d\n#define LEFT %d\n#define COUNT %d\n",
                         along_x ? 0 : 1, table->table->left, table->table->count);
  OdlGlDraw *draw = add_draw (c, ODL_GL_PASS_LOOKUP, defines,
                              (const int[]){ 0, 0, c->out->width, c->out->height });
  if (draw == NULL)
    return false;
  g_assert (c->step->reads[1] == ODL_PLAN_NO_SLOT
            || texture_read (c, 1) == texture_read (c, 0));
  draw->textures[0] = texture_read (c, 0);
  draw->textures[1] = table->texture;
  draw->uniforms.level_row = c->step->level - 1;
  memcpy (draw->uniforms.kernels, table->table->kernels, sizeof table->table->kernels);
  return true;
}

// HL, LH and HH in their places; on the coarsest level also the unchanged approximation.
static bool
compile_threshold (Compiler *c)
{
  const int low_x = odl_low_count (c->out->width);
  const int low_y = odl_low_count (c->out->height);
  const int high_x = c->out->width - low_x;
  const int high_y = c->out->height - low_y;
  const struct {
    OdlGlPassId pass;
    int viewport[4];
    bool wanted;
  } parts[] = {
    { ODL_GL_PASS_THRESHOLD_DETAIL, { low_x, 0, high_x, low_y }, true },
    { ODL_GL_PASS_THRESHOLD_DETAIL, { 0, low_y, low_x, high_y }, true },
    { ODL_GL_PASS_THRESHOLD_DETAIL, { low_x, low_y, high_x, high_y }, true },
    { ODL_GL_PASS_LAYOUT_COLOUR,
      { 0, 0, low_x, low_y },
      is_coarsest_threshold (c->params->plan, c->s) },
  };

  g_autofree char *rule = odl_gl_rule_defines (c->step);

  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    if (!parts[i].wanted || parts[i].viewport[2] == 0 || parts[i].viewport[3] == 0)
      continue;
    OdlGlDraw *draw = add_draw (c, parts[i].pass, rule, parts[i].viewport);
    if (draw == NULL)
      return false;
    draw->textures[0] = texture_read (c, 0);
    if (i < ODL_DETAIL_BANDS)
      draw->uniforms.pick[i] = 1;
  }
  return true;
}

// The store of a slot, with the extent of the slot.
static OdlGlTextureStore
store_of (const OdlGlLookupParams *params, int store, int slot)
{
  OdlGlTextureStore result = params->stores[store];

  result.width = params->plan->slots[slot].width;
  result.height = params->plan->slots[slot].height;
  return result;
}

static bool
compile_spatial (Compiler *c)
{
  const OdlGlLookupPlace *place = &c->params->places[c->s];
  const OdlGlTextureStore target = store_of (c->params, place->writes, c->step->writes);
  OdlGlTextureStore sources[3];
  OdlGlSpatialParams params = {
    .plan = c->params->plan,
    .programs = c->params->programs,
    .step = c->step,
    .target = &target,
    .draws = c->draws,
  };

  for (int r = 0; r < 3 && place->reads[r] >= 0; r++) {
    sources[r] = store_of (c->params, place->reads[r], c->step->reads[r]);
    params.sources[r] = &sources[r];
  }
  return odl_gl_steps_compile_spatial (&params, c->error);
}

static bool
compile_step (Compiler *c)
{
  switch (c->step->kind) {
  case ODL_STEP_FORWARD:
  case ODL_STEP_INVERSE:
    return compile_transform (c);
  case ODL_STEP_THRESHOLD:
    return compile_threshold (c);
  case ODL_STEP_LAYOUT:
  case ODL_STEP_PEAK: // nothing is drawn: measure.h
    return true;
  default:
    return compile_spatial (c);
  }
}

GArray *
odl_gl_lookup_compile (const OdlGlLookupParams *params, GError **error)
{
  const OdlPlan *plan = params->plan;
  g_autoptr (GArray) draws = g_array_new (FALSE, TRUE, sizeof (OdlGlDraw));

  for (int s = 0; s < plan->n_steps; s++) {
    Compiler c = {
      .params = params,
      .draws = draws,
      .s = s,
      .step = &plan->steps[s],
      .out = &plan->slots[plan->steps[s].writes],
      .target = &params->stores[MAX (params->places[s].writes, 0)],
      .error = error,
    };
    params->steps[s].first = (int) draws->len;
    if (!compile_step (&c))
      return NULL;
    params->steps[s].count = (int) draws->len - params->steps[s].first;
  }
  return g_steal_pointer (&draws);
}
