// SPDX-License-Identifier: MIT
// What one half of the lab pane is about: a filter of the recipe in force, or of the one
// that it is compared with. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"
#include "widgets/panels/filter_chain.h"
#include "widgets/window/window.h"

typedef struct {
  const OdlWindowParts *parts;
  OdlSession *session;
  OdlFilterChain *chain; // with the cards of the recipe in force
  bool other; // the recipe that the one in force is compared with
  int item; // of the recipe; −1: no filter in particular
} OdlLabSide;

// What a page shows, as comma-separated values with decimal points: a line for each
// point of a curve, or bar.
typedef struct {
  GString *text;
  const char *filters; // “A” or “B”; "": there is one recipe
  const char *filter; // by its name in recipes; "": none in particular
} OdlLabTable;

// Begins a line, with the filter; the cells that follow are those of the page's columns.
void odl_lab_table_begin (OdlLabTable *table);
void odl_lab_table_add (OdlLabTable *table, double value);
void odl_lab_table_add_word (OdlLabTable *table, const char *word); // no comma in it

// A page of the pane. Each is a row in a file of its own, and is named in the table in
// lab_pane.c.
typedef struct {
  const char *name; // in settings and actions: "histograms"
  const char *title; // N_ ()
  // What to do, where no filter of a recipe has anything to show; N_ ().
  const char *nothing;
  // Whether that filter has. NULL: the page is about all of the picture.
  bool (*suits) (const OdlRecipe *recipe, int item);
  // A widget that follows its side by itself, but for another filter, or another number
  // of levels, for which a new one is made. It works only while it is mapped.
  GtkWidget *(*make) (const OdlLabSide *side);
  bool is_whole; // one for both recipes
  // Of the table that can be saved, and what fills it in from a widget that was made.
  const char *columns;
  void (*add_rows) (GtkWidget *widget, OdlLabTable *table);
} OdlLabPage;

extern const OdlLabPage odl_lab_bands, odl_lab_histograms, odl_lab_curves,
    odl_lab_grey_levels, odl_lab_wavelet, odl_lab_metrics;

// References what a copy needs, and gives it up.
void odl_lab_side_hold (OdlLabSide *side);
void odl_lab_side_release (OdlLabSide *side);

// Borrowed, until something changes; where nothing is compared the one in force.
const OdlRecipe *odl_lab_side_recipe (const OdlLabSide *side);

// The frame on its way to the screen, if it was made by a recipe with that filter; NULL:
// none was yet. Borrowed.
OdlFrame *odl_lab_side_frame (const OdlLabSide *side);

// Levels of the transform that the filter works in; 0: none, or there is no such filter.
int odl_lab_side_levels (const OdlLabSide *side);

// Which slices of a volume numbers are of, for people; "" where `n` is 0. `first` counts
// from 0. Transfer full.
char *odl_lab_side_slices (int first, int n, int all);

// The recipe as plans take it: filters inside a transform have its wavelet and levels.
OdlRecipe odl_lab_side_shared (const OdlLabSide *side);

// Calls `update` with `widget` when the recipe of either side has changed, or a frame has
// come, as long as the widget is there.
void odl_lab_side_follow (const OdlLabSide *side,
                          GtkWidget *widget,
                          void (*update) (GtkWidget *widget));
