// SPDX-License-Identifier: MIT
// The desktop program's entry.
#include "base/language.h"
#include "widgets/application.h"

int
main (int argc, char **argv)
{
  odl_language_init ();
  g_autoptr (OdlApplication) application = odl_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
