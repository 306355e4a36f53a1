// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/dicom/derived_order.h"

// Of a short text (VR ST).
#define DESCRIPTION_CHARACTERS 1024

void
odl_derived_order_fill (OdlDerivedOrder *order, const OdlDerivedWork *work)
{
  const bool chosen = work->window->mode != ODL_WINDOW_FILE;
  g_autofree char *whole = g_strdup_printf (
      "Ondelette " ODL_VERSION
      ", for research and teaching, not for diagnosis. Recipe: %s; engine %s%s",
      work->filters, work->engine,
      work->in_area && work->has_filters ? "; inside the ultrasound region" : "");

  order->description = g_strndup (whole, DESCRIPTION_CHARACTERS);
  order->recipe = g_strdup (work->recipe);
  order->params = (OdlDerivedParams){
    .compression = work->compression,
    .width = work->picture->extent.x,
    .height = work->picture->extent.y,
    .channels = work->channels,
    .bits = work->bits,
    .is_signed = work->is_signed,
    .first_frame = work->first_frame,
    .n_frames = work->n_frames,
    // Who only removes names has the same picture afterwards.
    .filtered = work->has_filters || !work->deidentify,
    .deidentify = work->deidentify,
    .days = work->deidentify ? work->days : 0,
    .blanked = work->blanked,
    .has_window = chosen || work->picture->value_map.has_window,
    .window_is_chosen = chosen,
    .description = order->description,
    .recipe = order->recipe,
    .secret = work->secret,
  };
  if (order->params.has_window)
    odl_display_window (work->picture, work->window, &order->params.window_centre,
                        &order->params.window_width);
}

void
odl_derived_order_clear (OdlDerivedOrder *order)
{
  g_free (order->description);
  g_free (order->recipe);
}
