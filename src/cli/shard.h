// SPDX-License-Identifier: MIT
// Parts of a job that several calls share out, and the note beside what each of them
// makes. The note says which part of which call it is, so that `merge` joins only what
// belongs together, and can name the command that makes what is missing.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "output/output.h"

#define ODL_SHARD_ENDING ".shard" // of a note, behind the name of the part

typedef struct {
  char *verb; // "sweep"
  gint64 shard, shards; // from 1
  gint64 points; // of all shards
  char *frames; // that are measured, as in the table
  char **words; // what was asked, "NAME=VALUE", "NAME" or, an input, "=VALUE"
} OdlShardNote;

// What was typed for these entries, as `words`; switches and words that are not there are
// left out. Transfer full.
char **odl_shard_words (const GOptionEntry *entries);

// Puts words into what the entries point to, as if they had been typed; --trust-code is
// left out, since a note may come from anybody. ODL_ERROR_CORRUPT: a word is unknown.
bool
odl_shard_take_words (char *const *words, const GOptionEntry *entries, GError **error);

// The note of `part` is written, whole or not at all. ODL_ERROR_IO: also if another file
// has its name.
bool odl_shard_note_write (const OdlShardNote *note,
                           const char *part,
                           OdlOutputGuard *guard,
                           GError **error);

// ODL_ERROR_IO: there is none; ODL_ERROR_CORRUPT. Transfer full.
OdlShardNote *odl_shard_note_read (const char *part, GError **error);
void odl_shard_note_free (OdlShardNote *note);

// Whether they are parts of one call; they may be the same part.
bool odl_shard_note_fits (const OdlShardNote *a, const OdlShardNote *b);

// Enters `part` in `parts` (gint64 -> its path, borrowed; keys are freed by g_free) as
// `number`. ODL_ERROR_USAGE: another one has it.
bool odl_shard_claim (GHashTable *parts,
                      gint64 number,
                      const OdlShardNote *note,
                      char *part,
                      GError **error);

// What a shell takes to make shard `shard` and to write it as `option` `path`. Transfer
// full.
char *odl_shard_command (const OdlShardNote *note,
                         gint64 shard,
                         const char *option,
                         const char *path);

// The name that another shard would have, by the number in the name of this part.
// Transfer full.
char *odl_shard_path (const OdlShardNote *note, const char *part, gint64 shard);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlShardNote, odl_shard_note_free)
