// SPDX-License-Identifier: MIT
// With RELAY a dispatch may be issued before the one that it reads from has ended, without a
// barrier between them: its work groups start, then wait here until all of those have handed on.
//   progress (binding 4)  work groups that have handed on since the beginning, by place
//   relay   the place to look at (-1: there is nothing to wait for), the place to count at
//   relay_wanted  what has to stand there
#ifdef RELAY
layout (std430, binding = 4) coherent restrict buffer Progress { uint progress[]; };
uniform ivec2 relay;
uniform int relay_wanted;

void take_over ()
{
  // A second or so, many times what any dispatch takes: nothing may hang for ever.
  if (relay.x >= 0 && gl_LocalInvocationIndex == 0u)
    for (int i = 0; i < 1 << 21; i++)
      if (int (atomicAdd (progress[relay.x], 0u)) - relay_wanted >= 0)
        break;
  memoryBarrierBuffer ();
  barrier ();
}

void hand_on ()
{
  memoryBarrierBuffer ();
  barrier ();
  if (gl_LocalInvocationIndex == 0u)
    atomicAdd (progress[relay.y], 1u);
}
#else
void take_over ()
{
}

void hand_on ()
{
}
#endif
