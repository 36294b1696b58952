/**
 * Suggestions while typing: the search box becomes a combobox (WAI-ARIA 1.2) with a list below it.
 *
 * The focus never leaves the box. The arrow keys select a suggestion (`aria-activedescendant`) and show it in
 * the box. Escape restores the typed text and closes the list; an arrow key opens it again. Enter or a click
 * opens the page of a selected suggestion, if it has one; otherwise Enter searches for the content of the box.
 * A response is dropped if more was typed, a suggestion was selected or the box lost the focus since; an error shows nothing.
 */

const DELAY_MS = 80;
const box = document.querySelector('input[type="search"][data-suggestions]:not([data-suggestions=""])');
if (box) addSuggestions(box);

function addSuggestions(box) {
  const list = document.createElement('ul');
  list.id = 'suggestions';
  list.className = 'suggestions';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', box.dataset.suggestions);
  box.form.append(list);
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-autocomplete', 'list'],
    ['aria-expanded', 'false'],
    ['aria-controls', list.id],
  ]) {
    box.setAttribute(name, value);
  }
  let typed = box.value;
  let chosen = -1;
  let timer = 0;
  let asking = null;

  box.addEventListener('input', () => {
    typed = box.value;
    chosen = -1;
    cancel();
    timer = setTimeout(ask, DELAY_MS);
  });
  box.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (list.hidden) {
      if (step) reopen(event);
    } else if (step) {
      event.preventDefault();
      cancel();
      choose(chosen + step);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      box.value = typed;
      close();
    }
  });
  box.addEventListener('blur', close);
  box.form.addEventListener('submit', (event) => {
    const url = list.children[chosen]?.dataset.url;
    close();
    if (!url) return;
    event.preventDefault();
    location.assign(url);
  });
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = event.target.closest('[role="option"]');
    if (!option) return;
    choose([...list.children].indexOf(option));
    box.form.requestSubmit();
  });

  /** The arrow keys open the list if it is closed. With Shift they select text instead. */
  function reopen(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || box.value.trim() === '') return;
    event.preventDefault();
    typed = box.value;
    void ask();
  }

  async function ask() {
    cancel();
    const prefix = typed.trimStart();
    if (prefix === '') return close();
    const request = new AbortController();
    asking = request;
    let suggestions = [];
    try {
      const response = await fetch(`/suggest?q=${encodeURIComponent(prefix)}`, { signal: request.signal });
      if (response.ok) ({ suggestions } = await response.json());
    } catch {
      // Without suggestions, the list is closed.
    }
    if (asking === request && document.activeElement === box) show(suggestions);
  }

  /** Cancels the timer and the request, so that no later response changes the list. */
  function cancel() {
    clearTimeout(timer);
    asking?.abort();
    asking = null;
  }

  function show(suggestions) {
    list.replaceChildren(...suggestions.map(({ text, url }, at) => optionOf(text, url, at)));
    chosen = -1;
    box.removeAttribute('aria-activedescendant');
    list.hidden = suggestions.length === 0;
    box.setAttribute('aria-expanded', String(!list.hidden));
  }

  function close() {
    cancel();
    show([]);
  }

  /** Selects a suggestion. The typed text comes before the first and after the last suggestion. */
  function choose(at) {
    const options = [...list.children];
    chosen = at < -1 ? options.length - 1 : at >= options.length ? -1 : at;
    for (const [each, option] of options.entries()) {
      option.setAttribute('aria-selected', String(each === chosen));
    }
    const option = options[chosen];
    box.value = option ? option.dataset.text : typed;
    if (option) box.setAttribute('aria-activedescendant', option.id);
    else box.removeAttribute('aria-activedescendant');
  }

  /**
   * Creates an option of the list. The typed prefix is plain, the rest is bold. The title of a page has its host
   * beside it.
   */
  function optionOf(text, url, at) {
    const option = document.createElement('li');
    option.id = `suggestion-${at}`;
    option.dir = 'auto';
    option.dataset.text = text;
    if (url) {
      option.dataset.url = url;
      option.dataset.host = new URL(url).host;
    }
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', 'false');
    const prefix = typed.trimStart();
    const isPrefix = text.toLowerCase().startsWith(prefix.toLowerCase());
    const rest = document.createElement('b');
    rest.textContent = isPrefix ? text.slice(prefix.length) : text;
    option.append(isPrefix ? text.slice(0, prefix.length) : '', rest);
    return option;
  }
}
