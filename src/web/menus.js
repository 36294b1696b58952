/**
 * A menu closes when another opens, on Escape, and when a click or the focus goes elsewhere: it would cover what has the
 * focus. Without this file it closes on its own button.
 */

for (const type of ['click', 'focusin'])
  addEventListener(type, (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
  });

addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const menu of openMenus()) {
    const hadFocus = menu.contains(document.activeElement);
    menu.open = false;
    if (hadFocus) menu.querySelector('summary').focus();
  }
});

function openMenus() {
  return document.querySelectorAll('details:is(.menu, .filters)[open]');
}
