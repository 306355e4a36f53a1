// SPDX-License-Identifier: MIT
// What is done for each message. Main thread.
#pragma once

#include "session/arrays/connection.h"

// As OdlConnectionHost has it.
void odl_answer (OdlConnection *connection, OdlAsk *ask, int file);
