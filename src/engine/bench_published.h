// SPDX-License-Identifier: MIT
// Figures that others published or that were measured with their programs, for
// comparison. Each says whose it is, of what year and on what hardware.
#pragma once

// Of a square picture, side by side; 0: not published.
#define ODL_BENCH_PUBLISHED_SIZES 7
typedef struct {
  const char *name;
  int channels; // as counted here: colour pictures have 3
  double values[ODL_BENCH_PUBLISHED_SIZES];
} OdlBenchPublished;

// Sides of the columns: 128 … 8192.
extern const int odl_bench_published_sides[ODL_BENCH_PUBLISHED_SIZES];

// Three-level 9/7 analysis, wavelet shrinkage, synthesis, upload included: elements per
// microsecond (colour counts 4 for each pixel) and frames per second, as printed.
#define ODL_BENCH_N_PUBLISHED_ELEMENTS 7
#define ODL_BENCH_N_PUBLISHED_FRAMES 6
extern const OdlBenchPublished
    odl_bench_published_elements[ODL_BENCH_N_PUBLISHED_ELEMENTS];
extern const OdlBenchPublished odl_bench_published_frames[ODL_BENCH_N_PUBLISHED_FRAMES];
extern const char odl_bench_published_filter_source[];

// Milliseconds of gpu-mono-16, named as our parts are; and the load of one core, in
// percent, at 20 frames a second.
#define ODL_BENCH_N_PUBLISHED_PARTS 4
#define ODL_BENCH_N_PUBLISHED_LOADS 2
extern const OdlBenchPublished odl_bench_published_parts[ODL_BENCH_N_PUBLISHED_PARTS];
extern const OdlBenchPublished odl_bench_published_loads[ODL_BENCH_N_PUBLISHED_LOADS];

// Other programs at the same work, mono, measured elsewhere: milliseconds of a frame.
#define ODL_BENCH_N_PEERS 4
extern const OdlBenchPublished odl_bench_peers[ODL_BENCH_N_PEERS];
extern const char odl_bench_peers_source[];

// Decomposition of colour pictures, milliseconds.
typedef struct {
  int width, height;
  int levels; // without padding
  double cpu; // one core, estimated there as three times grey
  double lifting, filtering; // with transfer
  double lifting_alone, filtering_alone; // without; 0: not published
} OdlBenchPublishedVideo;
#define ODL_BENCH_N_PUBLISHED_VIDEO 12
extern const OdlBenchPublishedVideo
    odl_bench_published_video[ODL_BENCH_N_PUBLISHED_VIDEO];
extern const char odl_bench_published_video_source[];

// The acceptance test: 1920 × 1080 in colour, three levels, with transfer.
typedef struct {
  const char *name;
  double mean, min, max;
} OdlBenchPublishedAcceptance;
extern const OdlBenchPublishedAcceptance odl_bench_published_acceptance[3];

// The lookup engine's paper, five levels, in seconds.
typedef struct {
  int side;
  double software, total, context, buffers, transform, rest;
} OdlBenchPublishedStart;
#define ODL_BENCH_N_PUBLISHED_STARTS 6
extern const OdlBenchPublishedStart
    odl_bench_published_start[ODL_BENCH_N_PUBLISHED_STARTS];
extern const char odl_bench_published_start_source[];
