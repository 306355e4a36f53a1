// SPDX-License-Identifier: MIT
// The line below the picture: how it was computed, frame rate, grey levels and zoom; the
// same rate in the transport bar. Main thread.
#pragma once

#include "widgets/transport/transport.h"
#include "widgets/window/window.h"

typedef struct _OdlReadout OdlReadout;

OdlReadout *odl_readout_new (const OdlWindowParts *parts);
void odl_readout_stop (OdlReadout *readout); // at the end of the window

// Writes the line now, or within a quarter of a second.
void odl_readout_update (OdlReadout *readout);
void odl_readout_queue (OdlReadout *readout);

// Another pane is active.
void odl_readout_take_pane (OdlReadout *readout);

// A frame is about to be painted: its number comes to the screen with it.
void odl_readout_frame (OdlReadout *readout);

// A frame was painted.
void odl_readout_painted (OdlReadout *readout);

// How the source is played has changed; with `reset` the rate is not known any more.
void odl_readout_update_transport (OdlReadout *readout);
void odl_readout_reset_rate (OdlReadout *readout);

// Frames per second that are painted, or computed as fast as possible; 0: not known.
double odl_readout_rate (const OdlReadout *readout);
