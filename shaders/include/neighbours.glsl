// SPDX-License-Identifier: MIT
// Values of the lanes beside a lane, by shuffles where the hardware has them (SUBGROUPS), else
// through shared memory: then all of the work group has to ask. GROUP invocations.
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
int turn = 0; // two places in turn need one barrier only

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
