/**
 * Answer boxes: what is worked out stands in the page; what others know is asked for when the results are there already, put
 * beside them when it comes, absent otherwise. One may want to know where the searcher is: then a button asks the browser, which asks its person; a tenth of a degree is sent.
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
    // The results stand on their own.
  }
}

/** Who allowed it before is not asked again. */
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
