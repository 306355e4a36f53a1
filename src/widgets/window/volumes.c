// SPDX-License-Identifier: MIT
// How volumes are looked at: three planes, and how thick they are. Menu and keys.
#include <math.h>

#include "widgets/window/parts.h"

#define STEP 1.25 // of a slab's thickness

static void
planes_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  odl_session_set_planes (parts->session, !odl_session_planes (parts->session));
}

static void
slab_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  const char *name = g_variant_get_string (parameter, NULL);
  OdlSlab slab = odl_session_slab (parts->session);
  for (int i = 0; i < ODL_N_SLABS; i++)
    if (g_str_equal (odl_slab_names[i], name))
      slab.kind = (OdlSlabKind) i;
  odl_session_set_slab (parts->session, &slab);
}

static void
next_slab_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  OdlSlab slab = odl_session_slab (parts->session);
  const int by = g_variant_get_int32 (parameter);
  slab.kind = (OdlSlabKind) (((int) slab.kind + by + ODL_N_SLABS) % ODL_N_SLABS);
  odl_session_set_slab (parts->session, &slab);
}

// Thicker, thinner, or (0) through the whole volume. A single slice becomes thick.
static void
thickness_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  OdlSlab slab = odl_session_slab (parts->session);
  const double most = odl_session_thickest_slab (parts->session);
  const int by = g_variant_get_int32 (parameter);
  if (most < 1)
    return;
  if (slab.kind == ODL_SLAB_SLICE)
    slab.kind = ODL_SLAB_MAXIMUM;
  else if (by > 0)
    slab.thickness = MAX (ceil (slab.thickness * STEP), slab.thickness + 1);
  else if (by < 0)
    slab.thickness = MAX (floor (slab.thickness / STEP), 2);
  if (by == 0 || slab.thickness > most)
    slab.thickness = most;
  odl_session_set_slab (parts->session, &slab);
}

static const struct {
  OdlWindowAction action;
  bool of_planes; // they must be shown
} actions[] = {
  { { "planes", G_CALLBACK (planes_cb), NULL, "true" }, false },
  { { "slab", G_CALLBACK (slab_cb), "s", "'slice'" }, true },
  { { "next-slab", G_CALLBACK (next_slab_cb), "i" }, true },
  { { "slab-thickness", G_CALLBACK (thickness_cb), "i" }, true },
};

void
odl_window_add_volumes (const OdlWindowParts *parts)
{
  for (size_t i = 0; i < G_N_ELEMENTS (actions); i++)
    odl_window_add_actions (parts, &actions[i].action, 1, (void *) parts);
}

void
odl_window_update_volumes (const OdlWindowParts *parts)
{
  OdlSession *session = parts->session;
  const bool covered = odl_page_covers (parts->page);
  const bool volume = !covered && odl_session_is_volume (session);
  const bool planes = !covered && odl_session_shows_planes (session);
  GAction *slab = g_action_map_lookup_action (G_ACTION_MAP (parts->window), "slab");
  const char *name = odl_slab_names[odl_session_slab (session).kind];
  for (size_t i = 0; i < G_N_ELEMENTS (actions); i++)
    odl_window_enable (parts, actions[i].action.name,
                       actions[i].of_planes ? planes : volume);
  odl_window_set_switch (parts, "planes", odl_session_planes (session));
  g_simple_action_set_state (G_SIMPLE_ACTION (slab), g_variant_new_string (name));
  gtk_widget_set_visible (odl_window_child (parts, "planes"), volume);
  gtk_widget_set_visible (odl_window_child (parts, "planes_options"), planes);
}
