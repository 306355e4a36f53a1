// SPDX-License-Identifier: MIT
// What session_volume.c reads, and how it is looked at.
#pragma once

#include "session/session_private.h"
#include "source/neighbour_reader.h"

struct _OdlVolumeReader {
  GCancellable *job; // the job that reads all slices; NULL: none
  OdlImage *volume; // NULL: not read, or not available
  OdlNeighbours *neighbours; // with those about it that filters look at; NULL: likewise
  OdlTimeReach reach; // that they were read for
  int number; // of it, or of the one that the job reads
  int64_t volume_us; // reading each of those that were not there yet took; 0: all were
  int64_t filter_us; // and filtering the last one that was shown
  OdlNeighbourReader *source; // of several volumes, between jobs: a packed file is
                              // unpacked once, and volumes are kept for later ones
  GCancellable *ahead_job; // that reads the next one while it plays; NULL: none
  OdlNeighbours *ahead; // what it has read
  OdlTimeReach ahead_reach;
  int ahead_number; // that it reads, or has read or could not
  OdlTakes takes; // of volumes that are filtered as a whole
  OdlMoment moment; // of this one
  int n_past; // that were filtered before it in its take
  bool from_start; // its take began with the first one
  OdlNeighbours *led; // of the lead-in, read and not yet run; NULL: none
  GCancellable *led_job; // that reads them
  bool led_failed; // one cannot be read
  bool planes[2]; // requested by the user, the second one of stacks, which pictures were
                  // taken one by one for and are read that way at first
  bool failed; // the volume is not available; was reported
  bool too_large; // for filters over all slices; was reported
  OdlSlab slab; // requested by the user
  OdlOblique oblique; // likewise
  OdlBox box; // likewise
  bool renders; // the canvas wants bodies
  int x, y; // of the cross-hair's voxel
};
