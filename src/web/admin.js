/**
 * Scripts of all admin pages: parts of a page that are loaded again regularly, so that their figures stay new. Pages are
 * complete without them.
 */
/** Time between two loads. */
const REFRESH_MS = 5000;

async function refreshParts() {
  const parts = [...document.querySelectorAll('[data-refresh]')];
  const isBusy = parts.some((part) => part.contains(document.activeElement)) || !getSelection().isCollapsed;
  if (document.hidden || isBusy) return;
  const response = await fetch(location.href);
  if (!response.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of parts) {
    const fresh = page.getElementById(part.id);
    if (fresh) part.replaceChildren(...fresh.childNodes);
  }
}

if (document.querySelector('[data-refresh]')) setInterval(() => refreshParts().catch(() => {}), REFRESH_MS);
