// SPDX-License-Identifier: MIT
// DICOM nodes beside the real window: DCMTK's dcmqrscp, Orthanc, and nodes that do what
// none should; what lies there, and the windows that ask them.
#pragma once

#include "support/support.h"

#include "session/archive/found.h"

typedef struct {
  GSubprocess *process;
  guint port;
  char *storage; // of an archive
  char *keys; // folder of certificates and their keys; NULL: without TLS
} Node;

typedef struct {
  const char *name, *number, *birth, *study, *date, *text;
} Patient;

extern const Patient erika, erika_before, otto, stranger;

// The window that has this data shows these words.
typedef struct {
  GtkWidget *(*window) (void);
  const char *words;
} Words;

#define wait_for(fixture, window, words) \
  wait_until (fixture, tells, (&(Words){ window, words }))

// dcmqrscp in the folder of the test, on a port of its own.
Node start_archive (Fixture *fixture);
Node start_archive_at (Fixture *fixture, guint port);
// Debian's Orthanc; `plugin` NULL: without any.
Node start_orthanc (Fixture *fixture, const char *plugin);
// With TLS: `keys` has node.pem, ours.pem (who vouches), client.pem, and others.pem (who
// vouches for nobody here), each with its key. False, and the case is skipped: something
// of it is not installed.
bool start_orthanc_encrypted (Fixture *fixture, Node *node);
Node start_rogue (const char *kind, const char *n);
void end_node (Node *node);
// The only one of the preferences.
void name_node (Fixture *fixture, const Node *node);
void
name_node_as (Fixture *fixture, const Node *node, const char *name, const char *host);
// One of `series`, at that place. Transfer full.
char *write_slice_of (Fixture *fixture, const Patient *patient, int series, int place);
// All slices of a series into the archive, by DCMTK.
void put_series (Fixture *fixture,
                 const Node *node,
                 const Patient *patient,
                 int series,
                 int n);
int count_files (const char *folder);
GtkWidget *window_with (const char *key);
GtkWidget *finder (void);
GtkWidget *sender (void);
// A condition of find_where for buttons.
bool has_tooltip (GtkWidget *widget, const void *text);
GtkWidget *button (GtkWidget *window, const char *label);
void click (GtkWidget *window, const char *label);
bool tells (Fixture *fixture, const void *data);
GListModel *studies (void);
GListModel *series (void);
bool has_studies (Fixture *fixture, const void *n);
bool has_series (Fixture *fixture, const void *n);
const char *value_at (GListModel *model, guint at, OdlKey key);
// The list is sorted while there is nothing else to do.
void wait_for_study (Fixture *fixture, guint at, const Patient *patient);
void open_finder (Fixture *fixture);
// A key that the window takes before its widgets.
void press_in (GtkWidget *window, guint key);
void answer (Fixture *fixture, const char *words, const char *response);
bool shows_stack (Fixture *fixture, const void *n);
// What is needed beside the program.
bool has_archive_tools (void);
// No case finds the nodes of another one.
void archives_set_up (Fixture *fixture, const void *data);
