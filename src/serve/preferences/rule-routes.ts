/**
 * Routes that change a searcher's rules for sites (from the menu of a result, from the table on the preferences
 * page, or from a file), and the route that exports the rules.
 */
import type { FastifyInstance } from 'fastify';
import {
  formatSiteRules,
  isSiteEffect,
  joinSiteRules,
  parseSiteRule,
  parseSiteRules,
  readSite,
  type SiteRule,
} from '../../url/mod.ts';
import { problemInWords } from '../errors.ts';
import { viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';
import { type FormFields, ownForm } from '../http/mod.ts';
import { keep } from './preferences-page.ts';

const EXAMPLE = 'block example.org';
const TO_RULES = '/preferences?saved=rules#rules';
/** The maximum number of rows of the table that are read. It is more than a cookie can hold. */
const MAX_ROWS = 1000;

export function ruleRoutes(server: FastifyInstance, site: ServerContext): void {
  server.post('/preferences/rule', (request, reply) => {
    const fields = ownForm(request);
    const { preferences } = viewOf(site, request);
    const rule = parseSiteRule(fields.rule ?? '');
    if (!rule) throw problemInWords(400, 'bad-rules', 'detail.rule', { example: EXAMPLE });
    const before = preferences.rules.find((each) => each.site === rule.site)?.effect ?? 'normal';
    const rules = withRule(preferences.rules, rule, site.siteRules);
    const isUndo = fields.undo !== undefined;
    const back = wayBack(fields.back ?? '', isUndo ? '' : `${rule.effect}.${before}.${rule.site}`);
    return keep(site, request, reply, { ...preferences, rules }, back);
  });
  server.post('/preferences/rules', (request, reply) => {
    const rules = readTable(ownForm(request));
    return keep(site, request, reply, { ...viewOf(site, request).preferences, rules }, TO_RULES);
  });
  server.post('/preferences/rules/file', (request, reply) => {
    const rules = readRulesFile(ownForm(request).file ?? '');
    return keep(site, request, reply, { ...viewOf(site, request).preferences, rules }, TO_RULES);
  });
  server.get('/preferences/rules.txt', (request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', 'attachment; filename="gyre-site-rules.txt"')
      .send(
        `# Site rules of ${site.brand.name}: block, lower, raise, pin or normal, and a site\n${formatSiteRules(viewOf(site, request).preferences.rules)}`,
      ),
  );
}

/**
 * Returns the rules of a searcher with one more rule. A `normal` rule is stored only if it overrides a rule
 * of the operator or a rule for a parent domain.
 */
function withRule(own: readonly SiteRule[], rule: SiteRule, defaults: readonly SiteRule[]): SiteRule[] {
  const others = own.filter(({ site }) => site !== rule.site);
  const isAbove = ({ site }: SiteRule) => rule.site === site || rule.site.endsWith(`.${site}`);
  const isNeeded = rule.effect !== 'normal' || [...defaults, ...others].some(isAbove);
  return isNeeded ? [...others, rule] : others;
}

/**
 * Returns the URL to redirect to after a rule is stored: always a page of results on this server, whatever the
 * form contains. `ruled` is the new rule, which the page of results confirms and offers to undo; empty if there
 * is none.
 */
function wayBack(address: string, ruled: string): string {
  if (!/^\/search\?[\x21-\x7e]*$/.test(address)) return TO_RULES;
  return ruled === '' ? address : `${address}&ruled=${encodeURIComponent(ruled)}`;
}

/**
 * Reads the rules in a table form: the fields `site-0`, `effect-0` and so on. Rows without a site or an
 * effect are skipped.
 */
function readTable(fields: FormFields): SiteRule[] {
  const rules: SiteRule[] = [];
  for (let at = 0; at < MAX_ROWS && fields[`site-${at}`] !== undefined; at++) {
    const text = fields[`site-${at}`]!.trim();
    const effect = fields[`effect-${at}`];
    if (text === '' || !isSiteEffect(effect)) continue;
    const site = readSite(text);
    if (!site) {
      const values = { text: `"${text.slice(0, 80)}"`, example: 'example.org' };
      throw problemInWords(400, 'bad-rules', 'detail.site', values);
    }
    rules.push({ site, effect });
  }
  return joinSiteRules([], rules);
}

/**
 * Reads the rules in a file. A file with only a comment is a valid list without rules; the export writes such a
 * file if there are no rules. An empty file is an error.
 */
function readRulesFile(text: string): SiteRule[] {
  const { rules, problems } = parseSiteRules(text);
  const [first] = problems;
  if (!first && text.trim() !== '') return rules;
  if (!first) throw problemInWords(400, 'bad-rules', 'detail.rulesEmpty', { example: EXAMPLE });
  const values = { line: first.line, text: `"${first.text}"`, example: EXAMPLE };
  throw problemInWords(400, 'bad-rules', 'detail.ruleLine', values);
}
