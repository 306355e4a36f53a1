// SPDX-License-Identifier: MIT
// What a window is getting from a DICOM node: it is shown as it comes, first one picture,
// then its series as far as it is there, and the list of all series. Ends with the
// window. Main thread. Signals: changed (), shown () when the first picture is on screen.
#pragma once

#include "session/archive/fetch.h"
#include "widgets/window/window.h"

#define ODL_TYPE_ARRIVALS (odl_arrivals_get_type ())
G_DECLARE_FINAL_TYPE (OdlArrivals, odl_arrivals, ODL, ARRIVALS, GObject)

// Those of a window. Borrowed.
OdlArrivals *odl_arrivals_of (const OdlWindowParts *parts);

// `series`: "" for all of the study; `expected`: how many pictures the node says there
// are; 0: it does not say. False: `error` says why it cannot begin, as while another one
// is under way.
bool odl_arrivals_start (OdlArrivals *self,
                         const OdlArchiveNode *node,
                         const char *study,
                         const char *series,
                         guint expected,
                         GError **error);
// How many bytes the spool may have with what is got from now on, instead of
// ODL_SPOOL_MOST_BYTES.
void odl_arrivals_set_most (OdlArrivals *self, guint64 most_bytes);
// What came stays.
void odl_arrivals_cancel (OdlArrivals *self);

bool odl_arrivals_are_under_way (const OdlArrivals *self);
// What is to be said of them now, or at their end; "": there were none. Borrowed until
// the next change.
const char *odl_arrivals_text (const OdlArrivals *self);
// The share that is there; −1: not known.
double odl_arrivals_share (const OdlArrivals *self);
