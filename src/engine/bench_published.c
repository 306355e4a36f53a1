// SPDX-License-Identifier: MIT
#include "engine/bench_published.h"

const int odl_bench_published_sides[ODL_BENCH_PUBLISHED_SIZES]
    = { 128, 256, 512, 1024, 2048, 4096, 8192 };

const char odl_bench_published_filter_source[]
    = "published in 2007 (E. A. R. Nielsen, thesis, NTNU): GeForce 8800 GTX; its cpu "
      "rows: "
      "Core 2 Duo 2 GHz, SIMD; previous-gpu: the lookup method on the same card, colour";

// clang-format off
const OdlBenchPublished odl_bench_published_elements[ODL_BENCH_N_PUBLISHED_ELEMENTS] = {
  { "gpu-mono-16", 1, { 29.2, 93.7, 255.5, 425.0, 394.3 } },
  { "gpu-mono-32", 1, { 29.5, 92.7, 255.5, 321.2, 273.8 } },
  { "gpu-colour-16", 3, { 41.4, 138.9, 340.1, 435.7, 528.3 } },
  { "gpu-colour-32", 3, { 41.3, 139.6, 326.1, 435.6, 441.8 } },
  { "previous-gpu-32", 3, { 102.1, 129.1, 116.3, 121.1, 79.5 } },
  { "cpu-mono-32-single", 1, { 17.7, 17.7, 18.1, 17.7, 17.7 } },
  { "cpu-mono-32-dual", 1, { 35.0, 35.0, 35.0, 35.0, 35.0 } },
};

const OdlBenchPublished odl_bench_published_frames[ODL_BENCH_N_PUBLISHED_FRAMES] = {
  { "gpu-mono-16", 1, { 1782, 1430, 975, 405, 94 } },
  { "gpu-mono-32", 1, { 1801, 1414, 975, 306, 65 } },
  { "gpu-colour-16", 3, { 632, 530, 324, 104, 31 } },
  { "gpu-colour-32", 3, { 631, 532, 311, 104, 26 } },
  { "previous-gpu-32", 3, { 1558, 493, 111, 29, 5 } },
  { "cpu-mono-32-single", 1, { 1081, 270, 69, 17, 4 } },
};

const OdlBenchPublished odl_bench_published_parts[ODL_BENCH_N_PUBLISHED_PARTS] = {
  { "upload", 1, { 0.033, 0.058, 0.159, 1.002, 8.295 } },
  { "forward", 1, { 0.113, 0.115, 0.078, 0.147, 0.159 } },
  { "filter", 1, { 0.085, 0.095, 0.069, 0.111, 0.110 } },
  { "backward", 1, { 0.307, 0.401, 0.694, 1.157, 2.033 } },
};

const OdlBenchPublished odl_bench_published_loads[ODL_BENCH_N_PUBLISHED_LOADS] = {
  { "gpu-mono-16", 1, { 1, 1, 1, 3, 8 } },
  { "cpu-mono-32-single", 1, { 1.8, 7.4, 29, 118, 474 } },
};

const OdlBenchPublished odl_bench_peers[ODL_BENCH_N_PEERS] = {
  { "PDWT, CUDA, H200, data resident", 1, { 0, 0, 0.062, 0.073, 0.160, 0.568, 2.155 } },
  { "PyWavelets, Xeon, 1 thread", 1, { 0.964, 2.731, 10.08, 69.9, 299.6 } },
  { "OpenJPEG, Xeon, 1 thread", 1, { 0.0661, 0.2765, 1.2365, 7.544, 39.2 } },
  { "OpenJPH AVX-512, Xeon, 1 thread", 1, { 0.0352, 0.105, 0.4304, 1.814, 10.73, 56.1 } },
};

const char odl_bench_peers_source[]
    = "PDWT, PyWavelets, OpenJPEG and OpenJPH: measured in 2026, on an H200 and a two-core Xeon with "
      "AVX-512";

const char odl_bench_published_video_source[]
    = "published in 2012 (A. T. Eskildsen et al., Aalborg University): GeForce GTX 680, OpenCL, "
      "float32, PCI Express 2.0; its cpu: Core i7 970, one core, colour estimated as 3 × grey";

const OdlBenchPublishedVideo odl_bench_published_video[ODL_BENCH_N_PUBLISHED_VIDEO] = {
  { 852, 480, 2, 21.46, 3.66, 4.08, 0.75, 1.18 },
  { 1280, 720, 4, 59.16, 8.08, 9.32, 1.64, 3.11 },
  { 1920, 1080, 3, 168.28, 17.21, 20.92, 3.43, 7.88 },
  { 3840, 2160, 4, 623.11, 68.23, 86.91, 13.95, 33.28 },
  { 4520, 2540, 2, 1122.24, 89.14, 106.50, 16.70, 36.95 },
  { 7680, 4320, 5, 3642.12, 256.09, 386.82, 55.45, 158.29 },
  { 256, 256, 8, 2.75, 1.50, 1.56, 0, 0 },
  { 512, 512, 9, 15.33, 2.78, 3.64, 0, 0 },
  { 1024, 1024, 10, 99.71, 9.22, 13.84, 0, 0 },
  { 2048, 2048, 11, 299.08, 35.60, 55.06, 0, 0 },
  { 4096, 4096, 12, 1651.86, 128.07, 202.65, 0, 0 },
  { 8192, 8192, 13, 10394.70, 520.19, 840.06, 0, 0 },
};

const OdlBenchPublishedAcceptance odl_bench_published_acceptance[3] = {
  { "filtering, decomposition", 20.91, 16.98, 24.35 },
  { "lifting, decomposition", 16.42, 12.96, 20.06 },
  { "lifting, reconstruction", 16.23, 12.72, 20.78 },
};

const char odl_bench_published_start_source[]
    = "published in 2007 (T. T. Wong et al., lookup tables): GeForce 7800 GTX, Athlon 64 X2 3800+; "
      "its clock ticks every 15.6 ms; one forward transform";

const OdlBenchPublishedStart odl_bench_published_start[ODL_BENCH_N_PUBLISHED_STARTS] = {
  { 128, 0.016, 0.468, 0.218, 0.015, 0.234, 0.001 },
  { 256, 0.031, 0.500, 0.218, 0.032, 0.234, 0.016 },
  { 512, 0.344, 0.578, 0.219, 0.078, 0.234, 0.047 },
  { 1024, 2.593, 0.813, 0.219, 0.218, 0.235, 0.141 },
  { 1280, 2.688, 1.000, 0.219, 0.313, 0.234, 0.234 },
  { 2048, 12.312, 1.672, 0.219, 0.625, 0.234, 0.594 },
};
// clang-format on
