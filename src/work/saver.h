// SPDX-License-Identifier: MIT
// Writes pictures one after the other to a video or to numbered PNG files. One thread at
// a time, never the main one.
#pragma once

#include "image/image.h"
#include "output/movie/movie.h"

typedef struct _OdlSaver OdlSaver;

// Below the pictures of a video; numbered files keep their size and have texts.
typedef enum {
  ODL_SAVER_STRIP_NONE,
  ODL_SAVER_STRIP_TITLED, // where there is a title
  ODL_SAVER_STRIP_ALWAYS, // since a title may come later, or marks say enough
} OdlSaverStrip;

typedef struct {
  const char *path; // of the video; of numbered files their pattern (output/sequence.h)
  const OdlMovieParams *movie; // NULL: numbered files, which replace none
  int bits; // of a sample of these, 8 or 16; 0: 8 where the input has no more, else 16
  const char *description; // goes into the files; not translated; NULL: see below
  OdlSaverStrip strip;
} OdlSaverParams;

typedef struct {
  OdlImage *shown; // as it is seen, of odl_saver_bits bits; NULL, in a video: as before
  const char *mark; // warning about the frame; may be NULL
  const char *title; // for the strip below a video; NULL: no processing
  const char *const *marks; // of OdlBadgeText; may be NULL
  int64_t index; // from 0; its number, if it gets one, is one more
  int64_t time_ns, duration_ns; // as odl_movie_write has them
} OdlSavedPicture;

// A video is a part until it is whole (output/output.h). ODL_ERROR_IO naming the file,
// ODL_ERROR_UNSUPPORTED where no encoder fits.
OdlSaver *odl_saver_open (const OdlSaverParams *params, GError **error);

// The description of a video, where it is known with the first picture alone: before it.
void odl_saver_describe (OdlSaver *saver, const char *description);

// What people should know of the video (odl_movie_note); NULL: nothing.
const char *odl_saver_note (const OdlSaver *saver);

// Bits a sample of pictures with so many channels: 8 or 16. `deep`: of the picture more
// than 8 are wanted where nothing else was said.
int odl_saver_bits (const OdlSaver *saver, int channels, bool deep);

// As odl_movie_write; for PNG also when a file of that name is there.
bool odl_saver_write (OdlSaver *saver, const OdlSavedPicture *picture, GError **error);

// Bytes written by now.
int64_t odl_saver_bytes (OdlSaver *saver);

// Completes a video, whose errors are those of odl_movie_finish; numbered files are
// there. Frees the saver, as the other one does.
bool odl_saver_finish (OdlSaver *saver, GError **error);

// No video appears; numbered files stay. Accepts NULL.
void odl_saver_abandon (OdlSaver *saver);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlSaver, odl_saver_abandon)
