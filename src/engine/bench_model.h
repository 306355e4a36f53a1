// SPDX-License-Identifier: MIT
// A simple model of an engine's time: T = overhead + bytes uploaded / bus
// + max (bytes moved / memory, operations / arithmetic), fitted to what was measured.
#pragma once

#include <glib.h>
#include <stdbool.h>

// One measured geometry.
typedef struct {
  double uploaded; // bytes that cross a bus; 0: none do
  double moved; // bytes in the engine's memory
  double operations;
  double upload_ms; // measured
  double rest_ms; // measured: the frame without its upload
} OdlBenchPoint;

// Zero for a rate: the points do not show that it limits anything.
typedef struct {
  double overhead_ms;
  double bus_gb_per_s;
  double memory_gb_per_s;
  double arithmetic_gop_per_s;
} OdlBenchModel;

// Least squares of relative errors: the upload by itself, then the rest. Which of memory
// and arithmetic limits a point is decided by trying every way to divide the points by
// their bytes per operation. Points that are all alike in that cannot tell: then memory
// is to blame unless that would make it slower than a third of `copy_gb_per_s`, what a
// plain copy moves (0: unknown). False with fewer than two points. Any thread.
bool odl_bench_model_fit (const OdlBenchPoint *points,
                          int n,
                          double copy_gb_per_s,
                          OdlBenchModel *model);

// What the model says about a point, upload included.
double odl_bench_model_ms (const OdlBenchModel *model, const OdlBenchPoint *point);
