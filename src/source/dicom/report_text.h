// SPDX-License-Identifier: MIT
// Structured reports and key object selections (PS3.3 A.35) as text that people read:
// headings, names, values with their units. Any thread; blocks.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

// More than this is not shown, and said so: items of the tree, and how deep they lie.
#define ODL_REPORT_MOST_ITEMS 2000
#define ODL_REPORT_MOST_DEPTH 32

// The SOP class of key objects.
#define ODL_REPORT_KEY_OBJECTS "1.2.840.10008.5.1.4.1.1.88.59"

// Texts are "" where the file says nothing.
typedef struct {
  bool is_keys; // a key object selection
  char *patient, *patient_id, *birth; // of whom it is; "" where names are hidden
  char *study; // its description
  char *title, *date; // "20260102"
  char *completion, *verification; // "COMPLETE", "UNVERIFIED"
  char *text; // lines, two blanks in for each level
  int n_items;
  bool is_partial; // there is more than is shown
  GPtrArray *pictures; // SOP Instance UIDs that it refers to, each once, in their order
  GPtrArray *keys; // the same with their frames (odl_report_key), of key objects
} OdlReport;

void odl_report_free (OdlReport *report);

// Whether a file is one, by its first bytes alone.
bool odl_report_is_file (const char *path);
bool odl_report_is_keys (const char *path); // a key object selection

// `hides_names`: of persons nothing is in the text. References to other items are named,
// never followed, so that a circle has an end. ODL_ERROR_UNSUPPORTED: the file is none;
// errors of the helper.
OdlReport *odl_report_read (const char *path,
                            bool hides_names,
                            GCancellable *cancellable,
                            GError **error);

// From the text of a header (odl_dicom_read_header). NULL: it is none.
OdlReport *odl_report_parse (const char *header, bool hides_names);

// "1.2.3 4" for frame 4, from 1, of that SOP Instance; "1.2.3" for all of it (0).
// Transfer full.
char *odl_report_key (const char *instance, gint64 frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlReport, odl_report_free)
