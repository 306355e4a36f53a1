// SPDX-License-Identifier: MIT
// Large batches: a share of the inputs for one of several machines, what an earlier run
// has done already, and the secret that makes files of several runs fit together.
#pragma once

#include "cli/process/process.h"

// Takes --shard, --resume and --secret from `options` into `task`, whose jobs and recipe
// are there, and whose outputs have their names: removes the jobs that are not to be
// done, and makes the folders of the others. ODL_ERROR_USAGE; ODL_ERROR_IO.
bool odl_process_parse_share (const OdlProcessOptions *options,
                              OdlProcess *task,
                              GError **error);
