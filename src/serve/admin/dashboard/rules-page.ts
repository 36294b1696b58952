/** Serves `/admin/rules`: the URL rules, and which known URLs other rules would decide about differently. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UsageError } from '../../../base/mod.ts';
import { type Html, html } from '../../html.ts';
import { ownForm } from '../../http/mod.ts';
import type { ServerContext } from '../../server-context.ts';
import { type Session, sessionOf, whoOf } from '../../sign-in/mod.ts';
import { hiddenSecret, sendPage } from '../frame.ts';
import type { CrawlDesk, RuleTest } from './dashboard.ts';
import { effectNote } from './effect-note.ts';
import { grouped } from './numbers.ts';

const PAGE = '/admin/rules';

const VERBS: Readonly<Record<string, string>> = {
  index: 'indexed',
  follow: 'followed, not indexed',
  ignore: 'ignored',
};

export function rulesRoutes(server: FastifyInstance, site: ServerContext, crawl: CrawlDesk): void {
  const shown = (request: FastifyRequest, json: string, test: RuleTest | null) => ({
    title: 'URL rules',
    main: rulesPage(crawl, sessionOf(request), json, test),
  });
  server.get(PAGE, (request, reply) => sendPage(site, request, reply, shown(request, crawl.rules(), null)));
  server.post(PAGE, async (request, reply) => {
    const { rules = '', action } = ownForm(request);
    const session = sessionOf(request);
    let test: RuleTest | null = null;
    try {
      if (action === 'save') {
        session.notice = { kind: 'done', text: crawl.saveRules(rules, whoOf(request)) };
        return reply.redirect(PAGE, 303);
      }
      test = await crawl.testRules(rules);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      session.notice = { kind: 'problem', text: error.message };
    }
    // The rules are shown as they were typed, so that a mistake can be corrected.
    return sendPage(site, request, reply, shown(request, rules, test));
  });
}

function rulesPage(crawl: CrawlDesk, session: Session, json: string, test: RuleTest | null): Html {
  const lines = Math.min(24, Math.max(6, json.split('\n').length + 1));
  const mayChange = session.role === 'operator';
  return html`${effectNote(crawl)}
<section class="card" aria-labelledby="rules"><h2 id="rules">Rules</h2>
<form method="post" action="${PAGE}">${hiddenSecret(session)}
<label for="rules-text">A list in JSON. The first rule that matches a URL decides: <code>index</code>, <code>follow</code> or <code>ignore</code>.</label>
<textarea id="rules-text" name="rules" rows="${lines}" spellcheck="false" autocapitalize="none">${json}</textarea>
${
  mayChange
    ? html`<div class="row"><button name="action" value="test" class="primary">Test</button><button name="action" value="save">Save</button></div>`
    : null
}
</form>
<details><summary>Examples</summary><pre><code>[
  { "verb": "ignore", "domain": "example.org", "extension": ["zip", "iso"] },
  { "verb": "follow", "prefix": "https://example.org/tags/" },
  { "verb": "ignore", "pattern": "[?&amp;]sessionid=" },
  { "host": "shop.example.org", "query": { "keep": ["id"] } }
]</code></pre></details>
</section>
${test && testResult(test)}`;
}

function testResult({ known, changes }: RuleTest): Html {
  const total = changes.reduce((sum, { count }) => sum + count, 0);
  return html`<section class="card" aria-labelledby="test" id="test-result"><h2 id="test">What these rules would change</h2>
<p>${
    total === 0
      ? `Nothing: the decision about all ${grouped(known)} known URLs stays the same.`
      : `${grouped(total)} of ${grouped(known)} known URLs get another decision. Nothing is saved yet.`
  }</p>
${changes.map(
  ({
    before,
    after,
    count,
    examples,
  }) => html`<h3>${grouped(count)} ${count === 1 ? 'URL' : 'URLs'}: ${VERBS[before] ?? before} now, ${
    VERBS[after] ?? after
  } then</h3>
<div class="scroll" tabindex="0" role="region" aria-label="URLs ${VERBS[before] ?? before} now, ${VERBS[after] ?? after} then"><table><caption class="unseen">Examples</caption>
<thead><tr><th scope="col">URL</th><th scope="col">Rule</th></tr></thead>
<tbody>${examples.map(({ url, rule }) => html`<tr><th scope="row">${url}</th><td>${rule}</td></tr>`)}</tbody></table></div>
${count > examples.length ? html`<p class="soft">The first ${examples.length} of ${grouped(count)}.</p>` : null}`,
)}</section>`;
}
