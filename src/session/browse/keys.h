// SPDX-License-Identifier: MIT
// Which pictures of a list are key pictures: those that the user has marked, as they are
// stored, and those that key objects name. Each counts once, whoever says so.
#pragma once

#include "source/dicom/studies.h"

// Sets `n_keys` of each series of pictures, by the key objects in the list and by what is
// stored. Blocks: some microseconds for each picture. Any thread.
void odl_keys_count (GPtrArray *series);

// The same for files that are listed by themselves, in the background: reads the header
// of each file, where there is any mark at all.
void odl_keys_list (char **paths,
                    GCancellable *cancellable,
                    GAsyncReadyCallback cb,
                    void *data);
// Paths, each with the number of its key pictures (GINT_TO_POINTER), if it has some.
// Transfer full; NULL: it was cancelled.
GHashTable *odl_keys_list_finish (GAsyncResult *result);
