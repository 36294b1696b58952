/** Says when a change of seeds, rules or settings takes effect. */
import { type Html, html } from '../../html.ts';
import type { CrawlDesk } from './dashboard.ts';

export function effectNote({ isFollowed }: Pick<CrawlDesk, 'isFollowed'>): Html {
  return isFollowed
    ? html`<p class="soft">Changes take effect within seconds: the crawl is interrupted for a moment and loses nothing.</p>`
    : html`<p class="soft">The crawl does not run in this process: changes take effect when it is started again.</p>`;
}
