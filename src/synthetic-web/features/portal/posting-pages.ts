/** The pages of postings: the same facts in two syntaxes, in the templates of two portals. */
import { type FeatureContext, escapeMarkup, randomFor } from '../../feature.ts';
import type { Visit } from '../../site.ts';
import type { Posting } from './postings.ts';

/**
 * Returns the page of a posting on the portal. `similar` are the paths of other postings. A page without them has no
 * count of its views either, and stays the same until the posting changes.
 */
export function postingPage(
  context: FeatureContext,
  posting: Posting,
  similar: readonly string[],
  visit: Visit,
): string {
  const { title, organization } = posting.slot;
  const facts = factsOf(context, posting, visit);
  const isJson = posting.slot.syntax === 'json-ld';
  const main = `<main>${isJson ? jsonLd(facts) + visibleFacts(facts) : microdata(facts)}</main>`;
  const body = `<nav><a href="/">All jobs</a></nav>${main}`;
  const name = `${title} at ${organization}`;
  if (similar.length === 0) return portalDocument(name, body);
  const links = similar.map((path) => `<li><a href="${path}">${path.slice(6)}</a></li>`).join('');
  const ageHours = Math.floor((visit.now - posting.opensAt) / 3_600_000);
  const views = `<p>Published ${ageHours} hours ago. ${visit.tally().earlier + 1} views.</p>`;
  return portalDocument(name, `${body}${views}<aside><h2>Similar jobs</h2><ul>${links}</ul></aside>`);
}

/** Returns the copy of a posting on the second portal, which has its own template. */
export function copyPage(context: FeatureContext, posting: Posting, visit: Visit): string {
  const { identifier, title, ...facts } = factsOf(context, posting, visit);
  const copied = {
    ...facts,
    title: posting.slot.copy === 'identifier' ? `${title} (all genders)` : title,
    ...(posting.slot.copy === 'identifier' && { identifier }),
    datePosted: dayOf(posting.opensAt + 86_400_000),
  };
  return portalDocument(
    `Offer: ${copied.title}`,
    `<header>Offers from all portals</header>${jsonLd(copied)}<article>${visibleFacts(copied)}</article>`,
  );
}

/** Returns a page that lists postings with links to `hrefs`. */
export function postingListPage(
  name: string,
  postings: readonly Posting[],
  hrefOf: (posting: Posting) => string,
) {
  const items = postings.map((posting) => {
    const { title, organization, city } = posting.slot;
    const link = `<a href="${escapeMarkup(hrefOf(posting))}">${escapeMarkup(title)}</a>`;
    return `<li>${link} at ${escapeMarkup(organization)} in ${city}</li>`;
  });
  return portalDocument(name, `<h1>${name}</h1>\n<ul>${items.join('\n')}</ul>`);
}

export function portalDocument(title: string, body: string): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeMarkup(title)}</title></head>\n<body>${body}</body></html>\n`;
}

interface PostingFacts {
  title: string;
  identifier?: string;
  organization: string;
  city: string;
  datePosted: string;
  validThrough?: string;
  salary: number;
  description: string;
}

function factsOf(
  context: FeatureContext,
  posting: Posting,
  visit: Visit,
): PostingFacts & { identifier: string } {
  const { slot, identifier, opensAt, changesAt, closesAt } = posting;
  const random = randomFor(context, 31 * slot.number + Math.floor(opensAt / slot.cycleMs));
  const salary = 2000 + 100 * random.below(20) + (visit.now >= changesAt ? 150 : 0);
  return {
    ...{ title: slot.title, identifier, organization: slot.organization, city: slot.city, salary },
    datePosted: dayOf(opensAt),
    ...(slot.ending === 'expired' && { validThrough: new Date(closesAt).toISOString() }),
    description: `${context.prose.paragraph(random)} ${context.prose.paragraph(random)}`,
  };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function jsonLd({ organization, city, salary, ...facts }: PostingFacts): string {
  const posting = {
    ...{ '@context': 'https://schema.org', '@type': 'JobPosting', ...facts },
    hiringOrganization: { '@type': 'Organization', name: organization },
    jobLocation: { '@type': 'Place', address: { addressLocality: city, addressCountry: 'NL' } },
    baseSalary: { currency: 'EUR', value: { value: salary, unitText: 'MONTH' } },
  };
  return `<script type="application/ld+json">${JSON.stringify(posting)}</script>`;
}

function visibleFacts({ title, organization, city, salary, description }: PostingFacts): string {
  return `<h1>${title}</h1><p>${organization}, ${city}, ${salary} € per month</p><p>${description}</p>`;
}

function microdata(facts: PostingFacts): string {
  const item = (type: string) => `itemscope itemtype="https://schema.org/${type}"`;
  const meta = (name: string, value: string | undefined) =>
    value === undefined ? '' : `<meta itemprop="${name}" content="${value}">`;
  return `<div ${item('JobPosting')}><h1 itemprop="title">${facts.title}</h1>
${meta('identifier', facts.identifier)}${meta('datePosted', facts.datePosted)}${meta('validThrough', facts.validThrough)}
<p><span itemprop="hiringOrganization" ${item('Organization')}><b itemprop="name">${facts.organization}</b></span>,
<span itemprop="jobLocation" ${item('Place')}><span itemprop="address" ${item('PostalAddress')}>
<i itemprop="addressLocality">${facts.city}</i>${meta('addressCountry', 'NL')}</span></span></p>
<p itemprop="baseSalary" ${item('MonetaryAmount')}>${meta('currency', 'EUR')}
<span itemprop="value" ${item('QuantitativeValue')}>${meta('unitText', 'MONTH')}<i itemprop="value">${facts.salary}</i></span> € per month</p>
<p itemprop="description">${facts.description}</p></div>`;
}
