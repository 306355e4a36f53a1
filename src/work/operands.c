// SPDX-License-Identifier: MIT
#include "work/operands.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/register.h"
#include "filter/own/words.h"
#include "source/operand.h"

bool
odl_runner_read_operands (OdlRunner *runner,
                          const OdlRecipe *recipe,
                          GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (OdlOperands) operands = odl_operands_new ();

  for (int i = 0; i < recipe->n_items; i++) {
    const OdlRecipeItem *item = &recipe->items[i];
    const char *file = odl_recipe_operand (recipe, i);
    const OdlParameter *parameter = odl_filter_file (item->filter);
    if (odl_own_is_filter (item->filter) && item->filter->code == NULL && !item->bypassed)
      return odl_own_needs_file (item->filter, error);
    if (parameter != NULL && item->file == NULL && !item->bypassed) {
      g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                   // Translators: twice the name of a filter, then of its setting.
                   _ ("the filter “%s” needs a second picture; write %s:%s=FILE"),
                   item->filter->name, item->filter->name, parameter->key);
      return false;
    }
    if (file == NULL || odl_operands_find (operands, file) != NULL)
      continue;
    g_autoptr (OdlImage) image
        = parameter == NULL ? odl_operand_read_kernel (file, cancellable, error)
          : odl_filter_takes_volume (item->filter)
              ? odl_operand_read_volume (file, ODL_REGISTER_VOLUMES, cancellable, error)
              : odl_operand_read (file, cancellable, error);
    if (image == NULL || !odl_operands_add (operands, file, image, error))
      return false;
  }
  odl_runner_set_operands (runner, operands);
  return true;
}
