// SPDX-License-Identifier: MIT
// Size of the picture; a constant (SIZE) where a specialised program is worthwhile.
#ifdef SIZE
const ivec2 size = SIZE;
#else
uniform ivec2 size;
#endif
