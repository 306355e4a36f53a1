// SPDX-License-Identifier: MIT
// ondelette-cli: everything that the window does, without a window.
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

#include "base/language.h"
#include "cli/verb.h"
#include "engine/environment.h"
#include "source/helper/process.h"
#include "work/python.h"

static const OdlVerb *const verbs[] = {
  &odl_verb_process, &odl_verb_info,    &odl_verb_list,   &odl_verb_compare,
  &odl_verb_measure, &odl_verb_sweep,   &odl_verb_merge,  &odl_verb_optimise,
  &odl_verb_bench,   &odl_verb_node,    &odl_verb_send,   &odl_verb_find,
  &odl_verb_get,     &odl_verb_neutral, &odl_verb_verify, &odl_verb_help,
};

static void
print_help (void)
{
  g_print (_ ("Usage: %s VERB …\n\nFilters pictures and DICOM files with wavelets.\n\n"),
           "ondelette-cli");
  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    g_print ("  %s %s\n      %s\n", verbs[i]->name,
             *verbs[i]->arguments != '\0' ? _ (verbs[i]->arguments) : "",
             _ (verbs[i]->summary));
  g_print ("\n  --help\n      %s\n  --version\n      %s\n\n%s\n",
           _ ("This help; VERB --help for the options of a verb."), _ ("The version."),
           _ ("Research and teaching. Not for diagnostic use."));
}

// Who waits at a terminal is told what for.
static void
tell_idle_cb (void)
{
  odl_report_note (NULL, _ ("the decoder is waiting for a file, a disk or a network; it "
                            "goes on when they answer, or end it with Ctrl+C"));
}

// Output that could not be written is a failure, too.
static int
finish (int status, int failed)
{
  if (fflush (stdout) == 0 && ferror (stdout) == 0)
    return status;
  odl_report_usage (_ ("Standard output cannot be written. Send it to another place."));
  return failed;
}

int
main (int argc, char **argv)
{
  odl_language_init ();
  // The driver loader prints its attempts on the terminal; the program reports failures
  // itself.
  if (g_getenv ("ODL_DEBUG") == NULL)
    g_setenv ("EGL_LOG_LEVEL", "fatal", FALSE);
  g_set_prgname ("ondelette-cli");

  const char *word = argc > 1 ? argv[1] : "";
  if (g_str_equal (word, "--help") || g_str_equal (word, "-h")
      || (g_str_equal (word, "help") && argc == 2)) {
    print_help ();
    return finish (ODL_EXIT_DONE, ODL_EXIT_FAILED);
  }
  if (g_str_equal (word, "--version")) {
    g_print ("ondelette-cli %s\n", ODL_VERSION);
    return finish (ODL_EXIT_DONE, ODL_EXIT_FAILED);
  }
  odl_helper_process_tell_idle (tell_idle_cb);
  odl_python_offer ();
  odl_report_unpacking (false);
  g_autoptr (GError) error = NULL;
  if (!odl_environment_check (&error)) {
    odl_report_error (NULL, error);
    return odl_report_status (error);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (g_str_equal (word, verbs[i]->name))
      return finish (verbs[i]->run (argc - 1, argv + 1),
                     verbs[i]->failed != 0 ? verbs[i]->failed : ODL_EXIT_FAILED);

  if (argc > 1)
    odl_report_usage (_ ("“%s” is no verb. “ondelette-cli --help” lists them."), word);
  else
    odl_report_usage (_ ("Say what to do. “ondelette-cli --help” lists the verbs."));
  return ODL_EXIT_USAGE;
}
