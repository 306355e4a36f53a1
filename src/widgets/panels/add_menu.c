// SPDX-License-Identifier: MIT
#include "widgets/panels/add_menu.h"

#include <glib/gi18n-lib.h>

#include "filter/own/words.h"

#define MOST 16

// In the order in which they are tried.
static const struct {
  const char *title;
  const char *filters[MOST]; // NULL-terminated
} groups[] = {
  { N_ ("Less Noise"),
    { "gaussian", "median", "weighted-median", "box", "bilateral", "guided", "wiener",
      "diffusion", "adaptive", "non-local-means", "bm3d", "stabilise", "restore" } },
  { N_ ("Less Speckle"), { "lee", "kuan", "frost", "srad" } },
  { N_ ("Wavelets"),
    { "shrinkage", "soft-threshold", "hard-threshold", "bayes-shrink", "sure-shrink",
      "visu-shrink", "neigh-shrink", "bivariate", "scale-bands", "transform", "inverse",
      "detail-curve" } },
  { N_ ("Sharpness and Contrast"),
    { "sharpen", "unsharp", "multi-scale-contrast", "clahe", "gamma", "tone-curve",
      "decouple", "time-gain" } },
  { N_ ("Edges and Shapes"),
    { "sobel", "structure-tensor", "convolve", "morphology", "trough-threshold",
      "contours", "mask" } },
  { N_ ("Over Time"),
    { "persistence", "recursive-average", "sliding-mean", "sliding-median" } },
  { N_ ("Two Pictures"), { "mix", "stylise", "register" } },
};

static void
add_filter (GMenu *menu, const OdlFilter *filter)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (_ (filter->label), NULL);
  g_menu_item_set_action_and_target (item, "panel.add-filter", "s", filter->name);
  g_menu_append_item (menu, item);
}

static bool
is_grouped (const OdlFilter *filter)
{
  for (size_t g = 0; g < G_N_ELEMENTS (groups); g++)
    if (g_strv_contains (groups[g].filters, filter->name))
      return true;
  return false;
}

GMenu *
odl_add_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) search = g_menu_new ();
  g_menu_append (search, _ ("Search by Name…"), "panel.search-filter");
  g_menu_append (search, _ ("Own Filter…"), "win.insert-code");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (search));
  for (size_t g = 0; g < G_N_ELEMENTS (groups); g++) {
    g_autoptr (GMenu) group = g_menu_new ();
    for (int i = 0; groups[g].filters[i]; i++)
      if (odl_filter_find (groups[g].filters[i]))
        add_filter (group, odl_filter_find (groups[g].filters[i]));
    g_menu_append_submenu (menu, _ (groups[g].title), G_MENU_MODEL (group));
  }
  g_autoptr (GMenu) others = g_menu_new ();
  for (size_t i = 0; i < odl_filter_count (); i++) {
    const OdlFilter *filter = odl_filter_at (i);
    if (filter->kind != ODL_FILTER_PASS_THROUGH && !odl_own_is_filter (filter)
        && !is_grouped (filter))
      add_filter (others, filter);
  }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (others));
  return menu;
}
