// SPDX-License-Identifier: MIT
// Says over the dimmed canvas why a camera shows nothing, and what helps. Main thread.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define ODL_TYPE_CAMERA_PAGE (odl_camera_page_get_type ())
G_DECLARE_FINAL_TYPE (OdlCameraPage, odl_camera_page, ODL, CAMERA_PAGE, GtkWidget)

// Shows the page for an error of ODL_ERROR; `lost`: of the camera that runs.
void odl_camera_page_show (OdlCameraPage *page, const GError *error, bool lost);

// The title on the page, for tests.
const char *odl_camera_page_title (OdlCameraPage *page);

G_END_DECLS
