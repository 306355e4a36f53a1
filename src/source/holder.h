// SPDX-License-Identifier: MIT
// Who holds what was measured in a stack: the file of each frame, so that it is seen in
// the stack and where that file is opened alone; what lies on planes, on frames that are
// missing, or in a source of one file, is the source's own. Any thread.
#pragma once

#include "image/annotation/annotations.h"
#include "source/source.h"

// Others are frames, whose files hold.
#define ODL_HOLDER_SOURCE INT64_C (-1)

int64_t odl_holder_of (const OdlSource *source, const OdlAnnotation *annotation);

// Number of frames that may hold, all those of a stack of files; else 0.
int64_t odl_holder_count (const OdlSource *source);

// Those of `all` that `holder` holds, as it has them alone: a file on its first frame.
// NULL: none. Transfer full.
OdlAnnotations *
odl_held_by (const OdlSource *source, const OdlAnnotations *all, int64_t holder);

// `all` with those that `holder` holds, where the stack shows them and has not got them;
// `held` of pictures of another size adds none. Takes `all`, which may be NULL; transfer
// full.
OdlAnnotations *odl_held_join (OdlAnnotations *all, OdlAnnotations *held, int64_t holder);

// `held` by a file, with those of `before` that lie on others of its frames, which a
// stack does not show. Takes `held`, which may be NULL; transfer full.
OdlAnnotations *odl_held_with_hidden (OdlAnnotations *held, OdlAnnotations *before);
