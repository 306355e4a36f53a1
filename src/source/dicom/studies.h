// SPDX-License-Identifier: MIT
// The DICOM pictures of a folder, with those below it, or of a disc (DICOMDIR), as a list
// of series. What belongs together is said by the pictures themselves: of the disc's
// table only the names of files are taken.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

// What a row of the list is: pictures, or what says something of them.
typedef enum {
  ODL_SERIES_PICTURES,
  ODL_SERIES_SEGMENTS, // a segmentation
  ODL_SERIES_STRUCTURES, // a structure set
  ODL_SERIES_KEYS, // key objects
  ODL_SERIES_REPORT,
} OdlSeriesKind;

// Those of one person, study and series in one folder that can be shown as a stack; a
// cine is one by itself, and so is each object that is no picture. Texts are "" where the
// files say nothing.
typedef struct {
  OdlSeriesKind kind;
  char *title; // of an object
  int n_parts; // of an object: segments, structures, or pictures that it names
  char *space; // frame of reference
  char *of; // the series that an object is about, as far as it says
  GPtrArray *instances; // SOP Instance UIDs of its pictures; of key objects what they
                        // name (odl_report_key); NULL: of other objects
  GPtrArray *files; // of these pictures, in the same order; NULL: of objects
  char *person; // tells whether two are of the same one, not who that is
  char *patient, *patient_id, *birth;
  char *names; // of the patient in the list, in all spellings: "MULLER, A / Müller, A"
  char *study_uid, *study, *study_date;
  char *series_uid, *series, *number, *modality;
  char *body_part; // that was examined, as DICOM names it (CHEST)
  char *image_type; // what all its pictures are, with strokes between the words
                    // ("ORIGINAL\\PRIMARY\\LOCALIZER")
  bool hangs_last; // behind the others of its study, as hanging rules say
  char *path; // of its first picture
  char *location; // to be opened
  int n_pictures;
  int n_frames; // of a cine; else 1
  int n_keys; // key pictures among them; 0 until somebody counts them
} OdlSeries;

// What is known of a folder or disc of which more is read.
typedef struct {
  GPtrArray *list; // as that of odl_studies_read; transfer full
  guint n_files; // that were read
  bool whole; // told for the first time, and all files of the folder of the first series
              // were read
} OdlStudiesSoFar;

typedef struct {
  // Sets `hangs_last` of each of the list; in the thread that reads. NULL: of none.
  void (*judge) (GPtrArray *list);
  // Called in the thread that reads: when the first folder with pictures was read, or as
  // many of its files as take a moment, then whenever a quarter more is known; not when
  // all is.
  void (*tell) (const OdlStudiesSoFar *so_far, void *data);
  void *data;
} OdlStudiesTelling;

// OdlSeries by patient, study, number and name. Blocks: about half a millisecond for
// each file. Folders are read in the order of their names; where somebody waits for the
// first series, a file of each tells which one holds the newest study of the person that
// comes first, and pictures that do not hang last: that one is read before the others.
// `telling`: whoever wants to know what is there before all was read; NULL: nobody.
// `note` tells, as a sentence, of pictures that a DICOMDIR names and that are absent, lie
// elsewhere or are links; NULL: none; transfer full, also on failure. Errors:
// ODL_ERROR_IO, ODL_ERROR_CANCELLED, those of reading a DICOMDIR. Any thread.
GPtrArray *odl_studies_read (const char *path,
                             const OdlStudiesTelling *telling,
                             char **note,
                             GCancellable *cancellable,
                             GError **error);

// The series of pictures that an object is about: the one that it names, else the longest
// of its person in its frame of reference. NULL: the list has none. Borrowed.
const OdlSeries *odl_studies_pictures_of (const GPtrArray *list, const OdlSeries *object);

// The series that hangs first: of the first study with pictures the first one that does
// not hang last, if there is one. `person`: of that one alone; NULL: of anybody. NULL:
// there are no pictures. Borrowed.
const OdlSeries *odl_studies_first (const GPtrArray *list, const char *person);

// The series that has the picture with that SOP Instance UID, and its file. NULL: the
// list has none. Borrowed.
const OdlSeries *
odl_studies_with (const GPtrArray *list, const char *instance, const char **file);

// Whether a file is DICOM, by how it begins. Blocks for as long as a few hundred bytes
// take to be read. Any thread.
bool odl_studies_is_dicom (const char *path);

// Whether a file is the table of a disc, by its name.
bool odl_studies_is_table (const char *path);
