// SPDX-License-Identifier: MIT
#include "engine/choice_cache.h"

#include "config.h"
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

#define MOST_KEYS 64
#define MOST_BYTES (256 * 1024)
#define MOST_MS 1e6
#define MOST_ACCIDENTS 2 // in which the program ended; one may have been the user's
#define DIGEST_CHARS 16

// A group of the file is one key:
//   [digest of the key]
//   key=…            compared whole, for digests can collide
//   measured=SECONDS since 1970
//   software=BOOLEAN
//   ms NAME=NUMBER   one line for each measured candidate
//   failed NAME=REASON
//   trying=NAME      while it is being measured
//   accidents NAME=COUNT
#define PREFIX_MS "ms "
#define PREFIX_FAILED "failed "
#define PREFIX_ACCIDENTS "accidents "

char *
odl_choice_cache_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "ondelette", "engines.ini", NULL);
}

static char *
group_of (const char *key)
{
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);

  return g_strndup (digest, DIGEST_CHARS);
}

// An empty file where there is none that can be read.
static GKeyFile *
open_file (const char *path)
{
  GKeyFile *file = g_key_file_new ();
  GStatBuf status;

  if (g_stat (path, &status) == 0 && S_ISREG (status.st_mode)
      && status.st_size <= MOST_BYTES)
    g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL);
  return file;
}

static bool
write_file (GKeyFile *file, const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *shown = g_filename_display_name (path);
  g_autoptr (GError) cause = NULL;

  // What goes wrong here is told by the next call.
  g_mkdir_with_parents (folder, 0700);
  if (g_key_file_save_to_file (file, path, &cause))
    return true;
  g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
               _ ("%s: the times of the engines cannot be kept: %s"), shown,
               cause->message);
  return false;
}

static void
read_candidate (GKeyFile *file, const char *group, OdlRanking *ranking, int index)
{
  g_autofree char *name = odl_engine_choice_to_text (ranking->candidates[index].choice);
  g_autofree char *ms_key = g_strconcat (PREFIX_MS, name, NULL);
  g_autofree char *failed_key = g_strconcat (PREFIX_FAILED, name, NULL);
  g_autofree char *accidents_key = g_strconcat (PREFIX_ACCIDENTS, name, NULL);
  g_autofree char *trying = g_key_file_get_string (file, group, "trying", NULL);
  double ms = g_key_file_get_double (file, group, ms_key, NULL);
  int accidents = g_key_file_get_integer (file, group, accidents_key, NULL)
                  + (g_strcmp0 (trying, name) == 0 ? 1 : 0);
  g_autofree char *reason = g_key_file_get_string (file, group, failed_key, NULL);

  if (accidents >= MOST_ACCIDENTS)
    odl_ranking_set_failed (ranking, index,
                            _ ("the program has ended twice while measuring it"));
  else if (isfinite (ms) && ms > 0 && ms < MOST_MS)
    odl_ranking_set_measured (ranking, index, ms);
  else if (reason != NULL)
    odl_ranking_set_failed (ranking, index, reason);
}

OdlRanking *
odl_choice_cache_load (const char *path, const char *key)
{
  g_autoptr (GKeyFile) file = open_file (path);
  g_autofree char *group = group_of (key);
  g_autofree char *kept = g_key_file_get_string (file, group, "key", NULL);

  if (g_strcmp0 (kept, key) != 0)
    return NULL;

  OdlRanking *ranking = odl_ranking_new (key);
  ranking->measured_at = MAX (g_key_file_get_int64 (file, group, "measured", NULL), 0);
  ranking->software = g_key_file_get_boolean (file, group, "software", NULL);
  for (int i = 0; i < ranking->n; i++)
    read_candidate (file, group, ranking, i);
  return ranking;
}

// Makes room for one key more.
static void
drop_oldest (GKeyFile *file, const char *keep)
{
  gsize n;
  g_auto (GStrv) groups = g_key_file_get_groups (file, &n);

  for (; n >= MOST_KEYS; n--) {
    const char *oldest = NULL;
    gint64 oldest_at = G_MAXINT64;
    for (char **group = groups; *group != NULL; group++) {
      gint64 at = g_key_file_get_int64 (file, *group, "measured", NULL);
      if (!g_str_equal (*group, keep) && g_key_file_has_group (file, *group)
          && at < oldest_at) {
        oldest = *group;
        oldest_at = at;
      }
    }
    if (oldest == NULL)
      return;
    g_key_file_remove_group (file, oldest, NULL);
  }
}

static void
write_candidate (GKeyFile *file, const char *group, const OdlCandidate *candidate)
{
  g_autofree char *name = odl_engine_choice_to_text (candidate->choice);
  bool measured = candidate->state == ODL_CANDIDATE_MEASURED;
  g_autofree char *key = g_strconcat (measured ? PREFIX_MS : PREFIX_FAILED, name, NULL);

  if (measured)
    g_key_file_set_double (file, group, key, candidate->ms);
  else if (candidate->state == ODL_CANDIDATE_FAILED)
    g_key_file_set_string (file, group, key, candidate->reason ? candidate->reason : "");
}

bool
odl_choice_cache_save (const char *path, const OdlRanking *ranking, GError **error)
{
  g_autoptr (GKeyFile) file = open_file (path);
  g_autofree char *group = group_of (ranking->key);

  g_key_file_remove_group (file, group, NULL);
  drop_oldest (file, group);
  g_key_file_set_string (file, group, "key", ranking->key);
  g_key_file_set_int64 (file, group, "measured", ranking->measured_at);
  g_key_file_set_boolean (file, group, "software", ranking->software);
  for (int i = 0; i < ranking->n; i++)
    write_candidate (file, group, &ranking->candidates[i]);
  return write_file (file, path, error);
}

// What an earlier run was measuring when it ended counts as an accident of that engine.
static void
settle_accident (GKeyFile *file, const char *group)
{
  g_autofree char *trying = g_key_file_get_string (file, group, "trying", NULL);

  if (trying == NULL)
    return;
  g_autofree char *key = g_strconcat (PREFIX_ACCIDENTS, trying, NULL);
  g_key_file_set_integer (file, group, key,
                          g_key_file_get_integer (file, group, key, NULL) + 1);
  g_key_file_remove_key (file, group, "trying", NULL);
}

void
odl_choice_cache_begin (const char *path, const OdlRanking *ranking, int index)
{
  g_autoptr (GKeyFile) file = open_file (path);
  g_autofree char *group = group_of (ranking->key);
  g_autofree char *name = odl_engine_choice_to_text (ranking->candidates[index].choice);

  drop_oldest (file, group);
  g_key_file_set_string (file, group, "key", ranking->key);
  settle_accident (file, group);
  g_key_file_set_string (file, group, "trying", name);
  write_file (file, path, NULL);
}

void
odl_choice_cache_end (const char *path, const OdlRanking *ranking)
{
  g_autoptr (GKeyFile) file = open_file (path);
  g_autofree char *group = group_of (ranking->key);

  if (g_key_file_remove_key (file, group, "trying", NULL))
    write_file (file, path, NULL);
}
