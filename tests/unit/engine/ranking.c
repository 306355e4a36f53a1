// SPDX-License-Identifier: MIT
// What “auto” takes, who may say otherwise, and what is kept between runs.
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "engine/choice.h"
#include "engine/choice_cache.h"

#include "../../helpers/plans.h"

static OdlEngineChoice
choice_of (const char *text)
{
  OdlEngineChoice choice;
  g_autoptr (GError) error = NULL;

  odl_engine_choice_parse (text, &choice, &error);
  g_assert_no_error (error);
  return choice;
}

static void
set_ms (OdlRanking *ranking, const char *text, double ms)
{
  OdlCandidate *candidate = odl_ranking_find (ranking, choice_of (text));

  g_assert_nonnull (candidate);
  odl_ranking_set_measured (ranking, (int) (candidate - ranking->candidates), ms);
}

static void
set_failed (OdlRanking *ranking, const char *text)
{
  OdlCandidate *candidate = odl_ranking_find (ranking, choice_of (text));

  g_assert_nonnull (candidate);
  odl_ranking_set_failed (ranking, (int) (candidate - ranking->candidates), "broken");
}

// `data`: names that are not usable, NULL-terminated.
static bool
is_usable (OdlEngineChoice choice, void *data)
{
  g_autofree char *text = odl_engine_choice_to_text (choice);

  return !g_strv_contains (data, text);
}

static void
assert_picks (const OdlRanking *ranking, const char *without, const char *expected)
{
  g_auto (GStrv) names = g_strsplit (without, " ", -1);
  OdlEngineChoice choice = odl_choice_pick (ranking, is_usable, names);

  if (expected == NULL) {
    g_assert_null (choice.klass);
    return;
  }
  g_assert_nonnull (choice.klass);
  g_autofree char *text = odl_engine_choice_to_text (choice);
  g_assert_cmpstr (text, ==, expected);
}

static void
candidates_exist_and_draw_the_right_picture (void)
{
  g_autoptr (OdlRanking) ranking = odl_ranking_new ("key");

  g_assert_cmpint (ranking->n, ==, (int) g_strv_length ((char **) odl_choice_candidates));
  for (int i = 0; i < ranking->n; i++) {
    g_autofree char *text = odl_engine_choice_to_text (ranking->candidates[i].choice);
    g_assert_cmpstr (text, ==, odl_choice_candidates[i]);
    g_assert_cmpstr (text, !=, "reference");
    g_assert_null (strstr (text, "mirror"));
  }
  // Every engine but the reference has a chance.
  for (size_t i = 0; i < odl_engine_count (); i++) {
    const OdlEngineClass *klass = odl_engine_at (i);
    OdlCandidate *found = odl_ranking_find (ranking, (OdlEngineChoice){ klass, NULL });
    g_test_message ("%s", klass->name);
    g_assert_true ((found == NULL) == g_str_equal (klass->name, "reference"));
  }
}

static void
the_fastest_usable_wins (void)
{
  g_autoptr (OdlRanking) ranking = odl_ranking_new ("key");

  set_ms (ranking, "cpu", 2);
  set_ms (ranking, "gl-compute", 0.5);
  set_ms (ranking, "gl-fragment:quads", 1);
  assert_picks (ranking, "", "gl-compute");
  assert_picks (ranking, "gl-compute", "gl-fragment:quads");
  assert_picks (ranking, "gl-compute gl-fragment:quads", "cpu");
  // What was not measured comes after what was, what failed does not come at all.
  set_failed (ranking, "gl-lookup");
  assert_picks (ranking, "gl-compute gl-fragment:quads cpu", "gl-fragment");
  set_failed (ranking, "gl-fragment");
  set_failed (ranking, "gl-compute");
  set_failed (ranking, "gl-fragment:quads");
  assert_picks (ranking, "", "cpu");
}

static void
without_a_measurement_a_rule_decides (void)
{
  g_autoptr (OdlRanking) ranking = odl_ranking_new ("key");
  g_autoptr (GString) all = g_string_new ("");

  assert_picks (NULL, "", "gl-fragment");
  assert_picks (ranking, "", "gl-fragment");
  assert_picks (NULL, "gl-fragment", "cpu");
  for (int i = 0; odl_choice_candidates[i] != NULL; i++)
    g_string_append_printf (all, "%s ", odl_choice_candidates[i]);
  assert_picks (NULL, all->str, "reference");
  g_string_append (all, "reference");
  assert_picks (NULL, all->str, NULL);
}

static void
software_gl_never_beats_the_cpu (void)
{
  g_autoptr (OdlRanking) ranking = odl_ranking_new ("key");

  set_ms (ranking, "cpu", 20);
  set_ms (ranking, "gl-fragment", 1);
  assert_picks (ranking, "", "gl-fragment");
  ranking->software = true;
  assert_picks (ranking, "", "cpu");
  assert_picks (ranking, "cpu", "gl-fragment");
  // Nor where there was no time to measure any.
  g_autoptr (OdlRanking) unmeasured = odl_ranking_new ("key");
  unmeasured->software = true;
  assert_picks (unmeasured, "", "cpu");
  set_ms (unmeasured, "cpu", 20000);
  unmeasured->software = false;
  assert_picks (unmeasured, "", "cpu");
}

static void
what_is_out_of_reach_is_no_slow_one (void)
{
  g_autoptr (OdlRanking) ranking = odl_ranking_new ("key");

  for (int i = 0; i < ranking->n; i++)
    if (ranking->candidates[i].choice.klass->needs_gl)
      odl_ranking_set_out_of_reach (ranking, i, "another card");
  set_ms (ranking, "cpu", 2);
  g_assert_true (odl_ranking_is_complete (ranking));
  assert_picks (ranking, "", "gl-fragment");
  assert_picks (ranking, "gl-fragment", "cpu");
  // The canvas has none.
  g_autoptr (GString) all = g_string_new ("");
  for (int i = 0; i < ranking->n; i++)
    if (ranking->candidates[i].choice.klass->needs_gl)
      g_string_append_printf (all, "%s ", odl_choice_candidates[i]);
  assert_picks (ranking, all->str, "cpu");
}

static void
requests_have_an_order (void)
{
  static const struct {
    const char *option, *variable, *setting;
    OdlRequestOrigin origin;
    const char *expected; // NULL: auto
  } cases[] = {
    { NULL, NULL, NULL, ODL_REQUEST_AUTO, NULL },
    { "", "", "", ODL_REQUEST_AUTO, NULL },
    { NULL, NULL, "cpu", ODL_REQUEST_SETTING, "cpu" },
    { NULL, NULL, "auto", ODL_REQUEST_SETTING, NULL },
    { NULL, NULL, "engine-of-tomorrow", ODL_REQUEST_AUTO, NULL },
    { NULL, "gl-fragment:quads", "cpu", ODL_REQUEST_ENVIRONMENT, "gl-fragment:quads" },
    { NULL, "auto", "cpu", ODL_REQUEST_ENVIRONMENT, NULL },
    { "reference", "gl-fragment", "cpu", ODL_REQUEST_OPTION, "reference" },
    { "auto", "gl-fragment", "cpu", ODL_REQUEST_OPTION, NULL },
    { "cpu:scalar", "nonsense", NULL, ODL_REQUEST_OPTION, "cpu:scalar" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    OdlEngineRequest request;
    if (cases[i].variable != NULL)
      g_setenv ("ODL_ENGINE", cases[i].variable, TRUE);
    else
      g_unsetenv ("ODL_ENGINE");
    odl_engine_request (cases[i].option, cases[i].setting, &request, &error);
    g_assert_no_error (error);
    g_assert_cmpint (request.origin, ==, cases[i].origin);
    g_autofree char *text = request.choice.klass != NULL
                                ? odl_engine_choice_to_text (request.choice)
                                : NULL;
    g_assert_cmpstr (text, ==, cases[i].expected);
  }
}

static void
a_wrong_request_names_its_origin (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) second = NULL;
  OdlEngineRequest request;

  g_setenv ("ODL_ENGINE", "magic", TRUE);
  g_assert_false (odl_engine_request (NULL, NULL, &request, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "ODL_ENGINE"));
  g_assert_nonnull (strstr (error->message, "magic"));
  g_assert_null (request.choice.klass);
  g_assert_false (odl_engine_request ("cpu:magic", NULL, &request, &second));
  g_assert_error (second, ODL_ERROR, ODL_ERROR_USAGE);
  g_assert_null (strstr (second->message, "ODL_ENGINE"));
  g_unsetenv ("ODL_ENGINE");
}

// ---- the key -------------------------------------------------------------------------

static char *
key_of (const char *text, int width, int height, const char *gpu)
{
  const OdlGeometry geometry = { width, height, 1, 8 };
  const OdlRecipe recipe = odl_test_recipe (text);
  g_autoptr (OdlPlan) plan = odl_test_plan_of (&recipe, &geometry);

  return odl_choice_key (plan, ODL_TARGET_GL_CANVAS, gpu);
}

static void
keys_tell_apart_what_matters (void)
{
  static const struct {
    const char *recipe;
    int width, height;
    const char *gpu;
    bool same; // as soft-threshold:levels=3 of 512 × 512
  } cases[] = {
    { "soft-threshold:levels=5,threshold=0.3", 512, 512, "card; 1", true },
    { "shrinkage", 500, 520, "card; 1", true },
    { "soft-threshold:levels=3", 1024, 512, "card; 1", false },
    { "soft-threshold:levels=3", 512, 512, "card; 2", false },
    { "soft-threshold:levels=3", 512, 512, "", false },
    { "soft-threshold:levels=3,wavelet=int53", 512, 512, "card; 1", false },
    { "soft-threshold:levels=3 border=periodic", 512, 512, "card; 1", false },
    { "soft-threshold:levels=3 precision=16", 512, 512, "card; 1", false },
    { "soft-threshold:levels=3 view=analysis", 512, 512, "card; 1", false },
    { "gaussian", 512, 512, "card; 1", false },
  };
  g_autofree char *first = key_of ("soft-threshold:levels=3", 512, 512, "card; 1");

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *key
        = key_of (cases[i].recipe, cases[i].width, cases[i].height, cases[i].gpu);
    g_test_message ("%s", key);
    g_assert_true (g_str_equal (key, first) == cases[i].same);
  }
}

// ---- the cache -----------------------------------------------------------------------

typedef struct {
  char *folder;
  char *path;
} Folder;

static void
folder_set_up (Folder *folder, const void *data)
{
  g_autoptr (GError) error = NULL;

  folder->folder = g_dir_make_tmp ("ondelette-XXXXXX", &error);
  g_assert_no_error (error);
  folder->path = g_build_filename (folder->folder, "sub", "engines.ini", NULL);
}

static void
folder_tear_down (Folder *folder, const void *data)
{
  g_autofree char *sub = g_path_get_dirname (folder->path);

  g_chmod (sub, 0700);
  g_unlink (folder->path);
  g_rmdir (sub);
  g_unlink (sub);
  g_rmdir (folder->folder);
  g_free (folder->folder);
  g_free (folder->path);
}

static void
save (Folder *folder, const char *key, double ms, int64_t at)
{
  g_autoptr (OdlRanking) ranking = odl_ranking_new (key);
  g_autoptr (GError) error = NULL;

  set_ms (ranking, "cpu", ms);
  set_failed (ranking, "gl-compute");
  ranking->measured_at = at;
  ranking->software = true;
  g_assert_true (odl_choice_cache_save (folder->path, ranking, &error));
  g_assert_no_error (error);
}

static void
what_is_kept_comes_back (Folder *folder, const void *data)
{
  save (folder, "this machine", 1.25, 1234);
  save (folder, "this machine, larger", 17.5, 1235);

  g_autoptr (OdlRanking) ranking = odl_choice_cache_load (folder->path, "this machine");
  g_assert_nonnull (ranking);
  g_assert_cmpstr (ranking->key, ==, "this machine");
  g_assert_cmpint (ranking->measured_at, ==, 1234);
  g_assert_true (ranking->software);
  const OdlCandidate *cpu = odl_ranking_find (ranking, choice_of ("cpu"));
  g_assert_cmpint (cpu->state, ==, ODL_CANDIDATE_MEASURED);
  g_assert_cmpfloat (cpu->ms, ==, 1.25);
  const OdlCandidate *compute = odl_ranking_find (ranking, choice_of ("gl-compute"));
  g_assert_cmpint (compute->state, ==, ODL_CANDIDATE_FAILED);
  g_assert_cmpstr (compute->reason, ==, "broken");
  const OdlCandidate *fragment = odl_ranking_find (ranking, choice_of ("gl-fragment"));
  g_assert_cmpint (fragment->state, ==, ODL_CANDIDATE_UNMEASURED);
  g_assert_false (odl_ranking_is_complete (ranking));
  // Another machine has to measure.
  g_assert_null (odl_choice_cache_load (folder->path, "that machine"));
}

static void
a_damaged_file_is_as_none (Folder *folder, const void *data)
{
  static const char *const cases[] = {
    "", "\x00\xff\xfe binary", "[", "no group\n", "[0000000000000000]\nkey=this\n",
  };
  g_autofree char *sub = g_path_get_dirname (folder->path);

  g_assert_null (odl_choice_cache_load (folder->path, "this"));
  g_mkdir (sub, 0700);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_true (g_file_set_contents (folder->path, cases[i], -1, NULL));
    g_assert_null (odl_choice_cache_load (folder->path, "this"));
    save (folder, "this", 2, 1);
    g_autoptr (OdlRanking) ranking = odl_choice_cache_load (folder->path, "this");
    g_assert_nonnull (ranking);
  }
}

static void
replace_in_file (Folder *folder, const char *from, const char *to)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (folder->path, &text, NULL, NULL));
  g_auto (GStrv) parts = g_strsplit (text, from, -1);
  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  g_autofree char *changed = g_strjoinv (to, parts);
  g_assert_true (g_file_set_contents (folder->path, changed, -1, NULL));
}

static void
absurd_times_do_not_count (Folder *folder, const void *data)
{
  static const char *const values[] = { "-1", "0", "nan", "inf", "1e300", "fast", "" };

  for (size_t i = 0; i < G_N_ELEMENTS (values); i++) {
    save (folder, "this", 1.25, 1);
    replace_in_file (folder, "1.25", values[i]);
    g_autoptr (OdlRanking) ranking = odl_choice_cache_load (folder->path, "this");
    const OdlCandidate *cpu = odl_ranking_find (ranking, choice_of ("cpu"));
    g_test_message ("“%s”", values[i]);
    g_assert_cmpint (cpu->state, ==, ODL_CANDIDATE_UNMEASURED);
  }
  // The digest of one key with the text of another.
  save (folder, "this", 1.25, 1);
  replace_in_file (folder, "key=this", "key=that");
  g_assert_null (odl_choice_cache_load (folder->path, "this"));
}

static void
an_unwritable_folder_is_told (Folder *folder, const void *data)
{
  g_autofree char *sub = g_path_get_dirname (folder->path);
  g_autoptr (OdlRanking) ranking = odl_ranking_new ("this");
  g_autoptr (GError) error = NULL;

  // A file where the folder should be: nobody can write there, not even root.
  g_assert_true (g_file_set_contents (sub, "", -1, NULL));
  g_assert_false (odl_choice_cache_save (folder->path, ranking, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_IO);
  g_assert_null (odl_choice_cache_load (folder->path, "this"));
  odl_choice_cache_begin (folder->path, ranking, 0);
  odl_choice_cache_end (folder->path, ranking);
}

static void
the_oldest_keys_go (Folder *folder, const void *data)
{
  for (int i = 0; i < 80; i++) {
    g_autofree char *key = g_strdup_printf ("key %d", i);
    save (folder, key, 1, 1000 + i);
  }
  g_autoptr (GKeyFile) file = g_key_file_new ();
  gsize n = 0;
  g_assert_true (g_key_file_load_from_file (file, folder->path, 0, NULL));
  g_strfreev (g_key_file_get_groups (file, &n));
  g_assert_cmpuint (n, <=, 64);
  g_assert_null (odl_choice_cache_load (folder->path, "key 0"));
  g_autoptr (OdlRanking) last = odl_choice_cache_load (folder->path, "key 79");
  g_assert_nonnull (last);
}

static int
state_of (Folder *folder, const char *name)
{
  g_autoptr (OdlRanking) ranking = odl_choice_cache_load (folder->path, "this");

  return (int) odl_ranking_find (ranking, choice_of (name))->state;
}

// The program ends in the middle of a measurement, which a bad driver can do.
static void
two_accidents_exclude_an_engine (Folder *folder, const void *data)
{
  g_autoptr (OdlRanking) ranking = odl_ranking_new ("this");
  int index = (int) (odl_ranking_find (ranking, choice_of ("gl-compute"))
                     - ranking->candidates);

  odl_choice_cache_begin (folder->path, ranking, 0);
  odl_choice_cache_end (folder->path, ranking);
  for (int accident = 0; accident < 2; accident++) {
    g_assert_cmpint (state_of (folder, "gl-compute"), ==, ODL_CANDIDATE_UNMEASURED);
    odl_choice_cache_begin (folder->path, ranking, index);
  }
  g_assert_cmpint (state_of (folder, "gl-compute"), ==, ODL_CANDIDATE_FAILED);
  g_assert_cmpint (state_of (folder, "cpu"), ==, ODL_CANDIDATE_UNMEASURED);
  g_autoptr (OdlRanking) kept = odl_choice_cache_load (folder->path, "this");
  assert_picks (kept, "gl-fragment cpu gl-fragment:quads gl-lookup", "reference");
}

// Another program that measures the first candidate until the pipe ends, and then ends.
static pid_t
start_another (Folder *folder, const OdlRanking *ranking, int go[2])
{
  int ready[2];
  char byte = 0;

  g_assert_cmpint (pipe (go), ==, 0);
  g_assert_cmpint (pipe (ready), ==, 0);
  const pid_t pid = fork ();
  if (pid == 0) {
    close (go[1]);
    odl_choice_cache_begin (folder->path, ranking, 0);
    if (write (ready[1], &byte, 1) != 1 || read (go[0], &byte, 1) != 0)
      _exit (1);
    _exit (0);
  }
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  close (ready[0]);
  close (ready[1]);
  close (go[0]);
  return pid;
}

// Programs that measure at the same time are no accidents of each other.
static void
other_programs_are_no_accidents (Folder *folder, const void *data)
{
  g_autoptr (OdlRanking) ranking = odl_ranking_new ("this");

  for (int accidents = 0; accidents < 2; accidents++) {
    int go[2];
    const pid_t another = start_another (folder, ranking, go);
    g_assert_cmpint (state_of (folder, "cpu"), ==, ODL_CANDIDATE_UNMEASURED);
    // What another one is trying is no reason to leave it alone, however often.
    for (int i = 0; i < 3; i++) {
      odl_choice_cache_begin (folder->path, ranking, 1);
      odl_choice_cache_end (folder->path, ranking);
      g_assert_cmpint (state_of (folder, "cpu"), ==, ODL_CANDIDATE_UNMEASURED);
    }
    close (go[1]);
    g_assert_cmpint (waitpid (another, NULL, 0), ==, another);
  }
  // One that ended in the middle is.
  for (int accidents = 0; accidents < 2; accidents++) {
    int go[2];
    g_assert_cmpint (state_of (folder, "cpu"), ==, ODL_CANDIDATE_UNMEASURED);
    const pid_t another = start_another (folder, ranking, go);
    close (go[1]);
    g_assert_cmpint (waitpid (another, NULL, 0), ==, another);
  }
  g_assert_cmpint (state_of (folder, "cpu"), ==, ODL_CANDIDATE_FAILED);
}

#define ADD_IN_FOLDER(path, test) \
  g_test_add (path, Folder, NULL, folder_set_up, test, folder_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ranking/candidates-exist-and-draw-the-right-picture",
                   candidates_exist_and_draw_the_right_picture);
  g_test_add_func ("/ranking/the-fastest-usable-wins", the_fastest_usable_wins);
  g_test_add_func ("/ranking/without-a-measurement-a-rule-decides",
                   without_a_measurement_a_rule_decides);
  g_test_add_func ("/ranking/software-gl-never-beats-the-cpu",
                   software_gl_never_beats_the_cpu);
  g_test_add_func ("/ranking/what-is-out-of-reach-is-no-slow-one",
                   what_is_out_of_reach_is_no_slow_one);
  g_test_add_func ("/request/option-environment-setting-auto", requests_have_an_order);
  g_test_add_func ("/request/a-wrong-one-names-its-origin",
                   a_wrong_request_names_its_origin);
  g_test_add_func ("/key/tells-apart-what-matters", keys_tell_apart_what_matters);
  ADD_IN_FOLDER ("/cache/what-is-kept-comes-back", what_is_kept_comes_back);
  ADD_IN_FOLDER ("/cache/a-damaged-file-is-as-none", a_damaged_file_is_as_none);
  ADD_IN_FOLDER ("/cache/absurd-times-do-not-count", absurd_times_do_not_count);
  ADD_IN_FOLDER ("/cache/an-unwritable-folder-is-told", an_unwritable_folder_is_told);
  ADD_IN_FOLDER ("/cache/the-oldest-keys-go", the_oldest_keys_go);
  ADD_IN_FOLDER ("/cache/two-accidents-exclude-an-engine",
                 two_accidents_exclude_an_engine);
  ADD_IN_FOLDER ("/cache/other-programs-are-no-accidents",
                 other_programs_are_no_accidents);
  return g_test_run ();
}
