// SPDX-License-Identifier: MIT
#include "engine/gl/compute/flow.h"

static bool
is_changed (const OdlGlDispatch *dispatch, const OdlPlan *before, const OdlPlan *now)
{
  const OdlGlFusion *fusion = dispatch->fusion;

  for (int k = 0; k < dispatch->bank.count; k++)
    if (!odl_step_same_parameters (&before->steps[dispatch->bank.first + k],
                                   &now->steps[dispatch->bank.first + k]))
      return true;
  if (fusion == NULL)
    return !odl_step_same_parameters (&before->steps[dispatch->parameters],
                                      &now->steps[dispatch->parameters]);
  // Analysis has no parameters.
  for (int level = 0; level < fusion->levels && fusion->kind != ODL_GL_FUSION_ANALYSIS;
       level++) {
    const int step = fusion->level[level].threshold;
    if (!odl_step_same_parameters (&before->steps[step], &now->steps[step]))
      return true;
  }
  return false;
}

static const OdlGlDispatch *
dispatch_at (const GArray *dispatches, guint index)
{
  return &g_array_index (dispatches, OdlGlDispatch, index);
}

// By default a dispatch binds its inputs first and its output last (LOAD may lack the
// input); `written` marks the outputs of others.
static bool
is_target (const OdlGlDispatch *dispatch, int binding)
{
  int last = ODL_GL_DISPATCH_BUFFERS - 1;

  if (dispatch->written != 0)
    return (dispatch->written & 1u << binding) != 0;
  while (last > 0 && dispatch->buffers[last] == 0)
    last--;
  return binding == last;
}

static bool
writes (const OdlGlDispatch *dispatch, GLuint buffer)
{
  for (int b = 0; b < ODL_GL_DISPATCH_BUFFERS; b++)
    if (dispatch->buffers[b] == buffer && is_target (dispatch, b))
      return true;
  return false;
}

// The last dispatch before `before` that writes `buffer`; −1: none.
static int
writer_of (const GArray *dispatches, GLuint buffer, guint before)
{
  for (int i = (int) before - 1; i >= 0; i--)
    if (writes (dispatch_at (dispatches, (guint) i), buffer))
      return i;
  return -1;
}

// The latest dispatch to start from so that the inputs of dispatch `index` are valid,
// given that `start` suits those before it: inputs from before `start` must not have been
// overwritten later in the frame.
static guint
start_for (const GArray *dispatches, guint index, guint start)
{
  const OdlGlDispatch *dispatch = dispatch_at (dispatches, index);

  for (int b = 0; b < ODL_GL_DISPATCH_BUFFERS; b++) {
    const bool reads = !is_target (dispatch, b) || (dispatch->rewritten & 1u << b) != 0;
    if (dispatch->buffers[b] == 0 || !reads)
      continue;
    const int writer = writer_of (dispatches, dispatch->buffers[b], index);
    const int last = writer_of (dispatches, dispatch->buffers[b], dispatches->len);
    if (writer < (int) start && writer != last)
      start = (guint) MAX (writer, 0);
  }
  return start;
}

guint
odl_gl_resume_at (const GArray *dispatches, const OdlPlan *before, const OdlPlan *now)
{
  guint start = 0, wanted;

  while (start < dispatches->len
         && !is_changed (dispatch_at (dispatches, start), before, now))
    start++;
  if (start == dispatches->len)
    return 0;
  do {
    wanted = start;
    for (guint i = start; i < dispatches->len; i++)
      start = MIN (start, start_for (dispatches, i, start));
  } while (start < wanted);
  return start;
}

// Whether neither writes what the other one touches.
static bool
are_independent (const OdlGlDispatch *a, const OdlGlDispatch *b)
{
  for (int i = 0; i < ODL_GL_DISPATCH_BUFFERS; i++)
    for (int j = 0; j < ODL_GL_DISPATCH_BUFFERS; j++)
      if (a->buffers[i] != 0 && a->buffers[i] == b->buffers[j]
          && (is_target (a, i) || is_target (b, j)))
        return false;
  return true;
}

void
odl_gl_let_overlap (GArray *dispatches, const OdlPlan *plan)
{
  guint first = 0;

  for (guint next = 1; next < dispatches->len; next++) {
    OdlGlDispatch *last = &g_array_index (dispatches, OdlGlDispatch, next - 1);
    const OdlGlDispatch *candidate = dispatch_at (dispatches, next);
    bool overlap = plan->steps[last->step].kind == plan->steps[candidate->step].kind;

    for (guint i = first; i < next && overlap; i++)
      overlap = are_independent (dispatch_at (dispatches, i), candidate);
    last->overlaps = overlap;
    if (!overlap)
      first = next;
  }
}

static bool
is_measured (const GArray *dispatches, const OdlPlan *plan)
{
  bool measured = false;

  for (guint i = 0; i < dispatches->len; i++) {
    const OdlGlDispatch *dispatch = dispatch_at (dispatches, i);
    const OdlStepKind kind = plan->steps[dispatch->step].kind;
    if (dispatch->once || dispatch->term > 0 || kind == ODL_STEP_SNAKES)
      return false;
    measured |= kind == ODL_STEP_NOISE;
  }
  return measured;
}

GArray *
odl_gl_turns_new (const GArray *dispatches, const OdlPlan *plan)
{
  g_autofree guint *rank = g_new0 (guint, dispatches->len);
  guint last = 0;

  if (!is_measured (dispatches, plan))
    return NULL;
  for (guint i = 1; i < dispatches->len; i++) { // LOAD, the first, is for all
    // Sides, which take no time, first, so that masks are made beside analysis.
    rank[i]
        = plan->steps[dispatch_at (dispatches, i)->step].kind == ODL_STEP_SIDES ? 1 : 2;
    for (guint j = 1; j < i; j++)
      if (!are_independent (dispatch_at (dispatches, j), dispatch_at (dispatches, i)))
        rank[i] = MAX (rank[i], rank[j] + 1);
    last = MAX (last, rank[i]);
  }
  GArray *turns = g_array_sized_new (FALSE, FALSE, sizeof (OdlGlTurn), dispatches->len);
  for (guint r = 0; r <= last; r++) {
    for (guint i = 0; i < dispatches->len; i++)
      if (rank[i] == r)
        g_array_append_val (turns, ((OdlGlTurn){ i, true }));
    g_array_index (turns, OdlGlTurn, turns->len - 1).overlaps = false;
  }
  return turns;
}
