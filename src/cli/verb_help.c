// SPDX-License-Identifier: MIT
#include "cli/verb.h"

#include <glib/gi18n-lib.h>

#include "base/help.h"
#include "base/text.h"

#define WIDTH 80

static void
print_blocks (const GPtrArray *blocks)
{
  g_autofree char *lines = odl_help_to_lines (blocks, WIDTH);
  g_print ("%s", lines);
}

static void
print_topics (void)
{
  g_auto (GStrv) names = odl_help_names (ODL_HELP_TOPICS);

  for (int i = 0; names[i] != NULL; i++) {
    g_autoptr (GPtrArray) blocks = odl_help_load (ODL_HELP_TOPICS, names[i]);
    g_autofree char *title = odl_help_title (blocks, names[i]);
    g_print ("%-20s  %s\n", names[i], title);
  }
}

// The index of all filters; `list filters` has their parameters, too.
static void
print_filters (void)
{
  for (size_t i = 0; i < odl_filter_count (); i++)
    g_print ("%-20s  %s\n", odl_filter_at (i)->name, _ (odl_filter_at (i)->description));
}

static const struct {
  const char *name;
  void (*print) (void);
} indexes[] = {
  { "filters", print_filters },
  { "topics", print_topics },
};

// A filter comes before a topic. False: there is nothing of that name.
static bool
print_page (const char *name)
{
  const OdlFilter *filter = odl_filter_find (name);
  g_autoptr (GPtrArray) blocks
      = odl_help_load (filter != NULL ? ODL_HELP_FILTERS : ODL_HELP_TOPICS,
                       filter != NULL ? filter->name : name);

  if (blocks == NULL)
    return false;
  if (filter != NULL) {
    odl_list_filter (filter);
    g_print ("\n");
  }
  print_blocks (blocks);
  return true;
}

static int
help (int argc, char **argv)
{
  g_auto (GStrv) words = NULL;
  const GOptionEntry entries[] = {
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &words, NULL, NULL },
    { NULL },
  };

  if (!odl_verb_parse (&odl_verb_help, entries, NULL, argc, argv))
    return ODL_EXIT_USAGE;
  if (words == NULL || words[0] == NULL || words[1] != NULL) {
    odl_report_usage (
        _ ("Say what to tell about: one filter or one topic. “ondelette-cli "
           "help filters” and “help topics” list them."));
    return ODL_EXIT_USAGE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (indexes); i++)
    if (g_str_equal (words[0], indexes[i].name)) {
      indexes[i].print ();
      return ODL_EXIT_DONE;
    }
  if (print_page (words[0]))
    return ODL_EXIT_DONE;
  odl_report_usage (_ ("“%s” is no filter and no topic. “ondelette-cli help filters” and "
                       "“help topics” list them."),
                    words[0]);
  return ODL_EXIT_USAGE;
}

const OdlVerb odl_verb_help = {
  .name = "help",
  .arguments = N_ ("FILTER|TOPIC|filters|topics"),
  .summary = N_ ("Tell what a filter does and when to use it, or about a topic."),
  .run = help,
};
