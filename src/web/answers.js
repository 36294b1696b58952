/**
 * Answer boxes. Computed answers are part of the page. Other answers are requested after the results are
 * displayed and inserted when they arrive. A box may need the searcher's location: then a button asks the
 * browser, which asks the searcher for permission. The location is sent rounded to a tenth of a degree.
 */

addEventListener('gyre:page', () => void load());
addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-place] button');
  if (button) locate(button);
});
void load();

async function load(coordinates) {
  const place = document.querySelector('[data-answers]');
  if (!place?.dataset.answers) return;
  try {
    const where = coordinates
      ? `&latitude=${coordinates.latitude.toFixed(1)}&longitude=${coordinates.longitude.toFixed(1)}`
      : '';
    const answer = await fetch(place.dataset.answers + where);
    const text = answer.ok ? await answer.text() : '';
    if (text.trim() === '') return;
    const { body } = new DOMParser().parseFromString(text, 'text/html');
    place.replaceChildren(...document.adoptNode(body).childNodes);
    await offerPlace(place.querySelector('[data-place]'));
    place.hidden = !place.querySelector('.answer:not([hidden])');
  } catch {
    // Errors are ignored, because the page works without answer boxes.
  }
}

/** Shows the button; if the permission was granted before, requests the location without a click. */
async function offerPlace(section) {
  if (!section || !navigator.geolocation || !isSecureContext) return;
  section.hidden = false;
  const permission = await navigator.permissions?.query({ name: 'geolocation' });
  if (permission?.state === 'granted') locate(section.querySelector('button'));
}

function locate(button) {
  const state = button.closest('[data-place]').querySelector('.state');
  button.disabled = true;
  state.textContent = '';
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => void load(coords),
    ({ code, PERMISSION_DENIED }) => {
      button.disabled = false;
      state.textContent = code === PERMISSION_DENIED ? button.dataset.denied : button.dataset.failed;
    },
    { maximumAge: 600_000, timeout: 10_000 },
  );
}
