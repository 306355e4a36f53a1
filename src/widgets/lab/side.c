// SPDX-License-Identifier: MIT
#include "widgets/lab/side.h"

#include <glib/gi18n-lib.h>

#include "filter/inside.h"

void
odl_lab_side_hold (OdlLabSide *side)
{
  g_object_ref (side->session);
  g_object_ref (side->chain);
}

void
odl_lab_side_release (OdlLabSide *side)
{
  g_clear_object (&side->session);
  g_clear_object (&side->chain);
}

const OdlRecipe *
odl_lab_side_recipe (const OdlLabSide *side)
{
  const OdlOther *other = side->other ? odl_session_other (side->session) : NULL;
  return other ? &other->recipe : odl_session_recipe (side->session);
}

OdlRecipe
odl_lab_side_shared (const OdlLabSide *side)
{
  OdlRecipe shared = *odl_lab_side_recipe (side);
  odl_recipe_share_transforms (&shared);
  return shared;
}

OdlFrame *
odl_lab_side_frame (const OdlLabSide *side)
{
  OdlFrame *frame = odl_session_frame (side->session);
  const OdlRecipe *recipe = odl_lab_side_recipe (side);
  const int item = side->item;
  if (!frame || (side->other && !odl_frame_compares (frame)))
    return NULL;
  const OdlRecipe *made = side->other ? &frame->other_recipe : &frame->recipe;
  return item < 0
                 || (item < recipe->n_items && item < made->n_items
                     && recipe->items[item].filter == made->items[item].filter)
             ? frame
             : NULL;
}

int
odl_lab_side_levels (const OdlLabSide *side)
{
  const OdlRecipe shared = odl_lab_side_shared (side);
  if (side->item < 0 || side->item >= shared.n_items
      || !odl_filter_parameter (shared.items[side->item].filter, "levels"))
    return 0;
  return (int) odl_recipe_get (&shared, side->item, "levels", 0);
}

char *
odl_lab_side_slices (int first, int n, int all)
{
  return n == 0     ? g_strdup ("")
         : n == all ? g_strdup_printf (_ ("of the whole volume, %d slices"), all)
                    // Translators: the first and the last slice, and how many there are.
                    : g_strdup_printf (_ ("of slices %d to %d of %d, about the one seen"),
                                       first + 1, first + n, all);
}

void
odl_lab_side_follow (const OdlLabSide *side,
                     GtkWidget *widget,
                     void (*update) (GtkWidget *widget))
{
  static const char *const signals[] = { "notify::recipe", "frame-ready" };
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (side->session, signals[i], G_CALLBACK (update), widget,
                             G_CONNECT_SWAPPED);
  g_signal_connect (widget, "map", G_CALLBACK (update), NULL);
}

// ---- tables --------------------------------------------------------------------------

void
odl_lab_table_begin (OdlLabTable *table)
{
  g_string_append_printf (table->text, "%s%s,%s", table->text->len > 0 ? "\n" : "",
                          table->filters, table->filter);
}

void
odl_lab_table_add (OdlLabTable *table, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (number, sizeof number, "%.9g", value);
  odl_lab_table_add_word (table, number);
}

void
odl_lab_table_add_word (OdlLabTable *table, const char *word)
{
  g_string_append_printf (table->text, ",%s", word);
}
