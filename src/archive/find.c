// SPDX-License-Identifier: MIT
#include "archive/find.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "archive/instances.h"
#include "archive/watch.h"
#include "base/error.h"
#include "base/text.h"
#include "source/source_file.h"

#define USUAL_MOST 10000
#define USUAL_SECONDS 3600
#define MOST_BYTES ((gsize) 128 << 20) // of answers that are kept

#define IMPLICIT "1.2.840.10008.1.2"
#define PATIENT_ROOT "1.2.840.10008.5.1.4.1.2.1.1"
#define STUDY_ROOT "1.2.840.10008.5.1.4.1.2.2.1"

// Values by OdlKey; NULL: the node does not say.
typedef struct {
  char *values[ODL_N_KEYS];
} Row;

typedef struct {
  const OdlFindParams *params;
  OdlFound *found;
  GCancellable *cancellable;
  GError **error;
  OdlPeer *peer;
  guint context; // to ask in
  int file; // for the helper to write in
  gsize n_bytes; // of answers that are kept, at most
  GHashTable *seen; // UIDs of this level
  GPtrArray *rows; // of this level, for the next one
} Finding;

static void
free_row (void *data)
{
  Row *row = data;

  if (row == NULL)
    return;
  for (int i = 0; i < ODL_N_KEYS; i++)
    g_free (row->values[i]);
  g_free (row);
}

// ---- Rows ----

// NULL: it is damaged.
static Row *
read_row (const guint8 *bytes, guint n_bytes)
{
  Row *row = g_new0 (Row, 1);
  guint at = 0;

  for (int i = 0; i < ODL_N_KEYS; i++) {
    const guint8 *end = memchr (bytes + at, '\0', n_bytes - at);
    if (end == NULL) {
      free_row (row);
      return NULL;
    }
    const char *value = (const char *) bytes + at;
    row->values[i] = *value != '\0' ? odl_text_in_one_line (value) : NULL;
    at = (guint) (end - bytes) + 1;
  }
  return row;
}

// What levels above said stays.
static void
add_from_above (Row *row, OdlLevel level, const Row *above)
{
  for (int i = 0; above != NULL && i < ODL_N_KEYS; i++)
    if (odl_keys[i].level < level && above->values[i] != NULL) {
      g_free (row->values[i]);
      row->values[i] = g_strdup (above->values[i]);
    }
}

// What tells rows of a level apart; NULL: it lacks that.
static char *
identity (const Row *row, OdlLevel level)
{
  static const OdlKey keys[ODL_N_LEVELS] = { [ODL_LEVEL_STUDY] = ODL_KEY_STUDY,
                                             [ODL_LEVEL_SERIES] = ODL_KEY_SERIES,
                                             [ODL_LEVEL_IMAGE] = ODL_KEY_INSTANCE };
  const char *id = row->values[ODL_KEY_PATIENT_ID];
  const char *name = row->values[ODL_KEY_PATIENT_NAME];

  if (level == ODL_LEVEL_PATIENT)
    return id != NULL || name != NULL ? g_strdup_printf ("%s\n%s", id != NULL ? id : "",
                                                         name != NULL ? name : "")
                                      : NULL;
  const char *uid = row->values[keys[level]];
  return uid != NULL && odl_uid_is_valid (uid) ? g_strdup (uid) : NULL;
}

// Whether it says nothing else than that it is below what it was asked for.
static bool
is_below (const Row *row, OdlLevel level, const Row *above)
{
  static const OdlKey keys[] = { ODL_KEY_STUDY, ODL_KEY_SERIES };

  for (gsize i = 0; above != NULL && i < G_N_ELEMENTS (keys); i++) {
    const char *said = row->values[keys[i]];
    if (odl_keys[keys[i]].level < level && said != NULL
        && g_strcmp0 (said, above->values[keys[i]]) != 0)
      return false;
  }
  return true;
}

// Whether all that was asked for is there; else it is counted.
static bool
is_match (Finding *self, const Row *row, OdlLevel level)
{
  const OdlQuery *query = self->params->query;

  for (int i = 0; i < ODL_N_KEYS; i++) {
    const bool here
        = odl_keys[i].level == level
          || (level == ODL_LEVEL_STUDY && odl_keys[i].level == ODL_LEVEL_PATIENT);
    const OdlAnswerMatch match
        = here ? odl_query_check (query, i, row->values[i]) : ODL_ANSWER_MATCHES;
    // Series tell that, if need be.
    if (i == ODL_KEY_MODALITIES && match == ODL_ANSWER_LACKS)
      continue;
    self->found->n_lacking[i] += match == ODL_ANSWER_LACKS;
    self->found->n_different += match == ODL_ANSWER_DIFFERS;
    if (match != ODL_ANSWER_MATCHES)
      return false;
  }
  return true;
}

static void
tell (Finding *self, const Row *row)
{
  self->found->n_told++;
  self->params->told ((OdlValues) row->values, self->params->data);
}

// ---- Asking ----

// Takes over the row.
typedef void (*RowCb) (Finding *self, OdlLevel level, Row *row);

// Whether there is room for what came.
static bool
has_room (const Finding *self, guint n_answers)
{
  const guint most = self->params->most > 0 ? self->params->most : USUAL_MOST;

  if (n_answers > most || g_hash_table_size (self->seen) > most)
    return odl_error_set (self->error, ODL_ERROR_TOO_LARGE,
                          _ ("the node has more than %u answers; ask for less"), most);
  return self->n_bytes <= MOST_BYTES
         || odl_error_set (self->error, ODL_ERROR_TOO_LARGE,
                           _ ("the node's answers take more memory than they may; ask "
                              "for less"));
}

static void
take (Finding *self,
      OdlLevel level,
      const OdlNetworkReport *report,
      const guint8 *bytes,
      const Row *above,
      RowCb cb)
{
  Row *row = report->code == 0 ? read_row (bytes, report->n_bytes) : NULL;
  g_autofree char *id = row != NULL ? identity (row, level) : NULL;

  if (id == NULL || !is_below (row, level, above)) {
    self->found->n_invalid++;
  } else if (g_hash_table_add (self->seen, g_steal_pointer (&id))
             && is_match (self, row, level)) {
    self->n_bytes += report->n_bytes;
    add_from_above (row, level, above);
    cb (self, level, row);
    return;
  }
  free_row (row);
}

// One query, to its end.
static bool
ask (Finding *self, OdlLevel level, const OdlQueryWay *way, const Row *above, RowCb cb)
{
  g_autoptr (GByteArray) keys = odl_query_build (
      self->params->query, level, way, above != NULL ? (OdlValues) above->values : NULL);
  OdlNetworkOrder order = { .kind = ODL_NETWORK_FIND,
                            .value = 2 * self->context + 1,
                            .n_bytes = keys->len };
  guint8 bytes[ODL_NETWORK_MAX_ANSWER];
  OdlNetworkReport report;
  guint n_answers = 0;

  if (!odl_peer_order (self->peer, &order, keys->data, self->file, self->error))
    return false;
  for (;;) {
    if (!odl_peer_receive (self->peer, &report, bytes, sizeof bytes, self->cancellable,
                           self->error))
      return false;
    if (report.kind != ODL_NETWORK_ANSWERED)
      break;
    if (report.n_bytes == 0 && report.code == 0) {
      if (report.status == ODL_STATUS_SUCCESS)
        return true;
      g_autofree char *text = odl_link_status_to_text (&report);
      return odl_error_set (self->error, ODL_ERROR_IO, "%s", text);
    }
    take (self, level, &report, bytes, above, cb);
    if (!has_room (self, ++n_answers))
      return false;
  }
  g_autofree char *end = odl_peer_end_to_text (&report);
  return odl_error_set (self->error, ODL_ERROR_IO,
                        report.end == ODL_NETWORK_ABORTED
                            ? _ ("the association with %s was %s; some nodes do that to "
                                 "callers whom they do not know")
                            : _ ("the association with %s was %s"),
                        self->params->link.to->title, end);
}

static bool
ask_all_ways (Finding *self, OdlLevel level, const Row *above, RowCb cb)
{
  OdlQueryWay way = { .no_classes = self->params->no_classes };

  do
    if (!ask (self, level, &way, above, cb))
      return false;
  while (odl_query_next_way (self->params->query, level, &way));
  return true;
}

// ---- Levels ----

static bool
needs_modalities (const Finding *self, const Row *row)
{
  return self->params->query->wanted[ODL_KEY_MODALITIES] != NULL
         && row->values[ODL_KEY_MODALITIES] == NULL;
}

// Tells it at once, if that is the level that is wanted.
static void
row_cb (Finding *self, OdlLevel level, Row *row)
{
  if (level < self->params->level
      || (level == ODL_LEVEL_STUDY && needs_modalities (self, row))) {
    g_ptr_array_add (self->rows, row);
    return;
  }
  tell (self, row);
  free_row (row);
}

static void
start_level (Finding *self)
{
  g_hash_table_remove_all (self->seen);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  self->rows = g_ptr_array_new_with_free_func (free_row);
}

// Collects the modality of a series in the last of the rows, which is one of its own.
static void
modality_cb (Finding *self, OdlLevel level, Row *row)
{
  Row *all = self->rows->pdata[self->rows->len - 1];
  char **modalities = &all->values[ODL_KEY_MODALITIES];
  const char *one = row->values[ODL_KEY_MODALITY];

  if (one != NULL && *modalities == NULL) {
    *modalities = g_strdup (one);
  } else if (one != NULL) {
    g_auto (GStrv) there = g_strsplit (*modalities, "\\", -1);
    if (!g_strv_contains ((const char *const *) there, one)) {
      char *more = g_strconcat (*modalities, "\\", one, NULL);
      g_free (*modalities);
      *modalities = more;
    }
  }
  free_row (row);
}

// Asks the series of studies for what the node does not say of these.
static bool
look_at_modalities (Finding *self)
{
  static const OdlQuery all = { { NULL } };
  const OdlFindParams *params = self->params;
  g_autoptr (GPtrArray) studies = g_steal_pointer (&self->rows);
  OdlFindParams of_series = *params;
  bool good = true;

  of_series.query = &all;
  start_level (self);
  for (guint i = 0; good && i < studies->len; i++) {
    Row *study = g_steal_pointer (&studies->pdata[i]);
    const bool needed = needs_modalities (self, study);
    g_ptr_array_add (self->rows, study);
    if (!needed)
      continue;
    self->found->modalities_here = true;
    self->params = &of_series;
    good = ask (self, ODL_LEVEL_SERIES, &(OdlQueryWay){ 0 }, study, modality_cb);
    self->params = params;
    if (odl_query_check (params->query, ODL_KEY_MODALITIES,
                         study->values[ODL_KEY_MODALITIES])
        != ODL_ANSWER_MATCHES) {
      self->found->n_different++;
      g_ptr_array_set_size (self->rows, (int) self->rows->len - 1);
    } else if (params->level == ODL_LEVEL_STUDY) {
      tell (self, study);
      g_ptr_array_set_size (self->rows, (int) self->rows->len - 1);
    }
  }
  return good;
}

static bool
find_below (Finding *self, OdlLevel level)
{
  g_autoptr (GPtrArray) above = g_steal_pointer (&self->rows);

  start_level (self);
  for (guint i = 0; i < above->len; i++)
    if (!ask_all_ways (self, level, above->pdata[i], row_cb))
      return false;
  return true;
}

static bool
find_all (Finding *self)
{
  const OdlLevel level = self->params->level;

  start_level (self);
  if (level == ODL_LEVEL_PATIENT)
    return ask_all_ways (self, level, NULL, row_cb);
  if (!ask_all_ways (self, ODL_LEVEL_STUDY, NULL, row_cb) || !look_at_modalities (self))
    return false;
  for (OdlLevel next = ODL_LEVEL_SERIES; next <= level; next++)
    if (!find_below (self, next))
      return false;
  return true;
}

// ---- The association ----

static bool
find (Finding *self, const char *address)
{
  const OdlFindParams *params = self->params;
  const bool patients = params->level == ODL_LEVEL_PATIENT;
  g_autofree OdlProposal *proposal = g_new0 (OdlProposal, 1);
  g_autofree char *end = NULL;

  odl_proposal_add (proposal, patients ? PATIENT_ROOT : STUDY_ROOT, IMPLICIT, false);
  self->peer = odl_link_open (&params->link, ODL_NETWORK_ASK, ODL_NETWORK_MAX_DATA,
                              address, proposal, self->cancellable, &end);
  if (self->peer == NULL)
    return odl_error_set (self->error, ODL_ERROR_IO, _ ("the association with %s was %s"),
                          params->link.to->title, end);
  if (!odl_proposal_is_taken (proposal, self->context))
    return odl_error_set (self->error, ODL_ERROR_IO,
                          patients
                              ? _ ("%s answers no queries for patients; ask for studies")
                              : _ ("%s answers no queries for studies"),
                          params->link.to->title);
  if (!find_all (self))
    return false;
  odl_link_release (self->peer, self->cancellable);
  return true;
}

bool
odl_find (const OdlFindParams *params,
          OdlFound *found,
          GCancellable *cancellable,
          GError **error)
{
  const guint8 nothing = 0;
  Finding self = { .params = params, .found = found };
  g_autoptr (GError) given = NULL;
  g_autofree char *address = odl_link_resolve (params->link.to, cancellable, &given);
  OdlWatch *watch = odl_watch_start (cancellable, params->seconds > 0 ? params->seconds
                                                                      : USUAL_SECONDS);

  *found = (OdlFound){ 0 };
  self.error = &given;
  self.cancellable = odl_watch_cancellable (watch);
  self.seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.file = address != NULL ? odl_source_file_of_bytes (&nothing, 1, &given).fd : -1;
  const bool done = self.file >= 0 && find (&self, address);
  odl_peer_end (self.peer);
  if (self.file >= 0)
    close (self.file);
  g_clear_pointer (&self.rows, g_ptr_array_unref);
  g_hash_table_unref (self.seen);
  odl_watch_end (watch, &given);
  if (given != NULL)
    g_propagate_error (error, g_steal_pointer (&given));
  return done;
}
