// SPDX-License-Identifier: MIT
// Memory of pictures that no later step of a volume's plan reads, for those that come: a
// volume's working set is what is alive at once, not all that its steps write.
#pragma once

#include "engine/cpu/steps/steps.h"

typedef struct _OdlCpuSpares OdlCpuSpares;

OdlCpuSpares *odl_cpu_spares_new (bool huge_pages);
void odl_cpu_spares_free (OdlCpuSpares *spares);

// The picture's memory goes to the spares; small ones keep theirs.
void odl_cpu_spares_give (OdlCpuSpares *spares, OdlCpuPicture *picture);

// Memory for the picture, unless it has some: a spare of its size, or new, which is
// counted. False: there is none.
bool
odl_cpu_spares_take (OdlCpuSpares *spares, OdlCpuPicture *picture, size_t *allocations);
