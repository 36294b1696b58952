/** Blocks a host, changes its delay, fetches its pages again, or removes them, for an operator. */
import { UsageError } from '../../base/mod.ts';
import type { HostDesk } from '../../serve/mod.ts';
import { canonicalize, originOf } from '../../url/mod.ts';
import { requestHost } from '../requests/mod.ts';
import { authorityOf, blockRule, isBlocked, withoutBlock } from './block-rules.ts';
import type { DashboardOptions } from './dashboard.ts';
import type { DashboardWorker } from './dashboard-worker.ts';
import { rulesAsWritten } from './rules-as-written.ts';
import { SettingEditor } from './setting-editor.ts';

export function hostActions(
  { data, changeable, tools }: Pick<DashboardOptions, 'data' | 'changeable' | 'tools'>,
  worker: DashboardWorker,
): HostDesk {
  const editor = new SettingEditor(data.root, changeable);
  return {
    list: (search) => worker.hosts(search),
    find: (origin) => worker.host(origin),
    block(given, who) {
      const origin = readOrigin(given);
      if (isBlocked(origin, editor.config.crawl.rules))
        throw new UsageError('not-possible', `${origin} is blocked already.`);
      const rules = [blockRule(origin), ...rulesAsWritten(changeable, data.root.path)];
      editor.set('crawl.rules', rules, { who, action: 'block host', target: origin });
      return `${origin} is blocked: it gets no more requests.`;
    },
    unblock(given, who) {
      const origin = readOrigin(given);
      const rules = withoutBlock(origin, rulesAsWritten(changeable, data.root.path));
      editor.set('crawl.rules', rules, { who, action: 'unblock host', target: origin });
      return `${origin} is no longer blocked.`;
    },
    setDelay(given, delay, who) {
      const origin = readOrigin(given);
      const host = authorityOf(origin);
      const { [host]: _, ...others } = editor.config.crawl.hostDelaysMs;
      const rest = Object.entries(others).map(([name, ms]) => [name, `${ms}ms`] as const);
      // The first pattern that matches counts, so the host comes before patterns of domains.
      const delays = Object.fromEntries([...(delay === '' ? [] : [[host, delay] as const]), ...rest]);
      const target = `${origin} ${delay}`.trim();
      editor.set('crawl.hostDelays', delays, { who, action: 'set delay', target });
      return delay === ''
        ? `${origin} has the delay of all hosts again.`
        : `${origin} now has a delay of at least ${delay}.`;
    },
    recrawl(given, who) {
      const origin = readOrigin(given);
      requestHost(data.root, origin);
      editor.audit({ who, action: 'recrawl host', target: origin });
      return `All known URLs of ${origin} are fetched again.`;
    },
    async remove(given, purge, who) {
      const origin = readOrigin(given);
      await tools.change({ action: 'remove', targets: [authorityOf(origin)], purge, who });
      return `${origin} is removed: searches no longer find its pages${purge ? ', and its copies are being deleted' : ''}.`;
    },
  };
}

function readOrigin(text: string): string {
  const url = canonicalize(text);
  if (url !== null && originOf(url) === text) return text;
  throw new UsageError('bad-host', `"${text}" is not the origin of a host, such as https://example.org.`);
}
