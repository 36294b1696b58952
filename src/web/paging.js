/**
 * Instant paging: page numbers, tabs and filters load only the results into the current page, and the browser's
 * history works as usual. Pages and tabs are fetched as soon as the pointer is over their links. On any error,
 * the browser follows the link normally.
 */

const fetched = new Map();
const KEPT = 10;

if (location.pathname === '/search') {
  addEventListener('pointerover', (event) => void pageOf(linkFrom(event, '.pages a, .tabs a')?.href));
  addEventListener('click', (event) => {
    const link = linkFrom(event, '.pages a, .tabs a, .filters a');
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    void go(link.href, true);
  });
  addEventListener('popstate', () => void go(location.href, false));
}

function linkFrom(event, selector) {
  const link = event.target.closest?.(selector);
  return link && new URL(link.href).pathname === '/search' ? link : null;
}

async function go(address, isNew) {
  const page = await pageOf(address);
  const main = page?.querySelector('main');
  if (!main || !page.querySelector('.narrowing')) return location.assign(address);
  if (isNew) history.pushState(null, '', address);
  document.title = page.title;
  const box = document.querySelector('input[type="search"]');
  box.value = page.querySelector('input[type="search"]').value;
  const current = document.querySelector('main');
  current.replaceWith(document.adoptNode(main));
  if (isNew) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
  dispatchEvent(new Event('gyre:page'));
}

/** Returns the page as a document; null if it could not be fetched. Each page is fetched once. */
function pageOf(address) {
  if (!address) return null;
  if (!fetched.has(address)) {
    if (fetched.size >= KEPT) fetched.delete(fetched.keys().next().value);
    fetched.set(address, load(address));
  }
  return fetched
    .get(address)
    .then((text) => (text === null ? null : new DOMParser().parseFromString(text, 'text/html')));
}

async function load(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
