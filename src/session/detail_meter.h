// SPDX-License-Identifier: MIT
// How strong the details of a view are (engine/detail_reach.h), measured once in the
// background and held while the picture moves: when the view is entered, and when the
// source, or what makes its coefficients, changes. Main thread.
#pragma once

#include "engine/detail_reach.h"
#include "session/player/frame.h"

// There is something new to be shown.
typedef void (*OdlDetailMeterCb) (void *data);

typedef struct _OdlDetailMeter OdlDetailMeter;

OdlDetailMeter *odl_detail_meter_new (OdlDetailMeterCb cb, void *data);
void odl_detail_meter_free (OdlDetailMeter *meter); // the callback is not called again

// What is held for the view of a frame, to be asked for with each one that is shown: a
// comparison of pointers as long as the frames have one plan. Nothing measured while the
// first picture of a source is being measured, and for views without levels.
OdlDetailReach odl_detail_meter_reach (OdlDetailMeter *meter, OdlFrame *frame);

// One measurement, which whoever needs it shares with the meter.
typedef struct _OdlDetailMeasuring OdlDetailMeasuring;

// That of which the view of `recipe` has its gains, or will have them once it is
// measured; transfer full. Of another recipe than that of the frame, which is about to be
// shown, one in that frame. NULL: the view has no levels, or cannot be planned.
OdlDetailMeasuring *odl_detail_meter_measuring (OdlDetailMeter *meter,
                                                OdlFrame *frame,
                                                const OdlRecipe *recipe);

// What it found, after waiting for it; where nobody has begun, it is measured here. After
// an error nothing measured. Any thread, as the next one.
OdlDetailReach odl_detail_measuring_wait (OdlDetailMeasuring *measuring);
void odl_detail_measuring_unref (OdlDetailMeasuring *measuring);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlDetailMeasuring, odl_detail_measuring_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlDetailMeter, odl_detail_meter_free)
