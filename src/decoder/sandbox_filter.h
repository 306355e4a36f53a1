// SPDX-License-Identifier: MIT
// The filter of system calls, made from tables.
#pragma once

#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>

// The last one of a table.
#define ODL_SANDBOX_END (-1)

// Stands for the number of the process.
#define ODL_SANDBOX_OWN_PROCESS UINT64_MAX

// A system call with what its arguments must be. All comparisons are of 64 bits, and each
// lets only what the kernel takes for the same: where it looks at 32 of them, a small
// number is said, a mask or an upper bound.
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
  const int *calls; // whatever their arguments
  const int *more_calls;
  const OdlSandboxRule *rules;
  const int *unknown; // fail as on a kernel that lacks them, so that others are taken
} OdlSandboxFilter;

// For all threads of the process and for good: what the filter names is allowed, and all
// else fails with EPERM, since a library that tries something needless should go on.
// False: the kernel refused.
bool odl_sandbox_allow (const OdlSandboxFilter *filter);

// On top of that: what the filter names fails with EPERM.
bool odl_sandbox_deny (const OdlSandboxFilter *filter);
