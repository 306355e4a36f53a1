// SPDX-License-Identifier: MIT
#include "session/operand_reader.h"

#include "source/operand.h"

typedef struct {
  OdlRecipe recipe;
  OdlOperands *known;
  OdlGate *gate;
} Job;

static void
job_free (void *data)
{
  Job *job = data;
  odl_operands_unref (job->known);
  odl_gate_unref (job->gate);
  g_free (job);
}

bool
odl_operands_suffice (const OdlOperands *operands, const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++) {
    const char *file = odl_recipe_operand (recipe, i);
    if (file && !odl_operands_find (operands, file))
      return false;
  }
  return true;
}

// What a bypassed filter would read is kept where it is known.
static OdlOperands *
read_all (const Job *job, GCancellable *cancellable, GError **error)
{
  g_autoptr (OdlOperands) operands = odl_operands_new ();
  for (int i = 0; i < job->recipe.n_items; i++) {
    const char *file = job->recipe.items[i].file;
    if (!file || odl_operands_find (operands, file))
      continue;
    OdlImage *known = odl_operands_find (job->known, file);
    if (!known && !odl_recipe_operand (&job->recipe, i))
      continue;
    g_autoptr (OdlImage) image
        = known ? odl_image_ref (known) : odl_operand_read (file, cancellable, error);
    if (!image || !odl_operands_add (operands, file, image, error))
      return NULL;
  }
  return g_steal_pointer (&operands);
}

static void
read_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  Job *job = data;
  g_autoptr (OdlGate) gate = odl_gate_ref (job->gate);
  GError *error = NULL;
  OdlOperands *operands = read_all (job, cancellable, &error);
  if (operands)
    g_task_return_pointer (task, operands, (GDestroyNotify) odl_operands_unref);
  else
    g_task_return_error (task, error);
  odl_gate_leave (gate);
}

void
odl_operand_reader_read (const OdlRecipe *recipe,
                         OdlOperands *known,
                         OdlGate *gate,
                         GCancellable *cancellable,
                         GAsyncReadyCallback cb,
                         void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  Job *job = g_new (Job, 1);
  *job = (Job){ *recipe, known ? odl_operands_ref (known) : NULL, odl_gate_ref (gate) };
  g_task_set_source_tag (task, odl_operand_reader_read);
  g_task_set_task_data (task, job, job_free);
  odl_gate_enter (gate);
  g_task_run_in_thread (task, read_thread);
}

OdlOperands *
odl_operand_reader_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
