// SPDX-License-Identifier: MIT
// How the picture is looked at: the views, colours for grey levels, and the menu of the
// right button.
#include <glib/gi18n-lib.h>

#include "filter/inside.h"
#include "widgets/window/parts.h"

// ---- views ---------------------------------------------------------------------------

// Whether the shown picture can be seen so; else it is said, and the one before stays: of
// a picture that filters make of beams nothing was taken away.
static bool
may_be_seen (const OdlWindowParts *parts, const OdlRecipe *recipe)
{
  const OdlFrame *frame = odl_session_frame (parts->session);
  if (!frame || recipe->view != ODL_VIEW_RESIDUAL
      || frame->plan->geometry.beams.array == ODL_BEAMS_NONE)
    return true;
  g_autoptr (GError) error = NULL;
  OdlPlan *plan = odl_plan_new (recipe, &frame->plan->geometry, &error);
  if (!plan) {
    odl_messages_say_of_state (parts->messages, error->message);
    return false;
  }
  odl_plan_unref (plan);
  return true;
}

void
odl_window_choose_view (const OdlWindowParts *parts, GVariant *parameter)
{
  OdlRecipe recipe = *odl_session_recipe (parts->session);
  const char *name = g_variant_get_string (parameter, NULL);
  for (int i = 0; odl_view_names[i]; i++)
    if (g_str_equal (odl_view_names[i], name))
      recipe.view = (OdlViewKind) i;
  // Once more: the other directions.
  const OdlViewKind others = odl_view_of_coefficients (
      odl_view_is_filtered (recipe.view), !odl_view_is_falling (recipe.view));
  if (odl_view_is_analysis (recipe.view)
      && recipe.view == odl_session_recipe (parts->session)->view
      && odl_recipe_has_view (&recipe, others))
    recipe.view = others;
  if (odl_recipe_has_view (&recipe, recipe.view)) {
    if (may_be_seen (parts, &recipe))
      odl_session_set_recipe (parts->session, &recipe, NULL);
  } else
    odl_messages_say_of_state (parts->messages,
                               _ ("No filter that acts has wavelet coefficients. Add one "
                                  "such as Soft Threshold to see some."));
  odl_window_update_actions (parts);
}

static void
show_view (const OdlWindowParts *parts, OdlViewKind view)
{
  g_autoptr (GVariant) name
      = g_variant_ref_sink (g_variant_new_string (odl_view_names[view]));
  odl_window_choose_view (parts, name);
}

// Level after level, then the result.
static void
next_level_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  OdlRecipe recipe = *odl_session_recipe (parts->session);
  const int last = odl_recipe_last_wavelet_item (&recipe);
  const int next = odl_view_level (recipe.view) + 1;
  odl_recipe_share_transforms (&recipe);
  const bool beyond
      = last >= 0 && next > 1 && next > odl_recipe_get (&recipe, last, "levels", 0);
  show_view (parts,
             beyond ? ODL_VIEW_SYNTHESIS : (OdlViewKind) (ODL_VIEW_LEVEL + next - 1));
}

// Band after band, then all of them.
static void
next_band_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  if (!odl_view_is_analysis (odl_session_recipe (parts->session)->view)) {
    show_view (parts, ODL_VIEW_ANALYSIS);
    return;
  }
  const int next = odl_viewport_shown_band (parts->viewport) + 1;
  if (!odl_viewport_show_band (parts->viewport, next)) {
    odl_viewport_fit (parts->viewport);
    odl_messages_say_of_state (parts->messages, _ ("All bands"));
    return;
  }
  g_autofree char *name = odl_viewport_band_name (parts->viewport, next);
  g_autofree char *text = g_strdup_printf (_ ("Band %s"), name);
  odl_messages_say_of_state (parts->messages, text);
}

// Those of the coefficients that are shown, or of the coefficients.
static void
other_directions_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const OdlViewKind view = odl_session_recipe (parts->session)->view;
  const bool rising = odl_view_is_analysis (view) && odl_view_is_falling (view);
  show_view (parts, odl_view_of_coefficients (odl_view_is_filtered (view), !rising));
}

// Buttons of coefficients are there only with a filter that has some.
void
odl_window_update_views (const OdlWindowParts *parts)
{
  static const char *const ids[]
      = { "coefficients_long", "coefficients_short", "filtered_long", "filtered_short" };
  const OdlRecipe *recipe = odl_session_recipe (parts->session);
  if (!odl_view_is_analysis (recipe->view)
      && odl_viewport_shown_band (parts->viewport) >= 0)
    odl_viewport_fit (parts->viewport); // a band's place means nothing in pictures
  for (size_t i = 0; i < G_N_ELEMENTS (ids); i++) {
    GtkWidget *button = odl_window_child (parts, ids[i]);
    const OdlViewKind view
        = odl_view_of_coefficients (i >= 2, odl_view_is_falling (recipe->view));
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", odl_view_names[view]);
    gtk_widget_set_visible (button, odl_recipe_has_view (recipe, ODL_VIEW_ANALYSIS));
  }
  odl_window_enable (parts, "other-directions",
                     odl_recipe_has_view (recipe, ODL_VIEW_FALLING));
  odl_window_set_switch (parts, "other-directions", odl_view_is_falling (recipe->view));
}

// ---- colours -------------------------------------------------------------------------

static bool
is_grey (const OdlWindowParts *parts)
{
  const OdlFrame *frame = odl_session_frame (parts->session);
  return !frame || odl_image_info (frame->input)->channels < 3;
}

static void
set_map (const OdlWindowParts *parts, const OdlColourMap *map)
{
  odl_viewport_set_colour_map (parts->viewport,
                               map == odl_colour_map_at (0) ? NULL : map);
  g_autofree char *text = g_strdup_printf (_ ("Colours: %s"), _ (map->label));
  // In the place of what the last press of the key said.
  odl_messages_say_of_state (
      parts->messages, is_grey (parts) ? text
                                       : _ ("Colour maps are for grey pictures. This one "
                                            "has colours of its own, which stay."));
  odl_window_update_actions (parts);
}

static const OdlColourMap *
map_in_use (const OdlWindowParts *parts)
{
  const OdlColourMap *map = odl_viewport_colour_map (parts->viewport);
  return map ? map : odl_colour_map_at (0);
}

static void
choose_map_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const OdlColourMap *map = odl_colour_map_find (g_variant_get_string (parameter, NULL));
  if (map)
    set_map (parts, map);
}

static void
next_map_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  size_t i = 0;
  while (odl_colour_map_at (i) != map_in_use (parts))
    i++;
  set_map (parts, odl_colour_map_at ((i + 1) % odl_colour_map_count ()));
}

const char *
odl_window_colour_map (const OdlWindowParts *parts)
{
  return map_in_use (parts)->name;
}

// ---- where filters act ---------------------------------------------------------------

static void
area_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const char *name = g_variant_get_string (parameter, NULL);
  for (int i = 0; i < ODL_N_AREAS; i++)
    if (g_str_equal (name, odl_area_names[i]))
      odl_session_set_area (parts->session, (OdlArea) i);
  odl_window_update_actions (parts);
}

const char *
odl_window_area (const OdlWindowParts *parts)
{
  return odl_area_names[odl_session_area (parts->session)];
}

// ---- menus ---------------------------------------------------------------------------

static void
fill_colours (const OdlWindowParts *parts)
{
  GMenu *menu = odl_window_child (parts, "colours_menu");
  for (size_t i = 0; i < odl_colour_map_count (); i++) {
    const OdlColourMap *map = odl_colour_map_at (i);
    g_autofree char *action = g_strdup_printf ("win.colour-map('%s')", map->name);
    g_menu_append (menu, _ (map->label), action);
  }
}

void
odl_window_add_views (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "colour-map", G_CALLBACK (choose_map_cb), "s", "'grey'",
      .when = odl_window_shows_picture },
    { "filter-area", G_CALLBACK (area_cb), "s", "'none'",
      .when = odl_window_shows_picture },
    { "next-colour-map", G_CALLBACK (next_map_cb), .when = odl_window_shows_picture },
    { "next-level", G_CALLBACK (next_level_cb), NULL, NULL },
    { "next-band", G_CALLBACK (next_band_cb), NULL, NULL },
    { "other-directions", G_CALLBACK (other_directions_cb), NULL, "false" },
  };
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
  fill_colours (parts);
}
