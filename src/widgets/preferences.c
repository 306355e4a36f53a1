// SPDX-License-Identifier: MIT
#include "widgets/preferences.h"

#include "widgets/units.h"

// What cannot be read any more counts as none.
static void
apply_screen (OdlSettings *settings, OdlViewport *viewport)
{
  g_autofree char *text = odl_settings_get_string (settings, ODL_PREFERENCE_SCREEN);
  OdlMonitor screen;
  const bool measured = *text && odl_monitor_parse (&screen, text, NULL);
  if (measured || odl_viewport_screen (viewport))
    odl_viewport_set_screen (viewport, measured ? &screen : NULL);
}

void
odl_preferences_apply (OdlSettings *settings, OdlSession *session, OdlViewport *viewport)
{
  odl_viewport_set_keeps_view (
      viewport, odl_settings_get_boolean (settings, ODL_PREFERENCE_KEEPS_VIEW));
  g_autofree char *mouse = odl_settings_get_string (settings, ODL_PREFERENCE_MOUSE);
  odl_viewport_set_mouse (viewport, mouse);
  odl_session_set_stores_annotations (
      session, odl_settings_get_boolean (settings, ODL_PREFERENCE_MEASURED));
  odl_session_set_keeps_to_regions (session, true);
  g_autofree char *unit = odl_settings_get_string (settings, ODL_PREFERENCE_UNIT);
  odl_units_set (session, odl_unit_from_key (unit));
  apply_screen (settings, viewport);
  const int mb = CLAMP (odl_settings_get_int (settings, ODL_PREFERENCE_CACHE), 0,
                        ODL_PREFERENCE_MOST_MB);
  odl_playback_set_cache_bytes (odl_session_playback (session),
                                mb > 0 ? (size_t) mb * ODL_PREFERENCE_MB
                                       : odl_playback_default_cache_bytes ());
  odl_playback_set_default_rate (odl_session_playback (session),
                                 odl_settings_get_int (settings, ODL_PREFERENCE_RATE));
  odl_session_set_sandbox_optional (
      odl_settings_get_boolean (settings, ODL_PREFERENCE_SANDBOX));
}
