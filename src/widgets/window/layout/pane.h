// SPDX-License-Identifier: MIT
// A pane of the window: a picture with a source, filters, view, grey levels and engine of
// its own, its filter panel, and the page that tells why its file cannot be opened. Main
// thread.
#pragma once

#include "widgets/failure_page.h"
#include "widgets/panels/filter_panel.h"
#include "widgets/window/window.h"

typedef struct _OdlPage OdlPage;

typedef struct {
  const OdlWindowParts *parts;
  GtkWidget *widget; // of the grid
  OdlSession *session; // NULL when the window is disposed
  OdlViewport *viewport;
  OdlFilterPanel *filter_panel; // in the stack of them
  OdlFailurePage *failure;
  OdlPage *page;
  GtkWidget *hint; // of an empty pane among others
  GtkWidget *edge; // about the active one
  GtkLabel *note; // how the slice is linked
  GtkWidget *stranger; // another patient
  bool plays_on; // when it is seen again
  struct _OdlLinks *links; // of links.c, which sets it, as what follows
  guint64 linked_serial; // of the source that links knew last
} OdlPane;

// Adds it to the window; `like` (NULL: none) lends it engine and what is shown over the
// picture. Freed by odl_pane_free, after odl_pane_remove or the window's end.
OdlPane *odl_pane_new (const OdlWindowParts *parts, const OdlPane *like);
void odl_pane_remove (OdlPane *pane);
void odl_pane_free (OdlPane *pane);

// Its source, and its name as the window shows it; NULL: it is empty. Transfer full.
bool odl_pane_is_empty (const OdlPane *pane);
char *odl_pane_name (const OdlPane *pane);

// Says in the corner how its slice is linked; NULL: nothing. That the pane is of another
// patient than the active one stands above.
void odl_pane_set_note (OdlPane *pane, const char *text);
void odl_pane_set_stranger (OdlPane *pane, bool stranger);
