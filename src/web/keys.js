/**
 * Keyboard shortcuts: the slash focuses the search box; j and k move the focus down and up from title to
 * title, so that Enter follows the link as usual, and a screen reader announces the position. The preferences
 * can disable them.
 */

const STEPS = { j: 1, k: -1 };

if (document.documentElement.dataset.keys !== 'off') addEventListener('keydown', onKey);

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const target = event.key === '/' ? searchBox() : titleFrom(STEPS[event.key] ?? 0);
  if (!target) return;
  event.preventDefault();
  target.focus();
  if (event.key === '/') target.select();
  else target.scrollIntoView({ block: 'nearest' });
}

function searchBox() {
  return document.querySelector('input[type="search"]');
}

/** Returns the title `step` results away from the focused result; the first title if no result is focused. */
function titleFrom(step) {
  const titles = [...document.querySelectorAll('.result .title')];
  if (step === 0 || titles.length === 0) return null;
  const result = document.activeElement?.closest('.result');
  const at = result ? titles.findIndex((title) => result.contains(title)) : -1;
  return titles[at < 0 ? 0 : Math.min(Math.max(at + step, 0), titles.length - 1)];
}

function isTyping(target) {
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.nodeName);
}
