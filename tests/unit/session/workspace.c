// SPDX-License-Identifier: MIT
// Workspaces as texts and files: every word comes back, and damaged ones are refused with
// the pane and the word.
#include "session/save/workspace.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

static OdlWorkspace *
make (void)
{
  OdlWorkspace *workspace = odl_workspace_new ();
  workspace->layout = g_strdup ("1x2");
  workspace->active = 1;
  workspace->alone = true;
  workspace->folder = g_strdup ("/there/a “b”");
  workspace->links = g_strsplit ("link-view;link-time", ";", -1);
  workspace->process = 1234567890123;
  workspace->begun = 4321;
  workspace->show_locations = g_strsplit ("/a;b.png|phantom:", "|", -1);
  workspace->show_recipes = g_strsplit ("gaussian:sigma=2|median", "|", -1);
  workspace->show_dwell_s = 4.5;
  workspace->calculation = g_strdup ("ellipsoid");
  workspace->calculated_from
      = g_strsplit ("1 length 3 1,2,3.5,4||2 polygon 1 0,0,9,0,9,9", "|", -1);
  workspace->n_panes = 3;
  workspace->panes[0] = (OdlWorkspacePane){
    .location = g_strdup ("series:/there/a “b”; [c]\n=.dcm"),
    .position = 41,
    .playing = true,
    .recipe = g_strdup ("gaussian:sigma=3 median"),
    .other = g_strdup ("sobel"),
    .letter = g_strdup ("B"),
    .comparison = g_strdup ("difference"),
    .view = { .image_width = 512,
              .image_height = 300,
              .zoom = 1.0 / 3,
              .centre = { -0.1, 1e-7 },
              .quarter_turns = 3,
              .flip_vertical = true },
    .mode = ODL_WINDOW_CUSTOM,
    .centre = -1024.3,
    .width = 0.1,
    .invert = true,
    .colours = g_strdup ("hot-iron"),
    .planes = true,
    .voxel = { { 1, 2, 3 } },
    .fusion = g_strdup ("series:/there/pt"),
    .fusion_share = 0.25,
    .fusion_colours = g_strdup ("pet"),
    .fusion_centre = 5000.5,
    .fusion_width = 1e4 / 3,
  };
  workspace->panes[2] = (OdlWorkspacePane){
    .location = g_strdup ("phantom:"),
    .recipe = g_strdup (""),
    .view = { .fit = true },
    .mode = ODL_WINDOW_FULL,
    .choice = 2,
  };
  return workspace;
}

static void
assert_equal (const OdlWorkspacePane *a, const OdlWorkspacePane *b)
{
  g_assert_cmpstr (a->location, ==, b->location);
  g_assert_cmpint (a->position, ==, b->position);
  g_assert_cmpint (a->playing, ==, b->playing);
  g_assert_cmpstr (a->recipe, ==, b->recipe);
  g_assert_cmpstr (a->other, ==, b->other);
  g_assert_cmpstr (a->letter, ==, b->letter);
  g_assert_cmpstr (a->comparison, ==, b->comparison);
  g_assert_cmpint (a->view.image_width, ==, b->view.image_width);
  g_assert_cmpint (a->view.image_height, ==, b->view.image_height);
  g_assert_cmpint (a->view.fit, ==, b->view.fit);
  g_assert_cmpfloat (a->view.zoom, ==, b->view.zoom);
  g_assert_cmpfloat (a->view.centre.x, ==, b->view.centre.x);
  g_assert_cmpfloat (a->view.centre.y, ==, b->view.centre.y);
  g_assert_cmpint (a->view.quarter_turns, ==, b->view.quarter_turns);
  g_assert_cmpint (a->view.flip_horizontal, ==, b->view.flip_horizontal);
  g_assert_cmpint (a->view.flip_vertical, ==, b->view.flip_vertical);
  g_assert_cmpint (a->mode, ==, b->mode);
  if (a->mode == ODL_WINDOW_CUSTOM) {
    g_assert_cmpfloat (a->centre, ==, b->centre);
    g_assert_cmpfloat (a->width, ==, b->width);
  }
  g_assert_cmpint (a->choice, ==, b->choice);
  g_assert_cmpint (a->invert, ==, b->invert);
  g_assert_cmpstr (a->colours, ==, b->colours);
  g_assert_cmpint (a->planes, ==, b->planes);
  g_assert_cmpmem (&a->voxel, sizeof a->voxel, &b->voxel, sizeof b->voxel);
  g_assert_cmpstr (a->fusion, ==, b->fusion);
  g_assert_cmpfloat (a->fusion_share, ==, b->fusion_share);
  g_assert_cmpstr (a->fusion_colours, ==, b->fusion_colours);
  g_assert_cmpfloat (a->fusion_centre, ==, b->fusion_centre);
  g_assert_cmpfloat (a->fusion_width, ==, b->fusion_width);
}

static void
test_every_word_comes_back (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlWorkspace) a = make ();
  g_autofree char *text = odl_workspace_to_text (a);
  g_autoptr (OdlWorkspace) b = odl_workspace_from_text (text, "a", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (b->layout, ==, "1x2");
  g_assert_cmpint (b->active, ==, 1);
  g_assert_true (b->alone);
  g_assert_cmpstr (b->folder, ==, "/there/a “b”");
  g_assert_false (b->ended);
  g_assert_cmpint (b->process, ==, a->process);
  g_assert_cmpint (b->begun, ==, a->begun);
  g_assert_cmpint ((int) g_strv_length (b->links), ==, 2);
  g_assert_cmpint (b->n_panes, ==, 3);
  g_assert_cmpstr (b->panes[1].location, ==, NULL);
  assert_equal (&a->panes[0], &b->panes[0]);
  assert_equal (&a->panes[2], &b->panes[2]);
  g_assert_true (g_strv_equal ((const char *const *) a->show_locations,
                               (const char *const *) b->show_locations));
  g_assert_true (g_strv_equal ((const char *const *) a->show_recipes,
                               (const char *const *) b->show_recipes));
  g_assert_cmpfloat (b->show_dwell_s, ==, 4.5);
  g_assert_cmpstr (b->calculation, ==, "ellipsoid");
  g_assert_true (g_strv_equal ((const char *const *) a->calculated_from,
                               (const char *const *) b->calculated_from));
  g_autofree char *again = odl_workspace_to_text (b);
  g_assert_cmpstr (text, ==, again);
}

static void
test_files (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a" ODL_WORKSPACE_ENDING, NULL);
  g_autoptr (OdlWorkspace) a = make ();
  g_assert_true (odl_workspace_save (a, path, &error));
  g_autoptr (OdlWorkspace) b = odl_workspace_load (path, &error);
  g_assert_no_error (error);
  assert_equal (&a->panes[0], &b->panes[0]);
  g_unlink (path);
  g_assert_null (odl_workspace_load (path, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_IO);
  g_clear_error (&error);
  g_autofree char *large = g_strnfill (ODL_WORKSPACE_MOST_BYTES + 1, '#');
  g_assert_true (g_file_set_contents (path, large, -1, NULL));
  g_assert_null (odl_workspace_load (path, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  g_unlink (path);
  g_rmdir (folder);
}

#define HEAD "[Ondelette Workspace]\nversion=1\n"

static void
test_damaged_ones_are_refused (void)
{
  static const struct {
    const char *text;
    int code;
    const char *names;
  } rows[] = {
    { "", ODL_ERROR_CORRUPT, "there.odl" },
    { "\xff\xfe", ODL_ERROR_CORRUPT, "there.odl" },
    { "[Pane 1]\nlocation=a\n", ODL_ERROR_CORRUPT, "there.odl" },
    { "[Ondelette Workspace]\nversion=2\n", ODL_ERROR_UNSUPPORTED, "version" },
    { HEAD "active=4\n", ODL_ERROR_CORRUPT, "active" },
    { HEAD "[Pane 1]\nlocation=a\nposition=-2\n", ODL_ERROR_CORRUPT, "[Pane 1]" },
    { HEAD "[Pane 1]\nlocation=a\nposition=1.5\n", ODL_ERROR_CORRUPT, "position" },
    { HEAD "[Pane 1]\nlocation=a\nzoom=nan\n", ODL_ERROR_CORRUPT, "zoom" },
    { HEAD "[Pane 1]\nlocation=a\nzoom=1e300\n", ODL_ERROR_CORRUPT, "zoom" },
    { HEAD "[Pane 1]\nlocation=a\nquarter-turns=4\n", ODL_ERROR_CORRUPT, "quarter" },
    { HEAD "[Pane 1]\nlocation=a\nfusion-share=2\n", ODL_ERROR_CORRUPT, "share" },
    { HEAD "[Pane 1]\nlocation=a\nfusion-width=-1\n", ODL_ERROR_CORRUPT, "width" },
    { HEAD "[Pane 1]\nlocation=a\nfit=perhaps\n", ODL_ERROR_CORRUPT, "fit" },
    { HEAD "[Pane 1]\nlocation=a\n[Pane 2]\nrecipe=blurr\n", ODL_ERROR_CORRUPT, "blurr" },
    { HEAD "[Presentation]\nsources=a;\nrecipes=blurr;\n", ODL_ERROR_CORRUPT, "blurr" },
    { HEAD "[Presentation]\nsources=a;\nrecipes=median;\ndwell=-1\n", ODL_ERROR_CORRUPT,
      "dwell" },
    { HEAD "[Pane 1]\nlocation=a\nother-recipe=median:size=x\n", ODL_ERROR_CORRUPT,
      "size" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (odl_workspace_from_text (rows[i].text, "there.odl", &error));
    g_assert_error (error, ODL_ERROR, rows[i].code);
    g_assert_nonnull (strstr (error->message, rows[i].names));
    g_assert_nonnull (strstr (error->message, "there.odl"));
  }
}

// What is cut off anywhere is refused, or is a workspace of fewer words.
static void
test_cut_off (void)
{
  g_autoptr (OdlWorkspace) a = make ();
  g_autofree char *text = odl_workspace_to_text (a);
  for (size_t n = strlen (text); n-- > 0;) {
    g_autoptr (GError) error = NULL;
    text[n] = '\0';
    g_autoptr (OdlWorkspace) b = odl_workspace_from_text (text, "a", &error);
    g_assert_true (b || error);
  }
}

static void
keep (bool ended, int64_t process, int64_t begun)
{
  g_autoptr (OdlWorkspace) workspace = make ();
  workspace->ended = ended;
  workspace->process = process;
  workspace->begun = begun;
  g_autofree char *text = odl_workspace_to_text (workspace);
  odl_workspace_keep (text);
}

// Killed, and its parent has not asked for its end.
static void
test_zombie (const char *current)
{
  const pid_t child = fork ();

  if (child == 0)
    _exit (0);
  siginfo_t ended;
  g_assert_cmpint (waitid (P_PID, (id_t) child, &ended, WEXITED | WNOWAIT), ==, 0);
  keep (false, child, 0);
  g_autoptr (OdlWorkspace) killed = odl_workspace_begin ();
  g_assert_false (killed->ended);
  g_assert_false (g_file_test (current, G_FILE_TEST_EXISTS));
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
}

// Where a program was killed its workspace is there once more, and for its user alone; of
// one that runs it is not taken away.
static void
test_after_the_end (void)
{
  const int64_t nobody = 0x7ffffff0;
  GStatBuf status;
  odl_workspace_forget ();
  g_assert_null (odl_workspace_begin ());
  keep (false, nobody, 0);
  g_autofree char *current = odl_workspace_current_path ();
  g_assert_cmpint (g_stat (current, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  g_autoptr (OdlWorkspace) killed = odl_workspace_begin ();
  g_assert_false (killed->ended);
  g_assert_false (g_file_test (current, G_FILE_TEST_EXISTS));
  g_autoptr (OdlWorkspace) again = odl_workspace_begin ();
  g_assert_cmpstr (again->panes[0].location, ==, killed->panes[0].location);
  keep (true, nobody, 0);
  g_autoptr (OdlWorkspace) closed = odl_workspace_begin ();
  g_assert_true (closed->ended);
  // A process that runs; the number of one that does, which was begun at another time.
  const int64_t begun = odl_workspace_begun (getppid ());
  g_assert_cmpint (begun, >, 0);
  for (int later = 0; later < 2; later++) {
    keep (false, getppid (), begun - later);
    g_autoptr (OdlWorkspace) other = odl_workspace_begin ();
    g_assert_cmpint (other->ended, ==, later == 0);
    g_assert_cmpint (g_file_test (current, G_FILE_TEST_EXISTS), ==, later == 0);
  }
  test_zombie (current);
  odl_workspace_forget ();
  g_assert_null (odl_workspace_begin ());
}

int
main (int argc, char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workspace/every-word-comes-back", test_every_word_comes_back);
  g_test_add_func ("/workspace/files", test_files);
  g_test_add_func ("/workspace/damaged-ones-are-refused", test_damaged_ones_are_refused);
  g_test_add_func ("/workspace/cut-off", test_cut_off);
  g_test_add_func ("/workspace/after-the-end", test_after_the_end);
  const int status = g_test_run ();
  g_autofree char *folder = g_build_filename (state, "ondelette", NULL);
  g_rmdir (folder);
  g_rmdir (state);
  return status;
}
