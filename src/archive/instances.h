// SPDX-License-Identifier: MIT
// A folder of received instances, by study and series, and nothing else: whatever is not
// whole has no name (O_TMPFILE), so that a kill leaves nothing behind.
//
//     FOLDER/STUDY/SERIES/INSTANCE.dcm
//     FOLDER/apart/STUDY/SERIES/INSTANCE-HASH.dcm   another one with the same UID
//
// Names are the UIDs; one that is none (PS3.5 9.1) has "uid-" and a hash instead.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "network/protocol.h"

typedef struct _OdlInstances OdlInstances;

typedef enum {
  ODL_KEPT_NEW,
  ODL_KEPT_AGAIN, // it is there already, with the same bytes
  ODL_KEPT_ALIKE, // it is there already, in another transfer syntax (alike.h)
  ODL_KEPT_APART, // the first one with this UID stays
} OdlKept;

// Makes the folder if need be. `durable`: what is kept survives a loss of power.
// ODL_ERROR_IO.
OdlInstances *odl_instances_open (const char *folder, bool durable, GError **error);
void odl_instances_close (OdlInstances *self);

// Reads which instances there are, once, before others are kept: one whose UID is in
// another study or series is kept apart, too. Costs a look at every folder.
void odl_instances_learn (OdlInstances *self);

// An empty file without a name. −1: ODL_ERROR_IO. Any thread, as below.
int odl_instances_new_file (OdlInstances *self, GError **error);

// Gives a complete file its name. `path` is below the folder; transfer full.
// ODL_ERROR_IO.
bool odl_instances_keep (OdlInstances *self,
                         int fd,
                         const OdlNetworkFacts *facts,
                         OdlKept *kept,
                         char **path,
                         GError **error);

// The same under a name of the caller's. `there` is set where that is taken, and then
// nothing is kept.
bool odl_instances_keep_as (OdlInstances *self,
                            int fd,
                            const char *path,
                            bool *there,
                            GError **error);

// The path that it will have if it is the first one of its UID. Transfer full.
char *odl_instances_path (const OdlNetworkFacts *facts);

// Whether it is one (PS3.5 9.1): 1 to 64 digits and dots, the dots between digits.
bool odl_uid_is_valid (const char *text);

// The name that stands for a UID. Transfer full.
char *odl_instances_name (const char *uid);
