// SPDX-License-Identifier: MIT
#include "image/display/marks.h"

#include <glib/gi18n-lib.h>

void
odl_display_add_marks (const OdlImageInfo *info,
                       const OdlWindow *window,
                       GStrvBuilder *marks)
{
  if (info->mark != NULL) {
    g_autofree char *upper = g_utf8_strup (info->mark, -1);
    g_strv_builder_add (marks, upper);
  }
  if (window->invert)
    g_strv_builder_add (marks, _ ("INVERTED"));
  if (info->overlay != NULL && window->hide_overlay)
    g_strv_builder_add (marks, _ ("OVERLAYS HIDDEN"));
  if (info->shutter != NULL && window->hide_overlay)
    g_strv_builder_add (marks, _ ("SHUTTER HIDDEN"));
  if (info->value_map.curve != NULL && window->mode != ODL_WINDOW_FILE)
    g_strv_builder_add (marks, _ ("NOT THE FILE'S GREY LEVELS"));
}
