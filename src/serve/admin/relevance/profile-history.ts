/** Renders the profiles of an engine, and the history of the one in force. */
import { type Html, html } from '../../html.ts';
import type { Session } from '../../sign-in/mod.ts';
import { hiddenSecret } from '../frame.ts';
import type { DeskProfile, DeskProfiles } from './relevance-desk.ts';

const PAGE = '/admin/relevance/profiles';

export function profilesCard({ inForce, isPinned, profiles }: DeskProfiles): Html {
  return html`<section class="card" aria-labelledby="profiles"><h2 id="profiles">Profiles</h2>
<p>Searches use <strong>${inForce}</strong>${isPinned ? html`, which the setting <code>serve.profile</code> names` : null}.</p>
<div class="scroll roomy" tabindex="0" role="region" aria-label="Table of profiles"><table><caption class="unseen">Ranking profiles</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Description</th><th scope="col">Evaluation</th></tr></thead>
<tbody>${profiles.map(profileRow)}</tbody></table></div>
<p class="soft">A JSON file of a profile appears here if it is in <code>profiles/</code> of the data directory. <code>gyre tune --out FILE</code> makes one from judgements.</p></section>`;
}

function profileRow({ name, about, evaluation, problem }: DeskProfile): Html {
  return html`<tr><th scope="row">${name}</th><td>${about}</td><td>${
    problem !== undefined
      ? html`<span class="tag bad">${problem}</span>`
      : evaluation === null
        ? 'not published'
        : `nDCG@10 ${evaluation.nDCG.toFixed(4)} over ${evaluation.queries} queries, compared with ${evaluation.baseline}, ${evaluation.at.slice(0, 16).replace('T', ' ')}`
  }</td></tr>`;
}

export function historyCard({ history, previous }: DeskProfiles, session: Session): Html {
  const rows = history.map(
    ({ at, who, action, profile }) =>
      html`<tr><td><time datetime="${at}">${at.slice(0, 16).replace('T', ' ')}</time></td><td>${who}</td><td>${action}</td><td>${profile}</td></tr>`,
  );
  const rollBack = html`<form method="post" action="${PAGE}/roll-back" class="row">${hiddenSecret(session)}<button class="danger">Roll back to ${previous ?? ''}</button></form>`;
  return html`<section class="card" aria-labelledby="history"><h2 id="history">History</h2>
${previous !== null && session.role === 'operator' ? rollBack : null}
${
  history.length === 0
    ? html`<p>No profile was published yet.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Table of publications"><table><caption class="unseen">Publications, the newest first</caption>
<thead><tr><th scope="col">Time (UTC)</th><th scope="col">Who</th><th scope="col">Action</th><th scope="col">In force since then</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}</section>`;
}
