// SPDX-License-Identifier: MIT
#include "base/error.h"

G_DEFINE_QUARK (odl-error-quark, odl_error)
