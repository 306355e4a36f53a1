// SPDX-License-Identifier: MIT
// How the parts of the transport bar lie: in one row where there is room, in two or three
// where there is not. Main thread.
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef struct {
  GtkWidget *buttons;
  GtkWidget *seek; // takes what room there is
  GtkWidget *numbers;
  GtkWidget *modes;
} OdlTransportParts;

// As GtkWidgetClass.measure.
void odl_transport_layout_measure (const OdlTransportParts *parts,
                                   GtkOrientation orientation,
                                   int for_size,
                                   int *minimum,
                                   int *natural);
void
odl_transport_layout_allocate (const OdlTransportParts *parts, int width, bool mirrored);

G_END_DECLS
