// SPDX-License-Identifier: MIT
#include "decoder/sandbox_filter.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "decoder/sandbox_layers.h"

static bool
add_calls (scmp_filter_ctx context, uint32_t action, const int *calls)
{
  for (; calls != NULL && *calls != ODL_SANDBOX_END; calls++) {
    // Calls that the architecture lacks are skipped.
    const int result = seccomp_rule_add (context, action, *calls, 0);
    if (result != 0 && result != -EDOM && result != -EINVAL && result != -EEXIST)
      return false;
  }
  return true;
}

static bool
add_rules (scmp_filter_ctx context, uint32_t action, const OdlSandboxRule *rules)
{
  for (; rules != NULL && rules->call != ODL_SANDBOX_END; rules++) {
    struct scmp_arg_cmp when[] = { rules->when[0], rules->when[1] };
    for (unsigned i = 0; i < rules->n; i++)
      if (when[i].datum_a == ODL_SANDBOX_OWN_PROCESS)
        when[i].datum_a = (scmp_datum_t) getpid ();
    if (seccomp_rule_add_array (context, action, rules->call, rules->n, when) != 0)
      return false;
  }
  return true;
}

static bool
load (const OdlSandboxFilter *filter, uint32_t named, uint32_t others)
{
  scmp_filter_ctx context = seccomp_init (others);
  const bool done = context != NULL
                    && seccomp_attr_set (context, SCMP_FLTATR_CTL_TSYNC, 1) == 0
                    && add_rules (context, named, filter->rules)
                    && add_rules (context, named, filter->more_rules)
                    && add_calls (context, named, filter->calls)
                    && add_calls (context, named, filter->more_calls)
                    && add_calls (context, SCMP_ACT_ERRNO (ENOSYS), filter->unknown)
                    && seccomp_load (context) == 0;

  if (context != NULL)
    seccomp_release (context);
  return done;
}

bool
odl_sandbox_allow (const OdlSandboxFilter *filter)
{
  return load (filter, SCMP_ACT_ALLOW, SCMP_ACT_ERRNO (EPERM));
}

bool
odl_sandbox_deny (const OdlSandboxFilter *filter)
{
  return load (filter, SCMP_ACT_ERRNO (EPERM), SCMP_ACT_ALLOW);
}

const int *
odl_sandbox_sanitizer_calls (void)
{
  static const int calls[] = {
    SCMP_SYS (pipe),        SCMP_SYS (pipe2),
    SCMP_SYS (close),       SCMP_SYS (getrlimit),
    SCMP_SYS (getuid),      SCMP_SYS (newfstatat),
    SCMP_SYS (openat),      SCMP_SYS (prctl),
    SCMP_SYS (readlink),    SCMP_SYS (sched_getaffinity),
    SCMP_SYS (sigaltstack), ODL_SANDBOX_END,
  };

  return ODL_SANDBOX_UNDER_ASAN ? calls : NULL;
}
