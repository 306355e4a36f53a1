// SPDX-License-Identifier: MIT
// Which preset an instance gets, by what its data set says. A key file (GKeyFile):
//
//     [abdomen of our scanner]
//     modality=US
//     maker=Maker*
//     model=*
//     body-part=ABDOMEN
//     preset=ultrasound-soft
//     strength=0.7
//     inside=sector
//
// The first group whose texts match, with * and ?, whatever their case, counts; one that
// is left out matches everything.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "network/protocol.h"

typedef struct {
  char *name; // of the group
  char *id; // of what is done, a few letters for names of folders
  char *patterns[4]; // modality, maker, model, body part; NULL: any
  char *preset;
  char *strength; // NULL: as it is
  char *inside; // NULL: everywhere
} OdlRule;

typedef struct _OdlRules OdlRules;

// Errors name the file and the group: ODL_ERROR_IO, ODL_ERROR_USAGE.
OdlRules *odl_rules_load (const char *path, GError **error);
void odl_rules_free (OdlRules *self);
guint odl_rules_count (const OdlRules *self);
const OdlRule *odl_rules_at (const OdlRules *self, guint index);

// NULL: none matches.
const OdlRule *odl_rules_find (const OdlRules *self, const OdlNetworkFacts *facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlRules, odl_rules_free)
