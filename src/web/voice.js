/**
 * Voice search, if the browser supports SpeechRecognition. The title of the button says where the sound is
 * sent. A status line below the box, also announced by screen readers, reports: listening, not allowed, not
 * possible, nothing heard. The recognized text appears in the box while the searcher speaks; the end of the
 * sentence starts the search.
 */

const Recognition = globalThis.SpeechRecognition ?? globalThis.webkitSpeechRecognition;
const button = document.querySelector('.search .voice');
if (Recognition && button) addVoice(button);

function addVoice(button) {
  const box = button.form.querySelector('input[type="search"]');
  const status = document.createElement('p');
  status.className = 'voice-status';
  status.setAttribute('role', 'status');
  button.form.append(status);
  button.hidden = false;
  let recognition = null;

  button.addEventListener('click', () => {
    if (recognition) return recognition.stop();
    listen();
  });

  function listen() {
    const before = box.value;
    let isFinal = false;
    let problem = '';
    recognition = new Recognition();
    recognition.lang = document.documentElement.lang;
    recognition.interimResults = true;
    recognition.addEventListener('result', (event) => {
      const results = [...event.results];
      box.value = results
        .map(([best]) => best.transcript)
        .join('')
        .trim();
      isFinal = results.every((result) => result.isFinal);
    });
    recognition.addEventListener('error', (event) => {
      problem = wordsFor(event.error);
    });
    recognition.addEventListener('end', () => {
      recognition = null;
      button.setAttribute('aria-pressed', 'false');
      if (isFinal && box.value !== '') return button.form.requestSubmit();
      box.value = before;
      say(problem || 'silence');
    });
    try {
      recognition.start();
      button.setAttribute('aria-pressed', 'true');
      say('listening');
    } catch {
      recognition = null;
      say('unsupported');
    }
  }

  function say(state) {
    status.dataset.state = state;
    status.textContent = button.dataset[state] ?? '';
  }
}

function wordsFor(error) {
  if (error === 'not-allowed') return 'denied';
  return error === 'no-speech' || error === 'aborted' ? 'silence' : 'unsupported';
}
