// SPDX-License-Identifier: MIT
#include "engine/choice_cache.h"

#include <glib/gi18n-lib.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "base/cache_file.h"

#define MOST_KEYS 64
#define MOST_BYTES (256 * 1024)
#define MOST_MS 1e6
#define MOST_ACCIDENTS 2 // in which the program ended; one may have been the user's

// A group of the file is one key:
//   [digest of the key]
//   key=…
//   measured=SECONDS since 1970
//   software=BOOLEAN
//   ms NAME=NUMBER   one line for each measured candidate
//   failed NAME=REASON
//   trying=NAME      while it is being measured
//   by=PROCESS       that measures it
//   accidents NAME=COUNT
#define PREFIX_MS "ms "
#define PREFIX_FAILED "failed "
#define PREFIX_ACCIDENTS "accidents "

char *
odl_choice_cache_path (void)
{
  return odl_cache_file_path ("engines.ini");
}

static bool
write_file (GKeyFile *file, const char *path, GError **error)
{
  return odl_cache_file_save (file, path, _ ("the times of the engines cannot be kept"),
                              error);
}

// The candidate whose measurement crashed an earlier program; NULL if there is none, or
// if another program is measuring it now. Transfer full.
static char *
accident (GKeyFile *file, const char *group)
{
  const gint64 by = g_key_file_get_int64 (file, group, "by", NULL);

  if (by > 0 && by <= G_MAXINT && by != getpid ()
      && (kill ((pid_t) by, 0) == 0 || errno == EPERM))
    return NULL;
  return g_key_file_get_string (file, group, "trying", NULL);
}

static void
read_candidate (GKeyFile *file, const char *group, OdlRanking *ranking, int index)
{
  g_autofree char *name = odl_engine_choice_to_text (ranking->candidates[index].choice);
  g_autofree char *ms_key = g_strconcat (PREFIX_MS, name, NULL);
  g_autofree char *failed_key = g_strconcat (PREFIX_FAILED, name, NULL);
  g_autofree char *accidents_key = g_strconcat (PREFIX_ACCIDENTS, name, NULL);
  g_autofree char *trying = accident (file, group);
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
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  g_autofree char *group = odl_cache_file_group (key);

  if (!odl_cache_file_knows (file, group, key))
    return NULL;

  OdlRanking *ranking = odl_ranking_new (key);
  ranking->measured_at = MAX (g_key_file_get_int64 (file, group, "measured", NULL), 0);
  ranking->software = g_key_file_get_boolean (file, group, "software", NULL);
  for (int i = 0; i < ranking->n; i++)
    read_candidate (file, group, ranking, i);
  return ranking;
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
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  g_autofree char *group = odl_cache_file_group (ranking->key);

  g_key_file_remove_group (file, group, NULL);
  odl_cache_file_begin_group (file, group, ranking->key, MOST_KEYS);
  g_key_file_set_int64 (file, group, "measured", ranking->measured_at);
  g_key_file_set_boolean (file, group, "software", ranking->software);
  for (int i = 0; i < ranking->n; i++)
    write_candidate (file, group, &ranking->candidates[i]);
  return write_file (file, path, error);
}

// The candidate that an earlier run was measuring when it crashed gets an accident.
static void
settle_accident (GKeyFile *file, const char *group)
{
  g_autofree char *trying = accident (file, group);

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
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  g_autofree char *group = odl_cache_file_group (ranking->key);
  g_autofree char *name = odl_engine_choice_to_text (ranking->candidates[index].choice);

  odl_cache_file_begin_group (file, group, ranking->key, MOST_KEYS);
  settle_accident (file, group);
  g_key_file_set_string (file, group, "trying", name);
  g_key_file_set_int64 (file, group, "by", getpid ());
  write_file (file, path, NULL);
}

void
odl_choice_cache_end (const char *path, const OdlRanking *ranking)
{
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  g_autofree char *group = odl_cache_file_group (ranking->key);

  g_key_file_remove_key (file, group, "by", NULL);
  if (g_key_file_remove_key (file, group, "trying", NULL))
    write_file (file, path, NULL);
}
