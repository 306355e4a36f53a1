// SPDX-License-Identifier: MIT
// A drop-down of the wavelets, grouped by family; its `selected` is an index into the
// wavelet table. Typing in the open list searches the labels.
#pragma once

#include <gtk/gtk.h>

GtkWidget *odl_wavelet_chooser_new (void);
