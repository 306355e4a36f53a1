// SPDX-License-Identifier: MIT
// Reads the frames, or volumes, about one of a stored sequence, each of them once while
// they move on.
#pragma once

#include "image/volume/neighbours.h"
#include "source/source.h"

typedef struct _OdlNeighbourReader OdlNeighbourReader;

// Keeps a reference; nobody else may read frames of `source` during odl_neighbours_read,
// unless it is a kept capture (odl_source_is_kept).
// A source of volumes (info.n_slices) delivers these, with `floats` as for
// odl_source_read_volume.
OdlNeighbourReader *odl_neighbour_reader_new (OdlSource *source, int floats);
int odl_neighbour_reader_n_read (const OdlNeighbourReader *reader); // so far
void odl_neighbour_reader_free (OdlNeighbourReader *reader); // accepts NULL

// What is read is kept until it has so many bytes; at first nothing is, but for what was
// read last. A sequence that is played again is then read no more, and the first part of
// one that is larger is not. What is more than a new limit goes, with all the rest.
void odl_neighbour_reader_keep (OdlNeighbourReader *reader, size_t most_bytes);

// Number `index` and, of the sequence, `past` before and `ahead` after it; with `wraps`
// the sequence goes on with its first one. Blocks. Errors: those of odl_source_read_frame
// and odl_source_read_volume; ODL_ERROR_CORRUPT where one has another size or range than
// that at `index`; ODL_ERROR_UNSUPPORTED of a camera, whose later frames are not there,
// unless it is kept: then they are waited for, and where none comes, the sequence ends.
OdlNeighbours *odl_neighbours_read (OdlNeighbourReader *reader,
                                    int64_t index,
                                    int past,
                                    int ahead,
                                    bool wraps,
                                    GCancellable *cancellable,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlNeighbourReader, odl_neighbour_reader_free)

// A capture whose latest frames are kept, so that several readers can have them by their
// number, counted from the first one on: filters that look at later frames wait for them,
// while the frames themselves are written.

// Keeps a reference to `capture`, whose frames nobody else may read, and its latest
// `count` frames. A frame that has not come is waited for, and so are those before it;
// one that was dropped is ODL_ERROR_IO. Frames may be read by several threads at a time.
OdlSource *odl_kept_source_new (OdlSource *capture, int count);

bool odl_source_is_kept (const OdlSource *source);
