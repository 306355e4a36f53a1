// SPDX-License-Identifier: MIT
// The application: command line, style, dialogs. Main thread.
#pragma once

#include <adwaita.h>

#define ODL_TYPE_APPLICATION (odl_application_get_type ())
G_DECLARE_FINAL_TYPE (OdlApplication, odl_application, ODL, APPLICATION, AdwApplication)

OdlApplication *odl_application_new (void);

// The whole program. SIGINT, SIGTERM, SIGHUP and the end of the session close the
// windows, which completes recordings; after a signal the program ends by it, so this
// does not return. A second signal does not wait. Gives the exit status.
int odl_application_run (int argc, char **argv);
