/**
 * Keyboard shortcuts: the slash focuses the search box; j and k move the focus down and up from title to title, so
 * that Enter follows the link as usual, and a screen reader announces the position. The question mark shows the
 * list of shortcuts, which is a section of the help page. The searcher can disable the shortcuts in the
 * preferences.
 */

const STEPS = { j: 1, k: -1 };

if (document.documentElement.dataset.keys !== 'off') addEventListener('keydown', onKey);

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key === '?') return void showShortcuts(event);
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

/** On any error, the browser opens the help page instead. */
async function showShortcuts(event) {
  event.preventDefault();
  if (document.querySelector('dialog.shortcuts')) return;
  try {
    const answer = await fetch('/help');
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const section = document.adoptNode(page.querySelector('#keys'));
    const dialog = document.createElement('dialog');
    dialog.className = 'shortcuts prose';
    const heading = section.querySelector('h2');
    heading.id = 'shortcuts';
    dialog.setAttribute('aria-labelledby', heading.id);
    dialog.append(...section.childNodes);
    const button = dialog.querySelector('button');
    button.hidden = false;
    button.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  } catch {
    location.assign('/help#keys');
  }
}
