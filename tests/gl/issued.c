// SPDX-License-Identifier: MIT
#include "issued.h"

static struct {
  OdlGlTestLog *log;
  bool with_details;
  PFNGLDISPATCHCOMPUTEPROC dispatch;
  PFNGLMEMORYBARRIERPROC barrier;
} issued;

static OdlGlTestCall *
next_call (void)
{
  g_assert_cmpint (issued.log->n, <, ODL_GL_TEST_MOST_CALLS);
  OdlGlTestCall *call = &issued.log->calls[issued.log->n++];
  *call = (OdlGlTestCall){ .waits_at = -1, .place = -1 };
  return call;
}

// A program that calls neither take_over nor hand_on has not their uniforms, or not all.
static void
look_at_program (OdlGlTestCall *call)
{
  GLint id = 0, places[2] = { -1, -1 };

  glGetIntegerv (GL_CURRENT_PROGRAM, &id);
  const GLuint program = (GLuint) id;
  const GLint relay = glGetUniformLocation (program, "relay");
  const GLint wanted = glGetUniformLocation (program, "relay_wanted");
  call->is_copy = glGetUniformLocation (program, "source_first") >= 0;
  for (GLuint i = 0; i < ODL_GL_TEST_BUFFERS; i++)
    glGetIntegeri_v (GL_SHADER_STORAGE_BUFFER_BINDING, i, &call->buffers[i]);
  if (relay >= 0)
    glGetUniformiv (program, relay, places);
  if (wanted >= 0) {
    call->waits_at = places[0];
    glGetUniformiv (program, wanted, &call->wanted);
  }
  call->place = places[1];
  g_assert_cmpint (call->waits_at, <, ODL_GL_TEST_PLACES);
  g_assert_cmpint (call->place, <, ODL_GL_TEST_PLACES);
}

static void
log_dispatch (GLuint x, GLuint y, GLuint z)
{
  OdlGlTestCall *call = next_call ();

  call->groups = x * y * z;
  if (issued.with_details)
    look_at_program (call);
  issued.dispatch (x, y, z);
}

static void
log_barrier (GLbitfield bits)
{
  next_call ()->is_barrier = true;
  issued.barrier (bits);
}

void
odl_gl_test_log_start (OdlGlTestLog *log, bool with_details)
{
  // Pointers of libepoxy are resolved by the first call.
  glMemoryBarrier (GL_SHADER_STORAGE_BARRIER_BIT);
  log->n = 0;
  issued.log = log;
  issued.with_details = with_details;
  issued.dispatch = epoxy_glDispatchCompute;
  issued.barrier = epoxy_glMemoryBarrier;
  epoxy_glDispatchCompute = log_dispatch;
  epoxy_glMemoryBarrier = log_barrier;
}

void
odl_gl_test_log_stop (void)
{
  epoxy_glDispatchCompute = issued.dispatch;
  epoxy_glMemoryBarrier = issued.barrier;
}

int
odl_gl_test_log_barriers (const OdlGlTestLog *log)
{
  int n = 0;

  for (int i = 0; i < log->n; i++)
    n += log->calls[i].is_barrier;
  return n;
}

typedef struct {
  int call;
  bool works; // has taken over
} Group;

#define MOST_RESIDENT 512 // work groups of several frames

typedef struct {
  const OdlGlTestLog *log;
  guint32 *progress; // by place
  guint32 started[ODL_GL_TEST_MOST_CALLS], ended[ODL_GL_TEST_MOST_CALLS]; // work groups
  Group resident[MOST_RESIDENT];
  int n_resident, room;
  int next; // call whose groups start
  int first; // that may not have ended: the one after the last barrier that was passed
} Gpu;

static bool
has_ended (const Gpu *gpu, int call)
{
  return gpu->ended[call] == gpu->log->calls[call].groups;
}

// Whether one may overwrite what the other reads or writes. Dispatches of a frame share
// the working set; copies have the buffer that they write.
static bool
is_in_conflict (const OdlGlTestCall *a, const OdlGlTestCall *b)
{
  const OdlGlTestCall *copy = a->is_copy ? a : b, *other = a->is_copy ? b : a;

  if (!copy->is_copy)
    return true;
  if (other->is_copy)
    return copy->buffers[1] == other->buffers[1];
  for (int i = 0; i < ODL_GL_TEST_BUFFERS; i++)
    if (other->buffers[i] == copy->buffers[1])
      return true;
  return false;
}

static void
check_order (const Gpu *gpu, int call)
{
  for (int before = gpu->first; before < call; before++)
    if (is_in_conflict (&gpu->log->calls[before], &gpu->log->calls[call]))
      g_assert_true (has_ended (gpu, before));
}

// As take_over of shaders/include/relay.glsl.
static bool
can_take_over (const Gpu *gpu, const OdlGlTestCall *call)
{
  return call->waits_at < 0
         || (int) (gpu->progress[call->waits_at] - (guint32) call->wanted) >= 0;
}

// False while something before the barrier is on its way.
static bool
pass_barrier (Gpu *gpu)
{
  for (int before = gpu->first; before < gpu->next; before++)
    if (!has_ended (gpu, before))
      return false;
  gpu->first = ++gpu->next;
  return true;
}

// False when the next group may not start yet, or there is none.
static bool
start_group (Gpu *gpu)
{
  while (gpu->next < gpu->log->n) {
    const OdlGlTestCall *call = &gpu->log->calls[gpu->next];
    if (call->is_barrier ? !pass_barrier (gpu) : gpu->n_resident == gpu->room)
      return false;
    if (call->is_barrier)
      continue;
    if (gpu->started[gpu->next] < call->groups) {
      gpu->resident[gpu->n_resident++] = (Group){ .call = gpu->next };
      gpu->started[gpu->next]++;
      return true;
    }
    gpu->next++;
  }
  return false;
}

// True when it got on.
static bool
advance_group (Gpu *gpu, int which)
{
  Group *group = &gpu->resident[which];
  const OdlGlTestCall *call = &gpu->log->calls[group->call];

  if (!group->works) {
    group->works = can_take_over (gpu, call);
    if (group->works)
      check_order (gpu, group->call);
    return group->works;
  }
  gpu->ended[group->call]++;
  if (call->place >= 0)
    gpu->progress[call->place]++;
  *group = gpu->resident[--gpu->n_resident];
  return true;
}

void
odl_gl_test_simulate (const OdlGlTestLog *log, const guint32 *progress, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autofree guint32 *own = g_memdup2 (progress, ODL_GL_TEST_PLACES * sizeof *progress);
  Gpu gpu = { .log = log, .progress = own, .room = 1 << g_rand_int_range (rand, 0, 10) };
  // Some have long copies, some long dispatches: those that seldom get on.
  const bool slow_copies = g_rand_boolean (rand);
  int idle = 0;

  while (gpu.next < log->n || gpu.n_resident > 0) {
    bool moved = g_rand_int_range (rand, 0, 3) > 0 && start_group (&gpu);
    const int which = gpu.n_resident > 0 ? g_rand_int_range (rand, 0, gpu.n_resident) : 0;
    if (gpu.n_resident > 0
        && (log->calls[gpu.resident[which].call].is_copy != slow_copies
            || g_rand_int_range (rand, 0, 20) == 0))
      moved |= advance_group (&gpu, which);
    // Random moves get somewhere long before this many fail, if there is one.
    idle = moved ? 0 : idle + 1;
    g_assert_cmpint (idle, <, 100000);
  }
}
