// SPDX-License-Identifier: MIT
// Writes no colour: for marks in the stencil buffer.
void main ()
{
}
