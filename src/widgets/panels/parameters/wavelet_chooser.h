// SPDX-License-Identifier: MIT
// A drop-down of the wavelets, grouped by family; its `selected` is an index into the
// wavelet table. Typing in the open list searches the labels.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *odl_wavelet_chooser_new (void);

G_END_DECLS
