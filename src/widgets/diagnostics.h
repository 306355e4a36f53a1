// SPDX-License-Identifier: MIT
// Pure functions that format numbers and states as text. All results are translated,
// UTF-8 and transfer full. Any thread.
#pragma once

#include "engine/choice.h"
#include "filter/recipe.h"
#include "image/display/gsdf.h"

typedef struct {
  const char *processor; // its model, where there is no graphics processor; else NULL
  const char *renderer; // may be NULL
  const char *engine;
  bool gpu; // the time is the GPU's
  int width;
  int height;
  int levels; // 0: no transform
  double frames_per_second; // 0: a still
  bool fast; // as many as possible
  guint64 dropped;
  int64_t time_ns; // 0: unknown
  size_t cached_bytes; // frames in memory
  int64_t latency_us; // from a frame's arrival to its display; 0: unknown
} OdlDiagnostics;

// "Intel Xeon Gold 6130 · llvmpipe · cpu · 512 × 512 · 3 levels · 25 fps · CPU 1.2 ms"
char *odl_diagnostics_line (const OdlDiagnostics *diagnostics);

// "not calibrated (no GSDF) …" (NULL), or "calibrated (GSDF, 26 November 2026), 0.4 to
// 350 cd/m²".
char *odl_diagnostics_screen (const OdlMonitor *screen);

// "1.25 ms"
char *odl_diagnostics_ms (double ms);

// The engine in use and, if it is another, the requested one: "cpu in place of
// gl-lookup".
char *odl_diagnostics_engine (OdlEngineChoice used, OdlEngineChoice asked);

// "Measured on 2026-11-21 05:12", or why there is no measurement. `ranking` may be NULL.
char *odl_diagnostics_measured (const OdlRanking *ranking, bool measuring);

// A number with at most seven significant digits, without exponent, with the decimal
// separator of the locale: "0.1234".
char *odl_diagnostics_number (double value);

// Parses all of `text` as a number, with a point or the decimal separator of the locale
// and with blanks around it. *value may be infinite, as for "1e400".
bool odl_diagnostics_read_number (const char *text, double *value);

typedef struct {
  double least, most;
  bool whole; // without a fraction
} OdlNumberRange;

// Parses a typed number that replaces *value. NULL: *value is the new number; else *value
// is unchanged and the result says why: "“abc” is not a number; 0.05 stays."
char *odl_diagnostics_take_number (const char *text,
                                   const OdlNumberRange *range,
                                   double *value);

// "C 40 · W 400 HU", with numbers as odl_diagnostics_number formats them.
char *odl_diagnostics_window (double centre, double width, const char *unit);

// Likewise for grey levels that are not those of a linear window: from a table of the
// file, which `window` approximates, or from a sigmoid.
char *odl_diagnostics_levels (const char *window, bool table, bool sigmoid);

// "125 %"; "1:1" for exactly one.
char *odl_diagnostics_zoom (double zoom);

// "Frame 12/64", or "Slice 12/64" of a volume; "Frame 12" where `n_frames` is 0, which
// means unknown. `index` counts from 0.
char *odl_diagnostics_frame (int64_t index, int64_t n_frames, bool slice);

// "Im 40 (21/60)": the number that the file of a picture has in its series, and where it
// stands among those shown, from 1; "Im 40" where that is 0.
char *odl_diagnostics_instance (const char *instance, int64_t number, int n);

// "Volume 3/20". `index` counts from 0.
char *odl_diagnostics_volume (int64_t index, int64_t n_volumes);

// "0:00.48 / 0:02.56"; from a minute on without fractions: "1:07 / 12:30". `length_s` 0:
// unknown, and left out.
char *odl_diagnostics_time (double time_s, double length_s);

// "25 fps · 3 dropped"; empty if there is neither.
char *odl_diagnostics_rate (double frames_per_second, guint64 dropped);

// Progress of a recording: "0:12 · 8.4 MB · 3 dropped".
char *odl_diagnostics_recording (int64_t elapsed_ns, int64_t bytes, int64_t dropped);

// Progress of an export: "Frame 12 of 96"; `total` 0: unknown.
char *odl_diagnostics_exporting (int64_t written, int64_t total);

// What is being opened, and how far it is unpacked: a share of 1; below 0: it is not.
char *odl_diagnostics_opening (const char *name, double unpacked);

// How far filters are with all slices of a volume: a share of 1.
char *odl_diagnostics_filtering (double done);

// "½×"; "Max" for ODL_SPEED_FAST.
char *odl_diagnostics_speed (double speed);

// "12.5 frames per second by Frame Time"; `source` may be NULL. Not `given`: by the
// preferences, since the file says none.
char *odl_diagnostics_timing (double frame_rate, const char *source, bool given);

// "96 frames, 24 MiB of 2048 MiB"
char *odl_diagnostics_cache (int frames, size_t bytes, size_t most);

// Digits after the decimal point that show every multiple of `step`: 0 … 6.
int odl_diagnostics_digits (double step);

// `text` with at most `max_chars` characters, cut in the middle, so that the beginning
// and the extension of a file name stay. Control and bidi characters become spaces.
char *odl_diagnostics_short_name (const char *text, int max_chars);

// A file name for several lines, which break after its separators. Not for comparisons,
// since it contains zero-width spaces.
char *odl_diagnostics_breakable (const char *name);

// A clause that begins with a small letter, turned into a sentence.
char *odl_diagnostics_sentence (const char *clause);

// "2024-01-31" of a date as DICOM has it, before DICOM 3 with points; anything else as it
// stands; NULL stays. Transfer full.
char *odl_diagnostics_date (const char *date);
