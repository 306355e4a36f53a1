// SPDX-License-Identifier: MIT
// Values of neighbouring lanes, by subgroup shuffles (SUBGROUPS) or through shared memory; the
// latter requires the whole work group of GROUP invocations.
#ifdef SUBGROUPS
float from_left (float value)
{
  return subgroupShuffleUp (value, 1u);
}

float from_right (float value)
{
  return subgroupShuffleDown (value, 1u);
}
#else
shared float exchange[2 * (GROUP + 2)];
int turn = 0; // alternates between two buffers, which saves a barrier

void exchange_put (float value)
{
  turn = GROUP + 2 - turn;
  exchange[turn + int (gl_LocalInvocationIndex) + 1] = value;
  barrier ();
}

float from_left (float value)
{
  exchange_put (value);
  return exchange[turn + int (gl_LocalInvocationIndex)];
}

float from_right (float value)
{
  exchange_put (value);
  return exchange[turn + int (gl_LocalInvocationIndex) + 2];
}
#endif
