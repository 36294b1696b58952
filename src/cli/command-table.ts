/**
 * The commands in the order of `gyre --help`, by group. Each line describes a command in one line of a terminal with
 * 80 columns. A command is loaded only when it runs, so `gyre --help` loads none of them.
 */
import type { Command } from './arguments.ts';

interface CommandEntry {
  name: string;
  line: string;
  load(): Promise<Command>;
}

interface CommandGroup {
  title: string;
  commands: readonly CommandEntry[];
}

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Run an engine',
    commands: [
      {
        name: 'up',
        line: 'crawl, index, rank and serve until Ctrl-C',
        load: async () => (await import('./commands/up.ts')).upCommand,
      },
      {
        name: 'crawl',
        line: 'crawl from seeds until no URL is left',
        load: async () => (await import('./commands/crawl.ts')).crawlCommand,
      },
      {
        name: 'topic',
        line: 'train and test topics, which tell what a text is about',
        load: async () => (await import('./topics/mod.ts')).topicCommand,
      },
      {
        name: 'build',
        line: 'add newly crawled pages to the index',
        load: async () => (await import('./commands/build.ts')).buildCommand,
      },
      {
        name: 'rank',
        line: 'compute PageRank and apply it to the index',
        load: async () => (await import('./commands/rank.ts')).rankCommand,
      },
      {
        name: 'embed',
        line: 'compute vectors, so that pages are found in other words',
        load: async () => (await import('./commands/embed.ts')).embedCommand,
      },
      {
        name: 'serve',
        line: 'serve the search page and the API',
        load: async () => (await import('./commands/serve.ts')).serveCommand,
      },
    ],
  },
  {
    title: 'Search',
    commands: [
      {
        name: 'search',
        line: 'search from the command line',
        load: async () => (await import('./commands/search.ts')).searchCommand,
      },
      {
        name: 'mcp',
        line: 'serve search to assistants (Model Context Protocol)',
        load: async () => (await import('./commands/mcp.ts')).mcpCommand,
      },
      {
        name: 'synonyms',
        line: 'list synonyms, and check a synonym file',
        load: async () => (await import('./commands/synonyms.ts')).synonymsCommand,
      },
      {
        name: 'standing',
        line: 'save queries that report new and changed pages',
        load: async () => (await import('./standing/mod.ts')).standingCommand,
      },
    ],
  },
  {
    title: 'Watch and control',
    commands: [
      {
        name: 'status',
        line: 'show the state of the data directory and the crawl',
        load: async () => (await import('./commands/status.ts')).statusCommand,
      },
      {
        name: 'inspect',
        line: 'show the whole life of a URL, and why it is (not) found',
        load: async () => (await import('./inspection/mod.ts')).inspectCommand,
      },
      {
        name: 'url',
        line: 'show the canonical form of a URL and its URL rule',
        load: async () => (await import('./commands/url.ts')).urlCommand,
      },
      {
        name: 'robots',
        line: 'show which line of a robots.txt decides about a URL',
        load: async () => (await import('./commands/robots.ts')).robotsCommand,
      },
      {
        name: 'pause',
        line: 'pause the crawl',
        load: async () => (await import('./commands/control.ts')).pauseCommand,
      },
      {
        name: 'resume',
        line: 'resume a paused crawl',
        load: async () => (await import('./commands/control.ts')).resumeCommand,
      },
      {
        name: 'stop',
        line: 'stop a running gyre crawl or gyre up cleanly',
        load: async () => (await import('./commands/control.ts')).stopCommand,
      },
      {
        name: 'remove',
        line: 'take pages out of the index and keep them out',
        load: async () => (await import('./commands/remove.ts')).removeCommand,
      },
      {
        name: 'access',
        line: 'list and change who may administer the engine',
        load: async () => (await import('./access/mod.ts')).accessCommand,
      },
    ],
  },
  {
    title: 'Data in and out',
    commands: [
      {
        name: 'import',
        line: 'import WARC, WACZ and JSONL files',
        load: async () => (await import('./commands/import.ts')).importCommand,
      },
      {
        name: 'export',
        line: 'export pages, archive, ranks or index',
        load: async () => (await import('./commands/export.ts')).exportCommand,
      },
      {
        name: 'extract',
        line: 'show the records of a page, and try record rules',
        load: async () => (await import('./records/mod.ts')).extractCommand,
      },
      {
        name: 'backup',
        line: 'copy the data directory, also while a crawl runs',
        load: async () => (await import('./backups/mod.ts')).backupCommand,
      },
      {
        name: 'restore',
        line: 'copy a backup to a new data directory',
        load: async () => (await import('./backups/mod.ts')).restoreCommand,
      },
    ],
  },
  {
    title: 'Quality of the ranking',
    commands: [
      {
        name: 'eval',
        line: 'measure the ranking with judged queries or known items',
        load: async () => (await import('./commands/eval.ts')).evalCommand,
      },
      {
        name: 'tune',
        line: 'fit the weights of the ranking to judged queries',
        load: async () => (await import('./commands/tune.ts')).tuneCommand,
      },
    ],
  },
  {
    title: 'Cluster',
    commands: [
      {
        name: 'node',
        line: 'run a node of a cluster',
        load: async () => (await import('./cluster/node-command.ts')).nodeCommand,
      },
      {
        name: 'apply',
        line: 'give other seeds and crawl settings to all nodes',
        load: async () => (await import('./cluster-admin/mod.ts')).applyCommand,
      },
      {
        name: 'dead-letters',
        line: 'show messages that no node could store, and send them again',
        load: async () => (await import('./cluster-admin/mod.ts')).deadLettersCommand,
      },
      {
        name: 'migrate',
        line: 'copy the crawl of a data directory into a cluster, or back',
        load: async () => (await import('./migration/mod.ts')).migrateCommand,
      },
    ],
  },
  {
    title: 'Checks and tools',
    commands: [
      {
        name: 'doctor',
        line: 'check this machine and every file of the data',
        load: async () => (await import('./commands/doctor.ts')).doctorCommand,
      },
      {
        name: 'selftest',
        line: 'crawl a synthetic web and check every step',
        load: async () => (await import('./commands/selftest.ts')).selftestCommand,
      },
      {
        name: 'config',
        line: 'check the configuration, and explain settings',
        load: async () => (await import('./setup/mod.ts')).configCommand,
      },
      {
        name: 'completion',
        line: 'print a script that completes commands in bash, zsh or fish',
        load: async () => (await import('./setup/mod.ts')).completionCommand,
      },
    ],
  },
];

export const COMMANDS: readonly CommandEntry[] = COMMAND_GROUPS.flatMap((group) => group.commands);
