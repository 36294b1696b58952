/**
 * Closes a menu when another opens, on Escape, and when a click or the focus goes elsewhere, because the menu
 * could cover the focused element. Without this script, a menu closes only by its own button.
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
  return document.querySelectorAll('details:is(.menu, .filter)[open]');
}
