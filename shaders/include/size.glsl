// SPDX-License-Identifier: MIT
// Of the picture; a constant (SIZE) where it is worth a program of its own.
#ifdef SIZE
const ivec2 size = SIZE;
#else
uniform ivec2 size;
#endif
