// SPDX-License-Identifier: MIT
// The page in the place of the picture of a pane that tells why a file or a camera cannot
// be opened. Title, list and actions are then those of the page. Main thread.
#pragma once

#include "widgets/failure_page.h"
#include "widgets/window/layout/pane.h"

OdlPage *odl_page_new (const OdlPane *pane);
void odl_page_free (OdlPage *page);
// For the page of the active pane.
void odl_page_add_actions (const OdlWindowParts *parts);

// Tells list, panels, title and actions of it, when its pane has become the active one.
void odl_page_tell (OdlPage *page);

void odl_page_show (OdlPage *page,
                    OdlFailureKind kind,
                    const char *location,
                    const GError *error);

// Back to the picture, if there is one. `goes_on`: it plays again if it did before the
// page covered it; false when another source has come.
void odl_page_close (OdlPage *page, bool goes_on);

// Hides the name on it, or shows it again.
void odl_page_names_changed (OdlPage *page);
bool odl_page_is_open (const OdlPage *page);

// The page covers the picture. Not while it tells of a lost camera, whose last picture
// stays visible.
bool odl_page_covers (const OdlPage *page);
bool odl_page_tells_of_loss (const OdlPage *page);

// The words for the title while the page covers the picture; NULL: it does not. Transfer
// full.
char *odl_page_title (const OdlPage *page);
const char *odl_page_subtitle (const OdlPage *page); // what it is about, in short

// The invitation of an empty window is visible while there is nothing else.
void odl_page_update_invitation (OdlPage *page, bool hidden);
