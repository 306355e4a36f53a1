// SPDX-License-Identifier: MIT
// The desktop program's entry.
#include "base/language.h"
#include "base/memory.h"
#include "widgets/application.h"

int
main (int argc, char **argv)
{
  odl_memory_share_heaps ();
  odl_language_init ();
  return odl_application_run (argc, argv);
}
