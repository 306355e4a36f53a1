// SPDX-License-Identifier: MIT
#include "engine/sections.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "image/volume/volume.h"
#include "plan/bands.h"
#include "plan/flow.h"

#define ALL_SLICES (-1)

// Times what sections may take: what cannot be cut may leave less beside it.
#define UNCUT 1.6

// Bands of odd sides, and rows of whole quads, are larger than the picture.
#define MORE_FOR_BANDS 1.06

// How many slices before and behind a step's result depends on.
static int
reach_of (const OdlStep *step)
{
  switch (step->kind) {
  case ODL_STEP_LOAD:
  case ODL_STEP_LUMA:
  case ODL_STEP_RECOMBINE:
  case ODL_STEP_ADD:
  case ODL_STEP_RAISE:
  case ODL_STEP_MAGNITUDE:
  case ODL_STEP_TENSOR:
  case ODL_STEP_STEER:
    return 0;
  case ODL_STEP_CONVOLVE:
    return step->border == ODL_BORDER_PERIODIC ? ALL_SLICES : step->kernel_depth / 2;
  case ODL_STEP_THRESHOLD: // measured ones depend on all that was measured
    return odl_step_numbers (step) != ODL_PLAN_NO_SLOT ? ALL_SLICES : 0;
  case ODL_STEP_FORWARD:
  case ODL_STEP_INVERSE:
    return step->axis != ODL_AXIS_Z              ? 0
           : step->border == ODL_BORDER_PERIODIC ? ALL_SLICES
                                                 : odl_transform_step_reach (step);
  default: // most steps of pictures look at one slice
    return odl_step_row (step->kind)->class == ODL_STEP_CLASS_SPATIAL
               ? step->kernel_depth / 2
               : ALL_SLICES;
  }
}

static int
reach_of_plan (const OdlPlan *plan)
{
  g_autofree int *reaches = g_new0 (int, plan->n_slots);

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const int own = reach_of (step);
    int farthest = 0;
    if (own == ALL_SLICES)
      return ALL_SLICES;
    for (int r = 0; r < ODL_STEP_MOST_READS; r++)
      if (step->reads[r] != ODL_PLAN_NO_SLOT)
        farthest = MAX (farthest, reaches[step->reads[r]]);
    reaches[step->writes] = farthest + own;
  }
  return reaches[plan->result];
}

static double
bytes_of_slot (const OdlSlot *slot)
{
  return (double) slot->width * slot->height * slot->channels * slot->precision / 8;
}

// Of the slots that are alive at once, at most, when each step's memory comes from those
// that no later one reads.
static double
bytes_alive (const OdlPlan *plan)
{
  g_autofree bool *alive = g_new0 (bool, plan->n_slots);
  double now = 0, most = 0;

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlBankSum sum = odl_plan_bank_sum_at (plan, i);
    const int bank = odl_plan_bank_at (plan, i, plan->n_steps).count;
    const int last = MAX (i + MAX (bank, 1) - 1, sum.count > 0 ? sum.last : 0);
    for (int k = i; k <= last; k++) {
      const int slot = plan->steps[k].writes;
      now += alive[slot] ? 0 : bytes_of_slot (&plan->slots[slot]);
      alive[slot] = true;
    }
    most = MAX (most, now);
    for (int slot = 0; slot < plan->n_slots; slot++)
      if (alive[slot] && !odl_plan_outlives (plan, slot, last + 1)) {
        now -= bytes_of_slot (&plan->slots[slot]);
        alive[slot] = false;
      }
    i = last;
  }
  return most;
}

// Of one slice: the slots, and the stored samples of what is loaded.
static double
bytes_of_slice (const OdlPlan *plan, bool shared)
{
  double bytes = shared ? bytes_alive (plan) : 0;

  for (int i = 0; i < plan->n_slots && !shared; i++)
    bytes += bytes_of_slot (&plan->slots[i]);
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_LOAD)
      bytes += (double) plan->geometry.width * plan->geometry.height
               * plan->geometry.channels * (double) sizeof (float);
  return bytes;
}

// Of the largest slot.
static double
most_of_slice (const OdlPlan *plan)
{
  double most = 0;

  for (int i = 0; i < plan->n_slots; i++)
    most = MAX (most, (double) plan->slots[i].width * plan->slots[i].height
                          * MAX (plan->slots[i].channels, plan->geometry.channels)
                          * (double) sizeof (float));
  return most * MORE_FOR_BANDS;
}

// Levels of a transform begin where they do in the whole volume.
static int
unit_of (const OdlPlan *plan)
{
  int unit = 1;

  for (int i = 0; i < plan->n_steps; i++)
    if (odl_step_class (&plan->steps[i]) == ODL_STEP_CLASS_TRANSFORM
        && plan->steps[i].axis == ODL_AXIS_Z)
      unit = MAX (unit, 1 << plan->steps[i].level);
  return unit;
}

static int
own_of (const OdlSections *sections, int depth)
{
  return (depth - 2 * sections->more) / sections->unit * sections->unit;
}

static int
count_sections (const OdlSections *sections, int depth)
{
  const int own = own_of (sections, depth);

  return depth >= sections->whole
             ? 1
             : (sections->whole - 2 * sections->more + own - 1) / own;
}

bool
odl_sections_fit (const OdlSections *sections, double bytes, GError **error)
{
  const double needed = sections->slice_bytes * sections->depth;

  if (sections->whole <= 1 || bytes <= 0 || needed <= UNCUT * bytes)
    return true;
  g_autofree char *most = g_format_size ((guint64) (UNCUT * bytes));
  g_autofree char *least = g_format_size ((guint64) needed);
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("the filters need %s of memory for the slices that they see "
                           "at once, and there are %s; the volume can be filtered slice "
                           "by slice, without filters in 3 dimensions"),
                        least, most);
}

OdlSections
odl_sections_of (const OdlPlan *plan, double bytes, double block, bool shared)
{
  const int whole = MAX (plan->geometry.depth, 1), more = reach_of_plan (plan);
  const int unit = unit_of (plan);
  const double slice = bytes_of_slice (plan, shared), largest = most_of_slice (plan);
  const OdlSections uncut = { whole, whole, 0, unit, 1, slice };
  OdlSections sections = uncut;
  double depths = whole;

  if (more == ALL_SLICES)
    return sections;
  sections.more = (more + unit - 1) / unit * unit;
  const int least = 3 * sections.more + 1; // at least a third of a section is its own
  if (bytes > 0)
    depths = MIN (depths, MAX (bytes / slice, least));
  if (block > 0)
    depths = MIN (depths, block / largest);
  // The last one ends with the volume, and begins at a multiple, too.
  int depth = (int) depths - ((int) depths % unit + unit - whole % unit) % unit;
  if ((int) depths >= whole || own_of (&sections, depth) < unit)
    return uncut;
  sections.count = count_sections (&sections, depth);
  while (depth - unit >= least
         && count_sections (&sections, depth - unit) == sections.count)
    depth -= unit;
  sections.depth = depth;
  return sections;
}

// Where there was no memory for `sections` after all, such as beside the volume itself:
// others of about half as many slices. False: there are none.
static bool
make_smaller (OdlSections *sections, const OdlPlan *plan, double block, bool shared)
{
  const OdlSections smaller = odl_sections_of (
      plan, sections->slice_bytes * sections->depth / 2, block, shared);

  if (smaller.depth >= sections->depth)
    return false;
  *sections = smaller;
  return true;
}

// The first and the last one reach the ends of the volume; those between lie side by
// side.
OdlSection
odl_sections_at (const OdlSections *sections, int index)
{
  const int own = own_of (sections, sections->depth);
  const int from = MIN (index * own, sections->whole - sections->depth);
  const bool last = index == sections->count - 1;

  return (OdlSection){ .from = from,
                       .first = index == 0 ? 0 : index * own + sections->more,
                       .end
                       = last ? sections->whole : (index + 1) * own + sections->more };
}

char *
odl_sections_to_text (const OdlSections *sections)
{
  g_autofree char *each
      = g_format_size ((guint64) (sections->slice_bytes * sections->depth));

  return g_strdup_printf (_ ("%d sections of %d slices, %d of them their own, %s each"),
                          sections->count, sections->depth,
                          own_of (sections, sections->depth), each);
}

static void
release (void *volume)
{
  odl_image_unref (volume);
}

OdlImage *
odl_section_of_volume (OdlImage *volume, int from, int depth)
{
  OdlImageInfo info = *odl_image_info (volume);

  if (from < 0 || from + depth > info.extent.z)
    return NULL;
  info.extent.z = depth;
  info.mark = NULL;
  for (int c = 0; c < info.channels; c++)
    info.planes[c].data = (const uint8_t *) info.planes[c].data
                          + (size_t) from * info.planes[c].slice_stride_bytes;
  return odl_image_wrap (&info, release, odl_image_ref (volume), NULL);
}

// `geometry` for a section of the volume, with its frames before and after. Owns its
// neighbours: odl_neighbours_unref.
static OdlGeometry
geometry_of (const OdlGeometry *geometry, int from, int depth)
{
  OdlGeometry section = *geometry;

  section.depth = depth;
  if (geometry->neighbours == NULL)
    return section;
  const int64_t count = odl_neighbours_count (geometry->neighbours);
  section.neighbours
      = odl_neighbours_new (odl_neighbours_at (geometry->neighbours), count);
  for (int64_t t = 0; t < count; t++) {
    OdlImage *whole = odl_neighbours_find (geometry->neighbours, t);
    g_autoptr (OdlImage) part
        = whole != NULL ? odl_section_of_volume (whole, from, depth) : NULL;
    if (part != NULL)
      odl_neighbours_put (section.neighbours, t, part);
  }
  return section;
}

static OdlImage *
process_section (OdlEngine *engine,
                 const OdlRecipe *recipe,
                 const OdlGeometry *geometry,
                 OdlImage *volume,
                 int from,
                 int depth,
                 GError **error)
{
  const OdlGeometry own = geometry_of (geometry, from, depth);
  g_autoptr (OdlNeighbours) neighbours = own.neighbours;
  g_autoptr (OdlImage) part = odl_section_of_volume (volume, from, depth);
  g_autoptr (OdlPlan) plan = part != NULL ? odl_plan_new (recipe, &own, error) : NULL;

  return plan != NULL ? odl_engine_process (engine, plan, part, error) : NULL;
}

OdlImage *
odl_engine_process_sections (OdlEngine *engine,
                             const OdlRecipe *recipe,
                             const OdlGeometry *geometry,
                             const OdlSections *sections,
                             OdlImage *volume,
                             GError **error)
{
  const OdlProgress all = odl_progress_whole (engine->progress);
  g_autoptr (OdlImage) whole = NULL;
  void *samples = NULL;

  for (int i = 0; i < sections->count; i++) {
    odl_progress_part (engine->progress, &all, i, sections->count);
    const OdlSection section = odl_sections_at (sections, i);
    g_autoptr (OdlImage) part = process_section (engine, recipe, geometry, volume,
                                                 section.from, sections->depth, error);
    if (part == NULL)
      return NULL;
    if (whole == NULL)
      whole = odl_volume_alloc (part, sections->whole, &samples, error);
    if (whole == NULL)
      return NULL;
    for (int z = section.first; z < section.end; z++) {
      g_autoptr (OdlImage) slice = odl_volume_slice (part, z - section.from);
      odl_volume_put (whole, samples, z, slice);
    }
  }
  odl_progress_part (engine->progress, &all, 0, 1);
  return g_steal_pointer (&whole);
}

static OdlImage *
process_cut (OdlEngine *engine,
             const OdlRecipe *recipe,
             const OdlPlan *plan,
             const OdlSections *sections,
             OdlImage *volume,
             char **cut,
             GError **error)
{
  OdlImage *result = odl_engine_process_sections (engine, recipe, &plan->geometry,
                                                  sections, volume, error);

  if (result != NULL)
    *cut = odl_sections_to_text (sections);
  return result;
}

// Memory that was free when the engine was opened may be taken by the volume meanwhile,
// and a card says itself what it has no room for.
OdlImage *
odl_engine_process_fitting (OdlEngine *engine,
                            const OdlRecipe *recipe,
                            const OdlPlan *plan,
                            OdlImage *input,
                            OdlProcessWhole whole,
                            char **cut,
                            GError **error)
{
  const OdlProgress all = odl_progress_whole (engine->progress);
  const bool shared = engine->klass->shares_memory;
  OdlSections sections = odl_sections_of (plan, engine->memory, engine->block, shared);

  if (!engine->klass->needs_gl && !odl_sections_fit (&sections, engine->memory, error))
    return NULL;
  for (;;) {
    g_autoptr (GError) cause = NULL;
    odl_progress_part (engine->progress, &all, 0, 1);
    OdlImage *result
        = sections.count > 1 && recipe != NULL
              ? process_cut (engine, recipe, plan, &sections, input, cut, &cause)
              : whole (engine, plan, input, &cause);
    if (result != NULL)
      return result;
    const bool short_of_memory = g_error_matches (cause, ODL_ERROR, ODL_ERROR_TOO_LARGE);
    if (short_of_memory && recipe != NULL
        && make_smaller (&sections, plan, engine->block, shared))
      continue;
    if (short_of_memory && plan->geometry.depth > 1)
      g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                   // Translators: what there is no memory for.
                   _ ("%s; the volume can be filtered slice by slice, without filters in "
                      "3 dimensions"),
                   cause->message);
    else
      g_propagate_error (error, g_steal_pointer (&cause));
    return NULL;
  }
}
