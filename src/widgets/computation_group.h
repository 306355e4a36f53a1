// SPDX-License-Identifier: MIT
// How filters are computed: engine, precision, border; rows of the preferences, which
// follow what is set elsewhere. Main thread.
#pragma once

#include <adwaita.h>

#include "session/session.h"

// `session` may end before the group.
GtkWidget *odl_computation_group_new (OdlSession *session);
