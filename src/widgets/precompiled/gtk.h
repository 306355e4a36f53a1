// SPDX-License-Identifier: MIT
// Precompiled for all files of this library, which include what they use all the same.
#include <adwaita.h>
#include <glib/gi18n-lib.h>
