// SPDX-License-Identifier: MIT
// The verbs of ondelette-cli: one const row each, listed in main.c.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "filter/filter.h"

// Exit status of the program.
enum {
  ODL_EXIT_DONE = 0,
  ODL_EXIT_FAILED = 1, // a file, memory or a driver failed
  ODL_EXIT_USAGE = 2, // what was typed does not parse
  ODL_EXIT_DAMAGED = 3, // done, but frames could not be read and are marked
  ODL_EXIT_QUEUED = 4, // not done yet; what is left waits in a queue
};

typedef struct {
  const char *name;
  const char *arguments; // "INPUT… -o OUT", for the usage line
  const char *summary; // translatable, one line
  int failed; // exit status when standard output fails; 0: ODL_EXIT_FAILED
  // argv[0] is the verb. Returns the exit status.
  int (*run) (int argc, char **argv);
} OdlVerb;

extern const OdlVerb odl_verb_process;
extern const OdlVerb odl_verb_info;
extern const OdlVerb odl_verb_list;
extern const OdlVerb odl_verb_compare;
extern const OdlVerb odl_verb_measure;
extern const OdlVerb odl_verb_sweep;
extern const OdlVerb odl_verb_optimise;
extern const OdlVerb odl_verb_merge;
extern const OdlVerb odl_verb_bench;
extern const OdlVerb odl_verb_node;
extern const OdlVerb odl_verb_send;
extern const OdlVerb odl_verb_find;
extern const OdlVerb odl_verb_get;
extern const OdlVerb odl_verb_verify;

// Parses a verb's options as GOption does, and -j1 as -j 1; --help prints and exits.
// `description` (translated, may be NULL) follows the options in the help. On failure
// says what is wrong and returns false: the caller returns ODL_EXIT_USAGE.
bool odl_verb_parse (const OdlVerb *verb,
                     const GOptionEntry *entries,
                     const char *description,
                     int argc,
                     char **argv);

// Lines on standard error. `file` (may be NULL) is put before the message, once: if the
// message begins with it, it stays as it is.
void odl_report_error (const char *file, const GError *error);
void odl_report_usage (const char *format, ...) G_GNUC_PRINTF (1, 2);
void odl_report_note (const char *file, const char *message);

// Tells from now on how far files are that are unpacked before they can be read
// (odl_unpacking_tell): in lines for programs, else on a terminal, whose line is cleared
// at the end. One file at a time.
void odl_report_unpacking (bool for_programs);

// Text for standard error as it is.
void odl_report_text (const char *text);

// From now on, appends the reports of the calling thread to `text`; NULL: prints them.
void odl_report_hold (GString *text);

// Exit status that belongs to an error.
int odl_report_status (const GError *error);

// The verb that shows that neutral settings change nothing.

extern const OdlVerb odl_verb_neutral;

// The verb that tells what a filter does, or about a topic.

extern const OdlVerb odl_verb_help;

// Prints the row of a filter and those of its parameters, as `list filters` does
// (verb_list.c).
void odl_list_filter (const OdlFilter *filter);
