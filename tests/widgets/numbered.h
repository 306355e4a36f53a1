// SPDX-License-Identifier: MIT
// Numbered PNG files of a folder, START-00000.png and so on, against each other.
#pragma once

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdbool.h>

G_BEGIN_DECLS

// The picture of frame `number`, from 0, whose file counts from 1. NULL: there is none,
// or it is no picture.
GdkPixbuf *numbered_picture (const char *folder, const char *start, int number);

// Sample by sample.
bool numbered_is_same (GdkPixbuf *one, GdkPixbuf *other);

// Which of the first `n` files it equals. −1: none; then a message says how far it is
// apart from each.
int numbered_find (const char *folder, const char *start, int n, GdkPixbuf *picture);

G_END_DECLS
