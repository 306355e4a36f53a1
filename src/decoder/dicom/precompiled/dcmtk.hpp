// SPDX-License-Identifier: MIT
// Precompiled for all files in C++ of this program, which include what they use all the
// same.
#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dctk.h>
