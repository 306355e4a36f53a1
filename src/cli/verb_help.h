// SPDX-License-Identifier: MIT
// The verb that tells what a filter does, or about a topic.
#pragma once

#include "cli/verb.h"
#include "filter/filter.h"

extern const OdlVerb odl_verb_help;

// Prints the row of a filter and those of its parameters, as `list filters` does
// (verb_list.c).
void odl_list_filter (const OdlFilter *filter);
