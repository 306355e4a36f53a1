// SPDX-License-Identifier: MIT
// What is asked of a sweep: pictures, what they are compared with, what decides, and the
// parameters of the chain that vary. Main thread.
#pragma once

#include <adwaita.h>

#include "session/sweep.h"
#include "widgets/window/parts.h"

typedef struct _OdlSweepForm OdlSweepForm;

// As odl_sweep_new has it, with all that it points to.
typedef struct {
  OdlTrialParams params;
  bool searches;
  const char *caption; // which pictures and what noise, translated
  GPtrArray *texts; // owned
} OdlSweepAsked;

void odl_sweep_asked_clear (OdlSweepAsked *asked);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlSweepAsked, odl_sweep_asked_clear)

OdlSweepForm *odl_sweep_form_new (const OdlWindowParts *parts);
void odl_sweep_form_free (OdlSweepForm *form);
GtkWidget *odl_sweep_form_widget (OdlSweepForm *form); // owned by who packs it

// Whether the chain has filters; takes over what chain and source are.
bool odl_sweep_form_follow (OdlSweepForm *form);

// ODL_ERROR_USAGE: a sentence on what is missing. `asked` is to be cleared in any case.
bool odl_sweep_form_read (OdlSweepForm *form, OdlSweepAsked *asked, GError **error);
