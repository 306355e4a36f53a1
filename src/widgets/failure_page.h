// SPDX-License-Identifier: MIT
// The page shown instead of the picture, or over the last one, when a file or a camera
// fails: its name, the reason, and advice. Main thread.
#pragma once

#include <gtk/gtk.h>

#define ODL_TYPE_FAILURE_PAGE (odl_failure_page_get_type ())
G_DECLARE_FINAL_TYPE (OdlFailurePage, odl_failure_page, ODL, FAILURE_PAGE, GtkWidget)

typedef enum {
  ODL_FAILURE_FILE,
  ODL_FAILURE_NO_PICTURE, // a sound file that says something of others
  ODL_FAILURE_CAMERA,
  ODL_FAILURE_LOST, // the camera that runs, whose last picture stays to be seen
} OdlFailureKind;

// Shows the page for an error of ODL_ERROR, whose message is the reason. `name` is that
// of the file, NULL for a camera; `back`: there is a picture to go back to.
void odl_failure_page_show (OdlFailurePage *page,
                            OdlFailureKind kind,
                            const char *name,
                            const GError *error,
                            bool back);

// Below that what the file says, as lines; NULL: nothing.
void odl_failure_page_set_words (OdlFailurePage *page, const char *words);

// In the place of reason and advice: the arrays of a file, of which one is to be chosen,
// each followed by what it is. “win.open-array” is called with the name of one. NULL: no
// choice.
void odl_failure_page_set_arrays (OdlFailurePage *page, const char *const *arrays);

// The large words on the page, for tests.
const char *odl_failure_page_title (OdlFailurePage *page);
