/** Only adds: the slash key leads to the search box. Everything works without it. */

addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const box = document.querySelector('input[type="search"]');
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
});

function isTyping(target) {
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.nodeName);
}
