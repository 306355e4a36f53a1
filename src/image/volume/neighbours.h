// SPDX-License-Identifier: MIT
// OdlNeighbours: the frames, or volumes, about one of a sequence, for filters that look
// along time in both directions. Immutable once shared; reference counting from any
// thread.
#pragma once

#include "image/image.h"

typedef struct _OdlNeighbours OdlNeighbours;

// About frame `at` of `count`; without any.
OdlNeighbours *odl_neighbours_new (int64_t at, int64_t count);
OdlNeighbours *odl_neighbours_ref (OdlNeighbours *neighbours);
void odl_neighbours_unref (OdlNeighbours *neighbours); // accepts NULL

// Adds a frame of the sequence, which has size, channels and range of all others. Not
// after `neighbours` was shared.
void odl_neighbours_put (OdlNeighbours *neighbours, int64_t index, OdlImage *image);

// Whether two frames may belong to one: they have size, channels and range in common.
bool odl_neighbours_are_alike (const OdlImage *one, const OdlImage *other);

// Where the length of the sequence was not known. Likewise.
void odl_neighbours_set_count (OdlNeighbours *neighbours, int64_t count);

int64_t odl_neighbours_at (const OdlNeighbours *neighbours);
int64_t odl_neighbours_count (const OdlNeighbours *neighbours);

// Borrowed; NULL: it was not added.
OdlImage *odl_neighbours_find (const OdlNeighbours *neighbours, int64_t index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlNeighbours, odl_neighbours_unref)
