// SPDX-License-Identifier: MIT
// ondelette-python: enters the sandbox and becomes the system's Python, which runs code
// of the user's own (protocol.h). Its own code is bootstrap.py.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/helper.h"
#include "decoder/sandbox.h"
#include "python/protocol.h"
#include "python/sandbox.h"
#include "python_bootstrap.h"

#define INTERPRETER "/usr/bin/python3"

// Nothing of the user's: no folder of his, one thread, the same order of sets each time.
static char *const environment[] = {
  (char *) "LANG=C.UTF-8",       (char *) "LC_ALL=C.UTF-8",
  (char *) "OMP_NUM_THREADS=1",  (char *) "OPENBLAS_NUM_THREADS=1",
  (char *) "MKL_NUM_THREADS=1",  (char *) "PYTHONHASHSEED=0",
  (char *) "PYTHONNOUSERSITE=1", (char *) "PYTHONDONTWRITEBYTECODE=1",
  (char *) "PYTHONSAFEPATH=1",   NULL,
};

static int
refuse (OdlPythonEnd end, const char *reason)
{
  OdlPythonAnswer told = { .magic = ODL_PYTHON_MAGIC, .end = end };
  const OdlMessage message = { .parts = { { &told, sizeof told } } };

  snprintf (told.reason, sizeof told.reason, "%s", reason);
  odl_message_send (ODL_HELPER_SOCKET_FD, &message, 0);
  return 0;
}

int
main (int argc, char **argv)
{
  const unsigned long long memory = argc == 2 ? strtoull (argv[1], NULL, 10) : 0;

  if (memory == 0) {
    fprintf (stderr,
             "ondelette-python is started by Ondelette; it is of no use alone.\n");
    return 2;
  }
  if (!odl_sandbox_die_with_parent (ODL_HELPER_LIFE_FD))
    return 2;
  char *interpreter = realpath (INTERPRETER, NULL);
  if (interpreter == NULL || access (interpreter, X_OK) != 0)
    return refuse (ODL_PYTHON_NO_INTERPRETER, INTERPRETER);
  char *const words[]
      = { interpreter, (char *) "-s", (char *) "-c", (char *) python_bootstrap, NULL };
  const char *lack = odl_python_sandbox_enter (interpreter, memory);
  if (lack != NULL)
    return refuse (ODL_PYTHON_NO_SANDBOX, lack);
  execve (interpreter, words, environment);
  return refuse (ODL_PYTHON_NO_INTERPRETER, INTERPRETER);
}
