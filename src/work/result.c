// SPDX-License-Identifier: MIT
#include "work/result.h"

#include "image/display/overlay.h"
#include "image/volume/letters.h"
#include "output/graphics.h"
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

// From the edge, in heights of letters.
#define MARGIN 0.5

// The alignment of words in a box of no height, whose upper edge is the line's.
static const double alignments[ODL_N_EDGES] = {
  [ODL_EDGE_LEFT] = 0,
  [ODL_EDGE_RIGHT] = 1,
  [ODL_EDGE_TOP] = 0.5,
  [ODL_EDGE_BOTTOM] = 0.5,
};

// The letters at the edges of a picture of that size, each in the middle of its edge, as
// bits. NULL: there are none. Transfer full. Any thread.
static OdlOverlay *
letters_to_overlay (OdlLetters letters, int width, int height)
{
  g_autoptr (OdlGraphics) graphics = odl_graphics_new ();
  const double font = odl_graphics_look_for (width, height, 0, false).font;
  const double margin = MARGIN * font, middle = (height - font) / 2.0;
  const double tops[ODL_N_EDGES] = {
    [ODL_EDGE_LEFT] = middle,
    [ODL_EDGE_RIGHT] = middle,
    [ODL_EDGE_TOP] = margin,
    [ODL_EDGE_BOTTOM] = height - margin - 1.5 * font,
  };

  for (int edge = 0; edge < ODL_N_EDGES; edge++) {
    const OdlGraphicsWords words
        = { .text = letters[edge],
            .has_box = true,
            .box = { { margin, tops[edge] }, { width - margin, tops[edge] + font } },
            .alignment = alignments[edge] };
    if (*letters[edge] != '\0')
      odl_graphics_add_words (graphics, &words);
  }
  return graphics->words->len > 0
             ? odl_graphics_to_overlay (graphics, width, height, 0, false)
             : NULL;
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
    over = letters_to_overlay (letters, place->width, place->height);
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
