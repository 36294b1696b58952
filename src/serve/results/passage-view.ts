/** The passage that answers a question, above the results. All of it comes from a foreign page and is rendered as text. */
import type { PassageAnswer } from '../../query/mod.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../request-context.ts';
import { plain, shorten } from '../shown-text.ts';
import { passageAddress } from './result-address.ts';
import { highlight } from './result-view.ts';

const MAX_TITLE = 90;
const MAX_TEXT = 600;
const MAX_CODE = 600;

export function renderPassage({ words }: View, passage: PassageAnswer): Html {
  const { url, title, host, text, highlights, code, language = '' } = passage;
  const address = passageAddress({ url, snippet: text, isPassage: true });
  const name = shorten(plain(title), MAX_TITLE) || host;
  return html`<section class="answer passage" aria-label="${words.text('passage.label')}" dir="auto">
<p class="text" lang="${language}">${highlight(text.slice(0, MAX_TEXT), highlights)}</p>
${code === undefined ? null : html`<pre dir="ltr" tabindex="0"><code>${plain(code.slice(0, MAX_CODE))}</code></pre>`}
<h2 lang="${language}"><a href="${address}">${name}</a></h2>
<p class="source" dir="${words.direction}">${words.markup('passage.source', { host: html`<bdi>${host}</bdi>` })}</p>
</section>
`;
}
