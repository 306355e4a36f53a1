// SPDX-License-Identifier: MIT
// The system call filter (seccomp), built from tables.
#pragma once

#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>

// Terminates a table.
#define ODL_SANDBOX_END (-1)

// Placeholder for the process id.
#define ODL_SANDBOX_OWN_PROCESS UINT64_MAX

// An allowed system call with conditions on its arguments. Comparisons are 64-bit and
// accept only values that the kernel interprets identically: for 32-bit arguments use
// small numbers, masks or upper bounds.
typedef struct {
  int call;
  unsigned n;
  struct scmp_arg_cmp when[2];
} OdlSandboxRule;

#define ODL_SANDBOX_IS(argument, value) \
  { \
    argument, SCMP_CMP_EQ, value, 0 \
  }
#define ODL_SANDBOX_BELOW(argument, bound) \
  { \
    argument, SCMP_CMP_LT, bound, 0 \
  }
#define ODL_SANDBOX_MASKED(argument, mask, value) \
  { \
    argument, SCMP_CMP_MASKED_EQ, mask, value \
  }

// Tables may be NULL.
typedef struct {
  const int *calls; // allowed with any arguments
  const int *more_calls;
  const OdlSandboxRule *rules;
  const OdlSandboxRule *more_rules;
  const int *unknown; // fail with ENOSYS, so that callers fall back to others
} OdlSandboxFilter;

// More calls, for the address sanitizer, which reads the process's own maps for reports,
// and the undefined-behaviour sanitizer, which checks readability of memory with a pipe.
// NULL without the former.
const int *odl_sandbox_sanitizer_calls (void);

// Installs the filter for all threads, irrevocably: listed calls are allowed, all
// others fail with EPERM, so that libraries can continue after optional calls. False:
// the kernel refused.
bool odl_sandbox_allow (const OdlSandboxFilter *filter);

// Adds another filter: the listed calls fail with EPERM.
bool odl_sandbox_deny (const OdlSandboxFilter *filter);
