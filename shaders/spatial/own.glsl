// SPDX-License-Identifier: MIT
// Code of the user's own (src/filter/own/own.h), whose words were looked at: what it declares
// begins with own_, and what stands here with given_. CODE is its text.
#define GIVEN_FAR 16777216
// Of all loops together, for one sample: an invocation makes four, and Mesa's rasteriser ends all of
// its loops without a word after 65535 turns.
#define GIVEN_MOST_TURNS 16000

int given_turns = 0;

bool given_turn ()
{
  return ++given_turns <= GIVEN_MOST_TURNS;
}

int given_index (int length, int i)
{
  return clamp (i, 0, length - 1);
}

int given_index (int length, uint i)
{
  return int (min (i, uint (length - 1)));
}

SAMPLE given_at (ivec2 p)
{
  return at (clamp (p, ivec2 (-GIVEN_FAR), ivec2 (GIVEN_FAR))) + bias;
}

#ifdef SECOND
SAMPLE given_other (ivec2 p)
{
  return second_at (clamp (p, ivec2 (-GIVEN_FAR), ivec2 (GIVEN_FAR))) + bias;
}
#endif

// Drivers tell these lines from those of the program by their numbers.
#line 100001
#include "CODE"
#line 1

SAMPLE filtered (ivec2 p)
{
  given_turns = 0;
  SAMPLE made = own_filtered (p) - bias;
#ifdef COUNT_TURNS
  made = SAMPLE (given_turns > GIVEN_MOST_TURNS ? 1.0 : 0.0) - bias;
#endif
#ifdef COUNT_NUMBERS
  // No number is neither above nor below: drivers differ in what step () makes of it.
  SAMPLE size_of = abs (made);
  made = max (step (SAMPLE (1e38), size_of), 1.0 - step (size_of, SAMPLE (1e38))) - bias;
#endif
  return made;
}
