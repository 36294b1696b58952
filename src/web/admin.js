/**
 * Scripts of all admin pages: parts of a page that are loaded again regularly, so that their figures stay new. Pages are
 * complete without them.
 */
/** Time between two loads. */
const REFRESH_MS = 5000;

async function refreshParts() {
  const parts = [...document.querySelectorAll('[data-refresh]')];
  const isBusy = parts.some((part) => part.contains(document.activeElement)) || !getSelection().isCollapsed;
  if (document.hidden || isBusy || parts.length === 0) return;
  const response = await fetch(location.href);
  if (!response.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of parts) {
    const fresh = page.getElementById(part.id);
    if (!fresh) continue;
    part.replaceChildren(...fresh.childNodes);
    if (!fresh.hasAttribute('data-refresh')) part.removeAttribute('data-refresh');
  }
}

if (document.querySelector('[data-refresh]')) setInterval(() => refreshParts().catch(() => {}), REFRESH_MS);

/**
 * The relevance desk: keys judge the result that has the focus, through its buttons. Addresses lead to the list of results
 * or to one of them, and browsers give it the focus. If the list has it, the first result without a grade is meant.
 */
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

function judgeByKey(event, results, further) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const isFocused = (result) => result.contains(document.activeElement);
  const isUnjudged = (result) => !result.querySelector('[aria-pressed=true]');
  const focused = results.find(isFocused);
  const chosen = focused ?? (isFocused(further) ? undefined : results.find(isUnjudged));
  const buttons = [...(chosen?.querySelectorAll('button[name=grade]') ?? [])];
  const grade = buttons.find(({ value }) => value === event.key);
  const target = grade ?? (event.key === 'n' ? further.querySelector('[rel=next]') : null);
  const step = STEPS[event.key];
  if (!target && !step) return;
  event.preventDefault();
  if (target) target.click();
  else if (focused) results[results.indexOf(focused) + step]?.focus();
  else chosen?.focus();
}

const judging = document.querySelector('[data-judging]');
if (judging) {
  const results = [...judging.querySelectorAll('.judging > li')];
  const further = document.getElementById('further');
  judging.addEventListener('keydown', (event) => judgeByKey(event, results, further));
}
