/**
 * Search by voice, where the browser can listen (SpeechRecognition). The button says beforehand where the sound goes;
 * a line below the box says what is going on, also to those who listen: listening, not allowed, not possible,
 * nothing heard. What is understood appears in the box as it is spoken; the end of the sentence searches for it.
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
