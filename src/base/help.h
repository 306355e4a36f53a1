// SPDX-License-Identifier: MIT
// What people read about filters and the program: the files of resources/filters and
// resources/help, which are compiled into the programs. A file is a row of blocks with
// empty lines between them:
//   # Heading
//   paragraph, which may go on in further lines
//   - term: its text, which may go on in further lines
//       (four blanks) lines that stay as they are, such as formulas and commands
// In help/keys.txt {ID} is the key of that command (widgets/window/commands.c), which
// resources/texts.py puts there when the program is built. Words in `back quotes` are
// typed as they stand; a term that has letters in these alone is not translated. All else
// is translated block by block, its lines joined by single blanks:
// tests/helpers/messages.py finds the same messages.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum {
  ODL_HELP_HEADING,
  ODL_HELP_PARAGRAPH,
  ODL_HELP_TERM,
  ODL_HELP_CODE,
} OdlHelpKind;

typedef struct {
  OdlHelpKind kind;
  char *term; // what the text is about; NULL where the kind is another one
  char *text; // in English, with its back quotes; lines of code keep their ends
} OdlHelpBlock;

// Names of the shelves that files stand on.
#define ODL_HELP_FILTERS "filters"
#define ODL_HELP_TOPICS "help"

// Longer text is cut off there.
#define ODL_HELP_MOST_BYTES 65536

// The blocks of a file's text, of `length` bytes of UTF-8: OdlHelpBlock, transfer full.
// Any thread.
GPtrArray *odl_help_parse (const char *text, size_t length);

// The blocks of file NAME.txt of a shelf; NULL: there is none. Transfer full. Any thread.
GPtrArray *odl_help_load (const char *shelf, const char *name);

// Names of the files of a shelf, sorted and without ending. Transfer full. Any thread.
char **odl_help_names (const char *shelf);

// The first heading of a topic, translated; `name` where it has none. Transfer full.
char *odl_help_title (const GPtrArray *blocks, const char *name);

// The term, or the text, in the language of the user, with back quotes. "" where there is
// none.
const char *odl_help_block_term (const OdlHelpBlock *block);
const char *odl_help_block_text (const OdlHelpBlock *block);

// `text` without its back quotes. Transfer full. Any thread.
char *odl_help_plain (const char *text);

// All blocks, translated, as lines of at most `width` characters where words allow it:
// texts are indented below their headings, and those of terms once more. Transfer full.
char *odl_help_to_lines (const GPtrArray *blocks, int width);
