// SPDX-License-Identifier: MIT
// The verb that shows that neutral settings change nothing.
#pragma once

#include "cli/verb.h"

extern const OdlVerb odl_verb_neutral;
