// SPDX-License-Identifier: MIT
// The layout of the transport bar: one row, or two or three where it is narrow. Main
// thread.
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

typedef struct {
  GtkWidget *buttons;
  GtkWidget *seek; // takes what room there is
  GtkWidget *numbers;
  GtkWidget *modes;
  int spare; // pixels that rows leave for the numbers beside what these take now
} OdlTransportParts;

// As GtkWidgetClass.measure.
void odl_transport_layout_measure (const OdlTransportParts *parts,
                                   GtkOrientation orientation,
                                   int for_size,
                                   int *minimum,
                                   int *natural);
void
odl_transport_layout_allocate (const OdlTransportParts *parts, int width, bool mirrored);
