// SPDX-License-Identifier: MIT
// Which kinds of objects (SOP classes, PS3.4 B.5) to expect where a node does not say.
#pragma once

#include <glib.h>

// Those that are usual for a modality (PS3.3 C.7.3.1.1.1), or with `others` all those
// that are not. NULL-terminated UIDs; transfer container.
const char **odl_classes_of (const char *modality, gboolean others);

// Whether there are videos of that kind, which have transfer syntaxes of their own. True
// for one that is not known.
gboolean odl_class_may_be_video (const char *sop_class);
