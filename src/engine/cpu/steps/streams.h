// SPDX-License-Identifier: MIT
// What BM3D of several frames keeps from one result to the next (image/bm3d/time.h), for
// each plane of each such step of a plan.
#pragma once

#include "plan/plan.h"

typedef struct _OdlBm3dStream OdlBm3dStream;
typedef struct _OdlCpuStreams OdlCpuStreams;

// In at most so many bytes; NULL: there is nothing to keep, or no room for it.
OdlCpuStreams *odl_cpu_streams_new (const OdlPlan *plan, double most_bytes);
void odl_cpu_streams_free (OdlCpuStreams *streams); // accepts NULL

// Those of step `index`, one for each plane, which change with every run. NULL: of such a
// step, or where `streams` is NULL, none are kept.
OdlBm3dStream **odl_cpu_streams_of (OdlCpuStreams *streams, int index);
