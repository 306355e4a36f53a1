// SPDX-License-Identifier: MIT
// Stands in the place of the picture when a file cannot be opened: its name, the reason,
// and what can be done. Main thread.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define ODL_TYPE_FILE_PAGE (odl_file_page_get_type ())
G_DECLARE_FINAL_TYPE (OdlFilePage, odl_file_page, ODL, FILE_PAGE, GtkWidget)

// Shows the page. `name` is that of the file; `back`: there is a picture to go back to.
void
odl_file_page_show (OdlFilePage *page, const char *name, const GError *error, bool back);

G_END_DECLS
