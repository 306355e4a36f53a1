// SPDX-License-Identifier: MIT
// Takes rows through all forward levels, the shrinkage and all inverse levels, with only
// line buffers in between: row y of the result is ready some rows after row y of the
// input.
//
// No gains are applied: a level's low coefficients stay larger by 1 / low_gain² than the
// plan's, and the limits are scaled instead (shrinking is homogeneous). Borders are
// mirrored by handing the same line to the kernels twice; nothing is copied.
#pragma once

#include "engine/cpu/kernels/variant.h"
#include "wavelet/transform.h"

// Where rows of a level's bands are.
typedef struct {
  float *lh; // row 0
  ptrdiff_t hl_at, hh_at; // first float of rows of HL and HH, from that of LH
  int pitch;
} OdlCpuPipeBands;

// The rings and lines of one level. Lines hold low columns, then high columns.
typedef struct {
  int width; // of what enters the level
  int height;
  int pairs; // rows go through the vertical steps in blocks of so many pairs
  int pitch; // of lines, in floats
  int high_at; // first float of the high columns
  int low_pitch; // of rows of LL
  float limits[ODL_DETAIL_BANDS];
  // Down.
  float *lines; // ring of 2 pairs + 1 transformed rows
  float *state[ODL_CPU_LIFT_STEPS - 1];
  float *low_rows; // one block of the next level's rows
  int received;
  int next_pair;
  // Across.
  OdlCpuPipeBands ring; // n_bands rows of LH | HL | HH
  OdlCpuPipeBands bands; // the ring, or a store
  int n_bands;
  float *approx; // ring of n_approx rows of LL on the way up
  int n_approx;
  // Up.
  float *back_lines; // one block of rows before their horizontal steps
  float *back_state[ODL_CPU_LIFT_STEPS];
  int back_received;
  int back_next;
  int wanted, wanted_end; // rows of the level's input that are wanted back
  int stored, stored_end; // rows of its bands that are written
} OdlCpuPipeLevel;

// Rows of samples in memory, from which lines are asked for before they are needed.
typedef struct {
  const char *rows; // row 0; NULL: nothing is asked for
  ptrdiff_t row_bytes;
  size_t sample_bytes;
  int first, end; // those that may be touched
} OdlCpuPipeMemory;

// Coefficients of a whole picture in memory of their own, with the gains that they are to
// have: packed as in the pipe's rings, or like a plan's slots.
typedef struct {
  OdlCpuPipeBands bands[ODL_MAX_LEVELS];
  float *approx;
  int low_pitch;
  double low_gain;
  double high_gain;
} OdlCpuPipeStore;

// Row `y` is complete except for its horizontal steps.
typedef void (*OdlCpuPipeEmit) (void *data, int y, const float *low, const float *high);

typedef struct {
  const OdlCpuVariant *variant; // NULL while the rings are measured
  OdlCpuLift lift;
  OdlCpuLift down[2], up[2]; // along y: of the low and of the high columns
  bool stores; // the coefficients lie outside: analysis and synthesis are runs of their
               // own
  bool shrinks_stored; // synthesis shrinks what it reads from the store by `rule`
  OdlShrinkingRule rule;
  int levels;
  OdlCpuShrink shrink; // of analysis, without a store
  OdlCpuPipeLevel level[ODL_MAX_LEVELS];
  float *sink; // takes what lies outside of the picture
  float *memory;
  size_t size; // of memory, in bytes
  OdlCpuPipeEmit emit;
  void *emit_data;
  OdlCpuPipeMemory input;
  OdlCpuPipeMemory output;
} OdlCpuPipe;

// How far, in rows, a result depends on its surroundings.
int odl_cpu_pipe_reach (const OdlCpuLift *lift, int levels);

// Pairs of rows in a block while input and output are asked for ahead.
#define ODL_CPU_PIPE_SHORT_BLOCK 4

// Lays out a pipe for pictures of width × height whose every level has at least two rows
// and columns. False when memory is short.
bool odl_cpu_pipe_init (OdlCpuPipe *pipe,
                        const OdlCpuVariant *variant,
                        const OdlCpuLift *lift,
                        int width,
                        int height,
                        int levels,
                        bool asks_ahead,
                        bool huge_pages);
void odl_cpu_pipe_clear (OdlCpuPipe *pipe);

// Only rows first … end − 1 are needed; others may be wrong or missing. By default all
// rows are needed.
void odl_cpu_pipe_want (OdlCpuPipe *pipe, int first, int end);

// Keeps the coefficients in `store`, whose picture has the pipe's first row as its row
// `first_row`. Analysis writes those that belong to the pipe's rows first … end − 1;
// synthesis reads those that other pipes may have written. All but the last `end` of a
// picture are multiples of 1 << levels.
void odl_cpu_pipe_store (OdlCpuPipe *pipe,
                         const OdlCpuPipeStore *store,
                         int first_row,
                         int first,
                         int end);

// With a store: synthesis, between a start of its own and the last emit.
void odl_cpu_pipe_synthesise (OdlCpuPipe *pipe);

// One picture: start, push every row from the top, finish. The limits of the levels, the
// kind of shrinkage, emit, emit_data, input and output are set before.
void odl_cpu_pipe_start (OdlCpuPipe *pipe);
void odl_cpu_pipe_push (OdlCpuPipe *pipe, const OdlCpuLine *line);
void odl_cpu_pipe_finish (OdlCpuPipe *pipe);
