// SPDX-License-Identifier: MIT
// What the proof works with: an engine in one of its variants, pictures, distances.
#pragma once

#include "engine/engine.h"

typedef struct {
  char *name; // "gl-fragment:packed, OpenGL ES"
  OdlEngine *engine;
  OdlEngine *reference;
  // Items are dealt out to the ways in which the engine can work. Those of the processor
  // take them all (one share). On a GPU so does the engine as it chooses by itself, in
  // the first API; its variants and the second API take one of seven, each another one.
  // Where every program has to be compiled for a long time (slow), all ways together take
  // every wavelet once and some sizes; the tests of that engine walk all sizes. With
  // ODL_PROOF_ALL every way takes them all.
  int turn; // of the way
  int shares;
  bool slow;
  int cases; // dealt out so far
  int compared, refused; // pictures; a case without any has proved nothing
} Proof;

typedef struct {
  const char *name; // path below /proof/ENGINE/
  void (*check) (Proof *proof);
} ProofCase;

// Runs every case with every variant of the engine that ODL_TEST_ENGINE names, in every
// API. The end of main. Exits 77 where this machine cannot open the engine at all.
int odl_proof_run (const ProofCase *cases, size_t n_cases);

// Whether the item of this number belongs to the share of this way.
static inline bool
odl_proof_takes (const Proof *proof, int item)
{
  return item % proof->shares == proof->turn % proof->shares;
}

// Cases of filters.c.
void odl_proof_every_step (Proof *proof);
void odl_proof_every_filter (Proof *proof);

// Case of operands.c.
void odl_proof_second_pictures (Proof *proof);

// How much more errors grow than with CDF 9/7; computed once each.
double odl_proof_unrest (const OdlWavelet *wavelet, const char *border);

OdlImage *
odl_proof_noise (int width, int height, int channels, OdlSampleType type, guint32 seed);
// Second pictures are of noise, whatever file the text names.
OdlPlan *odl_proof_plan (const char *text, const OdlImage *image);

// `tile` repeated beyond its own edges by the rule of `border`, grey, of its type.
OdlImage *
odl_proof_repeat (const OdlImage *tile, int width, int height, OdlBorder border);

// The largest difference of two pictures, scaled; infinite when shapes differ or a sample
// is not finite.
double odl_proof_distance (OdlImage *a, OdlImage *b);
