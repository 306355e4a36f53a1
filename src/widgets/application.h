// SPDX-License-Identifier: MIT
// The application: command line, style, dialogs. Main thread.
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define ODL_TYPE_APPLICATION (odl_application_get_type ())
G_DECLARE_FINAL_TYPE (OdlApplication, odl_application, ODL, APPLICATION, AdwApplication)

OdlApplication *odl_application_new (void);

G_END_DECLS
