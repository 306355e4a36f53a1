// SPDX-License-Identifier: MIT
#include "work/result.h"

#include "output/letters.h"
#include "plan/result_window.h"
#include "source/volume.h"

OdlDisplay
odl_result_display (const OdlImage *input,
                    const OdlPlan *plan,
                    const OdlRecipe *recipe,
                    const OdlWindow *window)
{
  const OdlImageInfo *info = odl_image_info (input);
  const OdlWindow own = odl_result_window (recipe, plan->geometry.operands, info, window);

  return odl_display_make (info, &own, plan->details);
}

OdlImage *
odl_result_render (const OdlImage *result,
                   const OdlImage *input,
                   const OdlPlan *plan,
                   const OdlRecipe *recipe,
                   const OdlWindow *window,
                   int bits,
                   GError **error)
{
  const OdlDisplay display = odl_result_display (input, plan, recipe, window);

  return odl_display_render (result, &display, bits, error);
}

OdlImage *
odl_result_view (const OdlRenderScene *scene,
                 const OdlSource *source,
                 bool lettered,
                 const char *mark,
                 GError **error)
{
  const OdlRenderPlace *place = &scene->place;
  double axes[3][3];
  OdlLetters letters = { { 0 } };
  OdlOverlay *over = NULL;

  if (lettered && scene->body != NULL && odl_source_axes (source, axes) == 3) {
    odl_render_letters (scene, axes, letters);
    over = odl_letters_to_overlay (letters, place->width, place->height);
  }
  OdlImage *view = odl_render_picture (scene, over, mark, error);
  odl_overlay_unref (over);
  return view;
}

char *
odl_result_describe (const OdlRecipe *recipe, const char *engine, const char *noise)
{
  g_autofree char *text = odl_recipe_to_text (recipe, " ");
  const bool processed = noise != NULL || !odl_recipe_is_identity (recipe);

  return g_strdup_printf ("%s%s%srecipe %s; engine %s%s", noise != NULL ? "noise " : "",
                          noise != NULL ? noise : "", noise != NULL ? "; " : "", text,
                          engine, processed ? "; processed, not for diagnostic use" : "");
}
