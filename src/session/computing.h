// SPDX-License-Identifier: MIT
// Pictures whose filters take long: the picture as it came is shown until the result is
// there, and never one of another source. Main thread.
#pragma once

#include "session/session.h"

// Filters are at work, and what is shown is not what they make: the picture as it came,
// or, of planes of a volume, the result of other filters. False while a source plays,
// whose results follow each other.
bool odl_session_is_computing (OdlSession *session);

// Whether what is shown is of the source in place, by the filters that are in force; not
// while these are at work and the picture as it came, or another one, stands in its
// place.
bool odl_session_shows_result (OdlSession *session);
