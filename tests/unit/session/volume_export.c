// SPDX-License-Identifier: MIT
// Volumes that are exported without a window: byte by byte what the command line writes,
// which is held against other programs.
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

#include "../source/support.h"
#include "base/error.h"
#include "image/compare.h"
#include "image/render/preset.h"
#include "session/render/renderer.h"
#include "session/save/exporter.h"
#include "source/source.h"
#include "source/volume.h"
#include "work/result.h"
#include "told.h"

#define SIDE_X 7
#define SIDE_Y 6
#define SLICES 5
#define VOLUMES 4
#define PHANTOM "phantom:40x36x20"
#define GRID "register:with=reference.mha,dimensions=3,output=grid,iterations=1"

typedef struct {
  const char *input, *output, *filters;
  int64_t first, count; // count 0: all
} Case;

static char *folder;

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static OdlOperands *
read_operands (const OdlRecipe *recipe)
{
  g_autoptr (OdlOperands) operands = odl_operands_new ();

  for (int i = 0; i < recipe->n_items; i++) {
    const char *name = odl_recipe_operand (recipe, i);
    g_autoptr (OdlSource) source = name ? odl_source_open (name, NULL, NULL) : NULL;
    g_autoptr (OdlImage) volume
        = source
              ? odl_source_read_volume (source, 0, ODL_VOLUME_FILTERED_WHOLE, NULL, NULL)
              : NULL;
    g_assert_true (!name || odl_operands_add (operands, name, volume, NULL));
  }
  return g_steal_pointer (&operands);
}

static OdlExporter *
export_new (const Case *c, bool replace, Told *told)
{
  g_autofree char *path = in_folder (c->output);
  g_autofree char *file = in_folder (c->input);
  OdlExporterParams params = { .location = strchr (c->input, ':') ? c->input : file,
                               .replace = replace,
                               .first = c->first,
                               .count = c->count };
  g_autofree char *fitting = odl_save_format_fit (&params.format, path);
  g_autoptr (GError) error = NULL;

  params.path = fitting;
  odl_recipe_init (&params.recipe);
  g_assert_true (odl_recipe_parse (&params.recipe, c->filters, &error));
  g_assert_true (odl_engine_choice_parse ("cpu", &params.engine, &error));
  g_autoptr (OdlOperands) operands = read_operands (&params.recipe);
  params.operands = operands;
  return odl_exporter_new (&params, told_cb, told);
}

static OdlExporterState export(const Case *c, bool replace, int code, const char *says)
{
  Told told = { 0 };
  g_autoptr (OdlExporter) exporter = export_new (c, replace, &told);

  wait_until_told (&told);
  g_test_message ("%s: %s", c->output, told.message);
  g_assert_cmpint (told.code, ==, code);
  g_assert_nonnull (strstr (told.message, says));
  return odl_exporter_state (exporter);
}

static GBytes *
bytes_of (const char *name)
{
  g_autofree char *path = in_folder (name);
  g_autoptr (GError) error = NULL;
  char *bytes;
  gsize size;

  g_file_get_contents (path, &bytes, &size, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (bytes, size);
}

// Oblique, with steps of time, in floats that go from −3 up.
static void
make_volumes (const char *name)
{
  const size_t n = (size_t) SIDE_X * SIDE_Y * SLICES * VOLUMES;
  g_autofree float *samples = g_new (float, n);
  g_autofree char *path = in_folder (name);
  g_autoptr (GString) text = g_string_new ("ObjectType = Image\nNDims = 4\n"
                                           "BinaryData = True\n"
                                           "BinaryDataByteOrderMSB = False\n"
                                           "TransformMatrix = 0.8 0.6 0 0 -0.6 0.8 0 0 "
                                           "0 0 1 0 0 0 0 1\n"
                                           "Offset = -12.5 30 7 0\n"
                                           "ElementSpacing = 0.5 0.75 2 0.04\n");

  g_string_append_printf (text,
                          "DimSize = %d %d %d %d\nElementType = MET_FLOAT\n"
                          "ElementDataFile = LOCAL\n",
                          SIDE_X, SIDE_Y, SLICES, VOLUMES);
  for (size_t i = 0; i < n; i++)
    samples[i] = (float) ((i * 7919) % 101) - 3;
  g_string_append_len (text, (const char *) samples, (gssize) (n * sizeof *samples));
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
}

// What the command line writes of the same. It fails where slices are damaged.
static GBytes *
written_by_command (const Case *c, bool whole)
{
  g_autofree char *name = g_strconcat ("cli-", c->output, NULL);
  g_autofree char *output = in_folder (name);
  g_autofree char *file = in_folder (c->input);
  g_autofree char *frames
      = g_strdup_printf ("%" PRId64 "-%" PRId64, c->first + 1, c->first + c->count);
  const char *const always[] = { g_getenv ("ODL_CLI"),
                                 "process",
                                 strchr (c->input, ':') ? c->input : file,
                                 "-o",
                                 output,
                                 "--engine",
                                 "cpu",
                                 NULL };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) filters = g_strsplit (c->filters, " ", -1);
  g_autofree char *said = NULL;
  int status;

  g_strv_builder_addv (builder, (const char **) always);
  for (char **filter = filters; *filter != NULL; filter++)
    g_strv_builder_add_many (builder, "--filter", *filter, NULL);
  if (c->count > 0)
    g_strv_builder_add_many (builder, "--frames", frames, NULL);
  g_auto (GStrv) words = g_strv_builder_end (builder);
  g_assert_true (
      g_spawn_sync (NULL, words, NULL, 0, NULL, NULL, NULL, &said, &status, NULL));
  g_test_message ("%s", said);
  g_assert_true (!whole || g_spawn_check_wait_status (status, NULL));
  return bytes_of (name);
}

static void
volumes_are_those_of_the_command_line (void)
{
  static const Case cases[] = {
    { "in.mha", "plain.mha", "" },
    { "in.mha", "slices.stack.tif", "gaussian:sigma=1" },
    { "in.mha", "slices.nii.gz", "gaussian:sigma=1 median" },
    { "in.mha", "whole.nii", "convolve:dimensions=3,shape=gaussian,size=3" },
    { "in.mha", "time.mha", "convolve:dimensions=4,shape=gaussian,size=3" },
    { "in.mha", "mean.nii", "sliding-mean:frames=3" },
    { "in.mha", "later.nii", "sliding-mean:frames=3", SLICES, 2 * SLICES },
    { "in.mha", "part.mha", "gaussian:sigma=1", SLICES + 1, 3 },
    { "phantom:24x20x12", "one.stack.tiff",
      "shrinkage:dimensions=3,levels=2,thresholds=0.1" },
    { PHANTOM, "moving.mha", "" },
    { PHANTOM, "reference.mha", "convolve:dimensions=3,shape=gaussian,size=5" },
    { "moving.mha", "edges.mha", GRID },
  };

  make_volumes ("in.mha");
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const OdlExporterState state = export(&cases[i], false, -1, "");
    g_autoptr (GBytes) got = bytes_of (cases[i].output);
    g_autoptr (GBytes) truth = written_by_command (&cases[i], true);
    g_assert_cmpint (state.written, ==, state.total);
    g_assert_true (g_bytes_equal (got, truth));
  }
}

// One slice of a stack is torn: no numbers are in its place, the others are there.
static void
damaged_slices_hold_no_numbers (void)
{
  static const Case pictures = { "phantom:24x20x8", "s.png", "" };
  const Case c = { .input = g_strdup_printf ("volume:%s/s-%%05d.png", folder),
                   .output = "torn.nii",
                   .filters = "gaussian:sigma=1" };
  g_autofree char *torn = in_folder ("s-00003.png");

  export(&pictures, false, -1, "");
  g_assert_true (g_file_set_contents (torn, "no picture", -1, NULL));
  g_assert_cmpint (export(&c, false, -1, "").damaged, ==, 1);
  g_autoptr (GBytes) got = bytes_of (c.output);
  g_autoptr (GBytes) truth = written_by_command (&c, false);
  g_assert_true (g_bytes_equal (got, truth));
  g_free ((char *) c.input);
}

static OdlImage *
read_picture (const char *name)
{
  g_autofree char *path = in_folder (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);

  g_assert_no_error (error);
  OdlImage *image = odl_source_read_frame (source, 0, NULL, &error);
  g_assert_no_error (error);
  return image;
}

#define RENDERED "phantom:48x40x32"
#define FILTER "convolve:dimensions=3,shape=gaussian,size=3"

// Given up when `n` pictures of a turn are written; these stay.
static void
export_rendered (const char *name, const OdlRenderScene *scene, const char *filter, int n)
{
  g_autofree char *path = in_folder (name);
  OdlExporterParams params = { .location = RENDERED, .rendering = scene };
  g_autofree char *fitting = odl_save_format_fit (&params.format, path);
  g_autoptr (GError) error = NULL;
  Told told = { 0 };

  params.path = fitting;
  odl_recipe_init (&params.recipe);
  g_assert_true (odl_recipe_parse (&params.recipe, filter, &error));
  g_assert_true (odl_engine_choice_parse ("cpu", &params.engine, &error));
  g_autoptr (OdlExporter) exporter = odl_exporter_new (&params, told_cb, &told);
  while (odl_exporter_state (exporter).written < n && told.n_told == 0)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_assert_cmpint (odl_exporter_state (exporter).total, ==, 150);
  odl_exporter_cancel (exporter);
  wait_until_told (&told);
  g_assert_cmpint (told.code, ==, ODL_ERROR_CANCELLED);
}

// Runs the command line on one picture.
static void
process (const char *input, const char *output, const char *const *words)
{
  g_autofree char *path = in_folder (output);
  const char *const always[]
      = { g_getenv ("ODL_CLI"), "process", input, "-o", path, "--force",
          "--engine",           "cpu",     NULL };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  int status;

  g_strv_builder_addv (builder, (const char **) always);
  g_strv_builder_addv (builder, (const char **) words);
  g_auto (GStrv) all = g_strv_builder_end (builder);
  g_assert_true (
      g_spawn_sync (NULL, all, NULL, 0, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
}

static void
assert_equal_pictures (const char *ours, const char *theirs)
{
  g_autoptr (OdlImage) a = read_picture (ours), b = read_picture (theirs);
  OdlComparison found;

  g_assert_true (odl_compare (a, b, &found, NULL));
  g_assert_cmpuint (found.differing, ==, 0);
}

// A turn, pixel by pixel as the command line draws it from the same places. Filters over
// time see the slices of a single volume as frames.
static void
rendered_views_turn (void)
{
  static const struct {
    const char *output;
    int number; // of 150
    const char *view, *filter;
  } cases[] = {
    { "turn.png", 1, "maximum,20,-10", FILTER },
    { "turn.png", 11, "maximum,44,-10", FILTER },
    { "slices.png", 1, "maximum,20,-10", "recursive-average" },
  };
  const OdlRenderScene scene = { .preset = odl_render_preset_find ("maximum"),
                                 .look = { 20, -10, 0.71 },
                                 .voxel = { { 24, 20, 16 } },
                                 .place = { 0, 0, 512, 512 } };

  export_rendered ("turn.png", &scene, FILTER, 11);
  export_rendered ("slices.png", &scene, "recursive-average", 1);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *ours
        = g_strdup_printf ("%.*s-%05d.png", (int) strlen (cases[i].output) - 4,
                           cases[i].output, cases[i].number);
    const char *const words[]
        = { "--rendering", cases[i].view, "--filter", cases[i].filter, NULL };
    process (RENDERED, "still.png", words);
    assert_equal_pictures (ours, "still.png");
  }
}

// A sequence that is filtered with its later frames keeps its history.
static void
later_frames_go_with_earlier_ones (void)
{
  static const Case pictures = { "phantom:24x20x8", "q.png", "" };
  static const Case c
      = { "q-%05d.png", "later.png",
          "convolve:dimensions=4,shape=gaussian,size=3,duration=3 recursive-average" };
  static const char *const words[]
      = { "--filter", "convolve:dimensions=4,shape=gaussian,size=3,duration=3",
          "--filter", "recursive-average", NULL };
  g_autofree char *input = in_folder (c.input);

  export(&pictures, false, -1, "");
  g_assert_cmpint (export(&c, false, -1, "").written, ==, 8);
  process (input, "theirs-%05d.png", words);
  assert_equal_pictures ("later-00005.png", "theirs-00005.png");
}

static OdlImage *
cut (OdlImage *picture, const OdlImageInfo *volume, const OdlOnPlane *on)
{
  return on->used ? odl_on_plane_cut (picture, volume, on->plane)
                  : odl_image_ref (picture);
}

// As the window shows it: its planes, a slice, and from outside.
static OdlImage *
shown_in_the_window (OdlImage *volume, const char *option, const char *value)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  const OdlImageInfo *info = odl_image_info (volume);
  const OdlWindow window = { 0 };
  OdlRenderScene scene = { .preset = odl_render_preset_find ("maximum"),
                           .look = { 20, -10, 0.71 },
                           .voxel = { { 20, 18, 10 } },
                           .place = { 0, 0, 512, 512 } };
  OdlOnPlane on = { 0 };
  OdlVolumeView view = { 0 };
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, GRID, NULL));
  g_autoptr (OdlOperands) operands = read_operands (&recipe);
  OdlGeometry geometry = odl_geometry_of (volume);
  geometry.operands = operands;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, NULL);
  g_autoptr (OdlFrame) frame = odl_frame_new (volume, plan, cpu);
  frame->volume = odl_image_ref (volume);
  frame->recipe = recipe;
  frame->slab = (OdlSlab){ ODL_SLAB_SLICE, 1 };
  frame->planes = frame->renders = !g_str_equal (option, "--frame");
  if (g_str_equal (option, "--plane")) {
    g_assert_true (odl_on_plane_from_text (value, &on));
    frame->voxel = odl_on_plane_look (&on, info).voxel;
  } else if (!frame->planes) {
    frame->voxel.at[2] = atoi (value) - 1;
  }
  g_autoptr (OdlEngine) engine = odl_engine_open_choice (cpu, NULL);
  g_assert_true (odl_volume_view_show (&view, engine, frame, NULL));
  scene.body = frame->body;
  odl_render_find_points (info, &window, scene.preset, scene.points);
  OdlImage *picture = NULL;
  if (on.used || !frame->planes) {
    // Without the cross-hair.
    g_autoptr (OdlImage) after = cut (frame->result, info, &on),
                         before = cut (frame->input, info, &on);
    picture = odl_result_render (after, before, plan, &recipe, &window, 16, NULL);
  } else {
    picture = odl_render_picture (&scene, NULL, NULL, NULL);
  }
  odl_volume_view_clear (&view);
  return picture;
}

static void
a_grid_is_drawn_as_the_command_line_does (void)
{
  static const char *const cases[][2] = { { "--plane", "axial:9" },
                                          { "--plane", "coronal:15" },
                                          { "--plane", "sagittal:20" },
                                          { "--frame", "16" },
                                          { "--rendering", "maximum,20,-10" } };
  static const Case volumes[]
      = { { PHANTOM, "moving.mha", "" },
          { PHANTOM, "reference.mha", "convolve:dimensions=3,shape=gaussian,size=5" } };
  g_autofree char *written = in_folder ("drawn.png");

  for (size_t i = 0; i < G_N_ELEMENTS (volumes); i++)
    export(&volumes[i], true, -1, "");
  g_autoptr (OdlSource) source = odl_source_open ("moving.mha", NULL, NULL);
  g_autoptr (OdlImage) volume
      = odl_source_read_volume (source, 0, ODL_VOLUME_FILTERED_WHOLE, NULL, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    // The letters of the sides are drawn beside the view in the window.
    const char *bare = g_str_equal (cases[i][0], "--rendering") ? "--no-badge" : NULL;
    const char *words[]
        = { g_getenv ("ODL_CLI"), "process",   "moving.mha", "-o", written, "--force",
            cases[i][0],          cases[i][1], "--filter",   GRID, bare,    NULL };
    int status;
    g_assert_true (g_spawn_sync (NULL, (char **) words, NULL, 0, NULL, NULL, NULL, NULL,
                                 &status, NULL));
    g_assert_true (g_spawn_check_wait_status (status, NULL));
    g_autoptr (OdlImage) a = shown_in_the_window (volume, cases[i][0], cases[i][1]),
                         b = read_picture ("drawn.png");
    OdlComparison found;
    g_assert_true (odl_compare (a, b, &found, NULL));
    g_assert_cmpuint (found.differing, ==, 0);
  }
}

// Volumes over time are seen from one place, one after the other.
static void
rendered_volumes_follow_each_other (void)
{
  g_autofree char *path = in_folder ("beat-%05d.png");
  const OdlRenderScene scene
      = { .preset = odl_render_preset_find ("maximum"), .place = { 0, 0, 64, 48 } };
  OdlExporterParams params = { .location = "phantom:24x20x8x4",
                               .path = path,
                               .format = { .numbered = true },
                               .rendering = &scene };
  Told told = { 0 };

  odl_recipe_init (&params.recipe);
  g_assert_true (odl_engine_choice_parse ("cpu", &params.engine, NULL));
  g_autoptr (OdlExporter) exporter = odl_exporter_new (&params, told_cb, &told);
  wait_until_told (&told);
  g_assert_cmpint (told.code, ==, -1);
  g_assert_cmpint (odl_exporter_state (exporter).written, ==, 4);
  g_autoptr (OdlImage) a = read_picture ("beat-00001.png"),
                       b = read_picture ("beat-00004.png");
  OdlComparison found;
  g_assert_true (odl_compare (a, b, &found, NULL));
  g_assert_cmpuint (found.differing, >, 100);
}

static void
nothing_is_written_over (void)
{
  static const Case c = { "phantom:24x20x8", "kept.nii", "" };
  g_autofree char *path = in_folder (c.output);
  g_autofree char *text = NULL;

  g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
  export(&c, false, ODL_ERROR_IO, "kept.nii");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "mine");
  export(&c, true, -1, "");
  g_autoptr (GBytes) bytes = bytes_of (c.output);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==,
                    352 + 2 * 24 * 20 * 8); // whole numbers, as they came
}

static bool
is_there (const char *name)
{
  g_autofree char *path = in_folder (name);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
what_cannot_be_written_is_said (void)
{
  static const struct {
    Case c;
    int code;
    const char *says;
  } cases[] = {
    { { "phantom:24x20", "no.nii", "" }, ODL_ERROR_UNSUPPORTED, "no volume" },
    { { "in.mha", "odd.nii", "", 2, SLICES }, ODL_ERROR_UNSUPPORTED, "whole volumes" },
    { { "in.mha", "none/at all.nii", "" }, ODL_ERROR_IO, "at all.nii" },
    { { "gone.mha", "gone.nii", "" }, ODL_ERROR_IO, "gone.mha" },
  };

  make_volumes ("in.mha");
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    export(&cases[i].c, false, cases[i].code, cases[i].says);
    g_assert_false (is_there (cases[i].c.output));
  }
}

// Of pictures that are drawn of a volume that was filtered, nothing is said to be
// filtered; how many there will be is known at once.
static void
what_was_filtered_is_no_work (void)
{
  static const OdlRenderScene scene_of = { .place = { 0, 0, 64, 48 } };
  OdlRenderScene scene = scene_of;
  g_autofree char *path = in_folder ("work-%05d.png");
  OdlExporterParams params = { .location = "phantom:24x20x8x4",
                               .path = path,
                               .format = { .numbered = true },
                               .rendering = &scene };
  Told told = { 0 };

  scene.preset = odl_render_preset_find ("maximum");
  odl_recipe_init (&params.recipe);
  g_assert_true (
      odl_recipe_parse (&params.recipe, "soft-threshold:dimensions=3,levels=2", NULL));
  g_assert_true (odl_engine_choice_parse ("cpu", &params.engine, NULL));
  g_autoptr (OdlExporter) exporter = odl_exporter_new (&params, told_cb, &told);
  while (told.n_told == 0) {
    g_assert_cmpfloat (odl_exporter_state (exporter).filtering, !=, 0);
    g_main_context_iteration (NULL, FALSE);
  }
}

static void
a_volume_that_is_given_up_leaves_nothing (void)
{
  static const Case c = { "phantom:128x128x128", "never.nii",
                          "bilateral:dimensions=3,size=9 bilateral:dimensions=3,size=9" };
  Told told = { 0 };
  g_autoptr (OdlExporter) exporter = export_new (&c, false, &told);

  while (told.n_told == 0 && odl_exporter_state (exporter).filtering <= 0)
    g_usleep (1000);
  odl_exporter_cancel (exporter);
  wait_until_told (&told);
  g_assert_cmpint (told.code, ==, ODL_ERROR_CANCELLED);
  g_assert_false (is_there (c.output));
}

// Names go before what was chosen; each format is kept by a word.
static void
names_say_the_format (void)
{
  static const struct {
    const char *chosen, *name, *fitting, *word;
  } cases[] = {
    { "high", "a.nii", "a.nii", "nii" },
    { "png", "a.NII.GZ", "a.NII.GZ", "nii.gz" },
    { "nii.gz", "a", "a.nii.gz", "nii.gz" },
    { "mha", "a.mp4", "a.mp4", NULL },
    { "tif", "a.png", "a-%05d.png", "png" },
    { "nii", "a.tiff", "a.tiff", "stack.tif" },
    { "nii", "a.ome.tif", "a.ome.tif", "ome.tif" },
    { "high", "a.hdf5", "a.hdf5", "h5" },
    { "mha", "a.b", "a.b.mha", "mha" },
    { "stack.tif", "a", "a.stack.tif", "stack.tif" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    OdlSaveFormat format = odl_save_format_from_text (cases[i].chosen);
    g_autofree char *fitting = odl_save_format_fit (&format, cases[i].name);
    g_autofree char *word = odl_save_format_to_text (&format);
    g_assert_cmpstr (fitting, ==, cases[i].fitting);
    if (cases[i].word != NULL)
      g_assert_cmpstr (word, ==, cases[i].word);
    else
      g_assert_cmpint (format.volume, ==, ODL_VOLUME_NONE);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = odl_test_folder ();
  g_assert_cmpint (g_chdir (folder), ==, 0); // operands have names without a folder
  g_test_add_func ("/volume-export/names-say-the-format", names_say_the_format);
  g_test_add_func ("/volume-export/volumes-are-those-of-the-command-line",
                   volumes_are_those_of_the_command_line);
  g_test_add_func ("/volume-export/damaged-slices-hold-no-numbers",
                   damaged_slices_hold_no_numbers);
  g_test_add_func ("/volume-export/rendered-views-turn", rendered_views_turn);
  g_test_add_func ("/volume-export/later-frames-go-with-earlier-ones",
                   later_frames_go_with_earlier_ones);
  g_test_add_func ("/volume-export/a-grid-is-drawn-as-the-command-line-does",
                   a_grid_is_drawn_as_the_command_line_does);
  g_test_add_func ("/volume-export/rendered-volumes-follow-each-other",
                   rendered_volumes_follow_each_other);
  g_test_add_func ("/volume-export/nothing-is-written-over", nothing_is_written_over);
  g_test_add_func ("/volume-export/what-cannot-be-written-is-said",
                   what_cannot_be_written_is_said);
  g_test_add_func ("/volume-export/what-was-filtered-is-no-work",
                   what_was_filtered_is_no_work);
  g_test_add_func ("/volume-export/a-volume-that-is-given-up-leaves-nothing",
                   a_volume_that_is_given_up_leaves_nothing);
  const int status = g_test_run ();
  odl_test_remove_folder (folder);
  g_free (folder);
  return status;
}
