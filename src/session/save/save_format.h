// SPDX-License-Identifier: MIT
// What a recording or an export is written as: a video of some codec and quality,
// numbered PNG files, or, of exports alone, a volume.
#pragma once

#include "output/movie/codec.h"
#include "output/volume_file.h"
#include "work/saver.h"

typedef struct {
  bool numbered; // PNG; the rest does not matter then, but `bits`
  int bits; // of a sample of these, 8 or 16; 0: 8 where the input has no more, else 16
  const char *codec; // name of a row of the codecs; NULL: the best for the quality
  OdlQuality quality;
  OdlContainer container;
  OdlVolumeFormat volume; // if there is one, nothing before matters
  bool packed; // NIfTI
} OdlSaveFormat;

// As settings keep it: "png", "png:16", "high", "small:vp9", "high:h264:mp4", "nii.gz", …
// NULL and unknown words mean the best video of high quality. Any thread.
OdlSaveFormat odl_save_format_from_text (const char *text);
char *odl_save_format_to_text (const OdlSaveFormat *format); // transfer full

// What this computer can write, each codec once for each quality, in order of preference,
// PNG last: elements are OdlSaveFormat. Starts GStreamer, which may take seconds: not on
// the main thread.
GArray *odl_save_formats_list (void);

// Appends those for values of volumes.
void odl_save_formats_add_volumes (GArray *list);

// Display name: "H.264 video, best quality". Translated, transfer full. Any thread.
char *odl_save_format_title (const OdlSaveFormat *format);

// The path to write to if the user chose `path`. The extension .mkv or .mp4 determines
// the container of a video and is appended if missing. A name with .png becomes a pattern
// for numbers and sets *format to numbered files; for a numbered format any name becomes
// such a pattern. A name with .nii, .nii.gz, .mha or .tif sets *format to that volume.
// Transfer full. Any thread.
char *odl_save_format_fit (OdlSaveFormat *format, const char *path);

// With which its names end: ".mkv".
const char *odl_save_format_ending (const OdlSaveFormat *format);

// The file name of such a path for display; of numbered files that of frame `first`,
// counted from 1. Transfer full. Any thread.
char *odl_save_format_name (const char *path, int64_t first);

// A saver for a video or numbered files of such a path. `movie` has what the format does
// not say: rate, colorimetry, replace. A video survives that the program is killed
// (session/save/rescue.h). Errors of odl_saver_open and odl_codec_find; any thread but
// the main one.
OdlSaver *odl_save_format_open (const OdlSaveFormat *format,
                                const char *path,
                                const char *description,
                                const OdlMovieParams *movie,
                                OdlSaverStrip strip,
                                GError **error);
