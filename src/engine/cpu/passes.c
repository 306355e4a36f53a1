// SPDX-License-Identifier: MIT
#include "engine/cpu/passes.h"

#include "base/memory.h"
#include "engine/cpu/steps/measure.h"
#include "plan/group.h"

typedef struct {
  int first; // step of the plan
  int last; // whose picture is kept
  int reads; // slot; ODL_PLAN_NO_SLOT: the image
  OdlCpuStream *stream; // NULL: the first step by itself, or all that measure
  OdlCpuSpan span;
  int reads_spare; // index of the picture used for the slot; −1: none
  int writes_spare;
} Pass;

#define N_SPARES 2

struct _OdlCpuPasses {
  OdlCpuMethod method;
  int n;
  Pass *passes;
  // In a plan a filter may write to the slot that it reads; a single pass cannot do that.
  OdlCpuPicture spares[N_SPARES];
};

// Steps from `first` on that measure a filter whose other steps run one by one; 0: none.
static int
count_measuring (const OdlPlan *plan, int first)
{
  const int index = plan->steps[first].group;
  int n = 0;

  if (index < 0 || odl_step_class (&plan->steps[first]) != ODL_STEP_CLASS_MEASURE)
    return 0;
  const OdlGroup group = odl_plan_group (plan, index);
  if (!odl_group_is_measured (plan, &group))
    return 0;
  while (odl_step_class (&plan->steps[first + n]) == ODL_STEP_CLASS_MEASURE)
    n++;
  return n; // within the group, which ends with its inverse
}

static bool
add_pass (OdlCpuPasses *self,
          const OdlPlan *plan,
          const OdlCpuSpan *span,
          int threads,
          bool huge_pages)
{
  Pass *pass = &self->passes[self->n++];

  *pass = (Pass){ .first = span->first,
                  .last = span->first,
                  .reads = ODL_PLAN_NO_SLOT,
                  .span = *span,
                  .reads_spare = -1,
                  .writes_spare = -1 };
  if (span->n_steps == 0) {
    const int measuring = count_measuring (plan, span->first);
    pass->span.measured = measuring > 0;
    pass->last += MAX (measuring - 1, 0);
    return true;
  }
  pass->last = span->first + span->n_steps - 1;
  if (span->filter == span->first)
    pass->reads = plan->steps[span->filter].reads[0];
  // Then the previous pass writes to another picture, which is not its own input.
  if (!span->measured && pass->reads != ODL_PLAN_NO_SLOT
      && pass->reads == plan->steps[pass->last].writes)
    pass->reads_spare = pass[-1].writes_spare = pass[-1].reads_spare == 0 ? 1 : 0;
  pass->stream
      = odl_cpu_stream_new (plan, span, self->method.variant, threads, huge_pages);
  return pass->stream != NULL;
}

static bool
alloc_spare (OdlCpuPasses *self,
             const OdlPlan *plan,
             const OdlCpuPicture *pictures,
             bool huge_pages,
             size_t *created)
{
  for (int i = 0; i < self->n; i++) {
    const Pass *pass = &self->passes[i];
    OdlCpuPicture *spare = &self->spares[MAX (pass->reads_spare, 0)];
    if (pass->reads_spare < 0 || spare->samples != NULL)
      continue;
    *spare = pictures[pass->reads];
    if (!odl_cpu_picture_alloc (spare, huge_pages))
      return false;
    *created += 1;
  }
  return true;
}

OdlCpuPasses *
odl_cpu_passes_new (const OdlPlan *plan,
                    const OdlCpuPicture *pictures,
                    const OdlCpuMethod *method,
                    int threads,
                    bool huge_pages,
                    size_t *created)
{
  OdlCpuPasses *self = g_new0 (OdlCpuPasses, 1);
  bool joins = false, done = true;

  self->method = *method;
  self->passes = g_new0 (Pass, plan->n_steps);
  for (int i = 0; i < plan->n_steps && done;) {
    const OdlCpuSpan span = odl_cpu_stream_span (plan, i);
    done = add_pass (self, plan, &span, threads, huge_pages);
    const Pass *pass = &self->passes[self->n - 1];
    *created += pass->stream != NULL;
    joins = joins || pass->stream != NULL || pass->span.measured;
    i = pass->last + 1;
  }
  if (!joins || !done || !alloc_spare (self, plan, pictures, huge_pages, created)) {
    odl_cpu_passes_free (self);
    return NULL;
  }
  return self;
}

void
odl_cpu_passes_free (OdlCpuPasses *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < self->n; i++)
    odl_cpu_stream_free (self->passes[i].stream);
  for (int i = 0; i < N_SPARES; i++)
    odl_aligned_free (self->spares[i].samples);
  g_free (self->passes);
  g_free (self);
}

// Whether step `k` of a measured span, which lies in memory, writes or reads the slot.
static bool
reads_measuring (const OdlPlan *plan, const OdlCpuSpan *span, int k, int slot)
{
  const OdlStep *step = &plan->steps[k];

  for (int level = 0; level < span->levels; level++)
    if (span->bands[level] == slot)
      return true;
  return odl_step_class (step) == ODL_STEP_CLASS_MEASURE
         && (step->writes == slot || odl_step_reads (step, slot));
}

bool
odl_cpu_passes_use (const OdlCpuPasses *self, const OdlPlan *plan, int slot)
{
  for (int i = 0; i < self->n; i++) {
    const Pass *pass = &self->passes[i];
    const OdlStep *step = &plan->steps[pass->first];
    if (plan->steps[pass->last].writes == slot || pass->reads == slot)
      return true;
    if (pass->stream == NULL && odl_step_reads (step, slot))
      return true;
    for (int k = pass->first; pass->span.measured && k <= pass->last; k++)
      if (reads_measuring (plan, &pass->span, k, slot))
        return true;
  }
  return false;
}

static void
run_step (const OdlCpuPasses *self,
          const Pass *pass,
          const OdlEngine *engine,
          const OdlPlan *plan,
          const OdlCpuRings *rings,
          const OdlCpuPicture *pictures,
          const OdlImage *input)
{
  const OdlStep *step = &plan->steps[pass->first];
  const OdlCpuPast past = odl_cpu_rings_past (rings, engine, plan, pass->first);
  g_autofree OdlCpuPicture *places = NULL;

  if (pass->writes_spare >= 0) {
    places = g_memdup2 (pictures, (gsize) plan->n_slots * sizeof *pictures);
    places[step->writes] = self->spares[pass->writes_spare];
    pictures = places;
  }
  odl_cpu_run_step (plan, step, &self->method, pictures, input, &past);
}

// Thresholds of the filter's bands. Masks that leave nothing out are not made.
static void
measure (const OdlCpuPasses *self,
         const Pass *pass,
         const OdlPlan *plan,
         const OdlCpuPicture *pictures,
         bool binned)
{
  const OdlCpuPast none = { 0 };
  OdlCpuMeasures all = { 0 };
  bool masked = false;

  for (int i = pass->first; i <= pass->last; i++) {
    const OdlStep *step = &plan->steps[i];
    if (odl_step_class (step) != ODL_STEP_CLASS_MEASURE)
      continue;
    OdlCpuWork work = odl_cpu_work_of (plan, step, &self->method, pictures, NULL, &none);
    if (step->kind == ODL_STEP_MASK && step->level == 0)
      masked = odl_cpu_mask_leaves_out (&work);
    if (step->kind == ODL_STEP_SIDES || (step->kind == ODL_STEP_MASK && masked))
      odl_cpu_run_step (plan, step, &self->method, pictures, NULL, &none);
    if (!masked)
      work.in[1] = NULL;
    if (step->kind == ODL_STEP_NOISE)
      all.noise = work;
    if (step->kind == ODL_STEP_BAYES)
      all.bayes[all.levels++] = work;
  }
  odl_cpu_measures_run (&all, binned);
}

bool
odl_cpu_passes_give_luma (const OdlCpuPasses *self,
                          const OdlPlan *plan,
                          const OdlImage *input)
{
  const Pass *last = &self->passes[self->n - 1];

  return last->stream != NULL && odl_cpu_stream_gives_luma (last->stream, plan, input);
}

bool
odl_cpu_passes_stream (const OdlCpuPasses *self)
{
  for (int i = 0; i < self->n; i++)
    if (self->passes[i].stream != NULL)
      return true;
  return false;
}

bool
odl_cpu_passes_measure (const OdlCpuPasses *self)
{
  for (int i = 0; i < self->n; i++)
    if (self->passes[i].span.measured)
      return true;
  return false;
}

void
odl_cpu_passes_run (OdlCpuPasses *self,
                    const OdlEngine *engine,
                    const OdlPlan *plan,
                    const OdlCpuRings *rings,
                    const OdlCpuPicture *pictures,
                    const OdlImage *input)
{
  for (int i = 0; i < self->n; i++) {
    const Pass *pass = &self->passes[i];
    const OdlCpuPicture *source = NULL, *out = &pictures[plan->steps[pass->last].writes];

    if (pass->reads != ODL_PLAN_NO_SLOT)
      source = &pictures[pass->reads];
    if (pass->reads_spare >= 0)
      source = &self->spares[pass->reads_spare];
    if (pass->writes_spare >= 0)
      out = &self->spares[pass->writes_spare];
    if (pass->stream == NULL && pass->span.measured)
      measure (self, pass, plan, pictures, engine->observing);
    else if (pass->stream == NULL)
      run_step (self, pass, engine, plan, rings, pictures, input);
    else if (pass->span.measured) {
      odl_cpu_stream_analyse (pass->stream, plan, source, pictures);
      measure (self, pass, plan, pictures, engine->observing);
      odl_cpu_stream_synthesise (pass->stream, plan, pictures, out);
    } else
      odl_cpu_stream_run (pass->stream, plan, input, source, out);
  }
}
