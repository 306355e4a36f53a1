// SPDX-License-Identifier: MIT
// Hanging rules: which series of a study lie in which pane, as text files. The program
// brings some along (resources/hanging); those of the user, NAME.txt in the folder
// ondelette/hanging of the user's data, come before them.
//
// A file has a line for each word, and lines that begin with “#” are comments:
//   name: what people read; needed
//   modality: of DICOM, such as CT, or several with commas between them; without it any
//   words: one of these, with commas between them, is in the name of study or series, or
//     in the body part that was examined
//   image type: a word of the series' ImageType, such as LOCALIZER
//   most pictures: how many the series has of them, at most
//   series: how many the study has of the modality, at least
//   hang: last
//     the series that it suits hang behind the others of their study, and are not counted
//     among these; “words” are then those of the series' name alone. Such a rule needs no
//     layout and no pane, and is none of those that follow each other.
//   layout: 1x1, 1x2, 2x1 or 2x2, rows first; needed
//   links: of view, slices, window, time, with blanks between them
//   pane: WHICH; window CENTRE WIDTH; filters PRESET
//     a line for each pane, in order. WHICH is the series “shown”, the “other” one after
//     it, “series” and a number, counted from 1 among those of the modality of the study,
//     “localizer”: one of the study that hangs last, in the frame of reference of what is
//     shown,
//     or “prior”: the series of the same name, else of the same modality, in the latest
//     earlier study of the same person.
// Any thread.
#pragma once

#include "session/browse/studies.h"
#include "session/save/workspace.h"

typedef struct _OdlHanging OdlHanging;

// OdlHanging, the user's first, in the order of the names of their files. `faults`:
// sentences about lines that make no sense, with file and line; their rules are left out.
// Both transfer full. Blocks for a moment.
GPtrArray *odl_hangings_read (GPtrArray **faults);

// Sets `hangs_last` of each OdlSeries of a list as the rules say. Blocks for a moment.
void odl_hanging_judge (GPtrArray *list);

// NULL with an error that names `shown` and the line.
OdlHanging *odl_hanging_parse (const char *text, const char *shown, GError **error);
void odl_hanging_free (OdlHanging *hanging);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlHanging, odl_hanging_free)

// Translated, where the program brings it along. Borrowed.
const char *odl_hanging_name (const OdlHanging *hanging);

// The panes for that series of the list, of OdlSeries in its order. NULL: the rule does
// not suit. Transfer full.
OdlWorkspace *
odl_hanging_lay (const OdlHanging *hanging, const GPtrArray *list, guint shown);
