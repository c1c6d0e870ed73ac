// The page /talk/{uuid}: a button, a level meter, the transcript, and a field to type into without a microphone.
import { openWebCall } from './open-web-call.js';
import { NOTICES } from './sound/sound-texts.js';
import { texts as allTexts } from './texts.js';
import { WebCall } from './web-call.js';

const language = navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en';
const texts = allTexts[language];
const element = Object.fromEntries([...document.querySelectorAll('[id]')].map((each) => [each.id, each]));
const assistantId = location.pathname.split('/').filter(Boolean).at(-1) ?? '';
/** The line of each speaker that may still change. */
const openLines = new Map();
let call = null;

document.documentElement.lang = language === 'pt' ? 'pt-BR' : 'en';
document.title = texts.title;
for (const name of ['title', 'talk', 'mute', 'hangup', 'send']) element[name].textContent = texts[name];
element.words.placeholder = texts.words;
element.words.setAttribute('aria-label', texts.words);
element.transcript.setAttribute('aria-label', texts.transcript);
element.chosen.textContent = texts.callMicrophone;
show('idle');

element.talk.addEventListener('click', () => void begin());
element.hangup.addEventListener('click', () => call?.hangUp());
element.mute.addEventListener('click', () => mute(element.mute.getAttribute('aria-pressed') !== 'true'));
element.retry.addEventListener('click', () => call?.retrySound());
element.microphones.addEventListener('change', () => call?.chooseMicrophone(element.microphones.value));
element.typed.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = element.words.value.trim();
  if (text === '') return;
  // Words that could not be sent stay to be sent again.
  if (call?.type(text)) element.words.value = '';
});

async function begin() {
  // A second click at the same moment.
  if (call?.isOver === false) return;
  element.transcript.replaceChildren();
  openLines.clear();
  complain(null);
  inCall(true);
  show('connecting');
  const opening = new WebCall({
    open: () =>
      openWebCall(assistantId, {
        language,
        onStarting: () => show('starting'),
        isOver: () => opening.isOver,
      }),
    worklets: ['capture', 'playback'].map((name) => `/talk-assets/${name}-worklet.js`),
  });
  call = opening;
  // A new call starts unmuted, and the button shows that.
  mute(false);
  call.addEventListener('state', ({ detail }) => show(detail.state));
  call.addEventListener('ready', () => show('listening'));
  call.addEventListener('turn', ({ detail }) => write(detail));
  call.addEventListener('level', ({ detail }) => level(detail));
  call.addEventListener('sound', ({ detail }) => sound(detail));
  call.addEventListener('ended', () => {
    inCall(false);
    complain(null);
    show('ended');
  });
  try {
    await opening.start();
  } catch (error) {
    // Hung up while the server was starting.
    if (opening.isOver) return;
    opening.end('failed');
    show('idle');
    complain(error);
  }
}

function mute(isMuted) {
  call.mute(isMuted);
  element.mute.setAttribute('aria-pressed', String(isMuted));
}

function show(state) {
  if (document.body.dataset.state === state) return;
  document.body.dataset.state = state;
  element.status.textContent = texts[state] ?? '';
}

function inCall(isInCall) {
  element.talk.hidden = isInCall;
  for (const name of ['mute', 'hangup', 'typed']) element[name].hidden = !isInCall;
  if (!isInCall) element.chooser.hidden = true;
  // Not a button: a second Enter would hang up or mute.
  if (isInCall) element.transcript.focus();
  else element.talk.focus();
}

/** Why there is no call. */
function complain(error) {
  const own = error && (texts[error.code] ?? texts.refused);
  const text = error?.code === 'refused' && error.message ? `${own} ${error.message}` : own;
  notify(text, true, null);
}

/** @param action the text of a button that may help */
function notify(text, isAlert, action) {
  say(element.problem, (isAlert && text) || '');
  say(element.note, (!isAlert && text) || '');
  element.problem.hidden = element.problem.textContent === '';
  if (!action && document.activeElement === element.retry) element.transcript.focus();
  element.retry.hidden = !action;
  element.retry.textContent = action ?? '';
}

/** Text that stays is not announced again. */
function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** What disturbs the sound of the call, and which microphones there are. */
function sound({ notice, microphones, microphone }) {
  const { text, action, isAlert } = NOTICES[notice] ?? {};
  notify(texts[text], isAlert, texts[action]);
  element.chooser.hidden = microphones.length === 0;
  const choices = [{ id: '', label: texts.callSystemMicrophone }, ...microphones];
  const shown = JSON.stringify(choices);
  // A list that is open closes when its entries are made anew.
  if (element.microphones.dataset.shown !== shown)
    element.microphones.replaceChildren(...choices.map(({ id, label }) => new Option(label, id)));
  element.microphones.dataset.shown = shown;
  element.microphones.value = microphone;
}

function write({ role, text, final }) {
  let line = openLines.get(role);
  if (!line) {
    line = document.createElement('p');
    line.className = role;
    line.append(speakerOf(role), '');
    element.transcript.append(line);
  }
  line.lastChild.data = text;
  if (final) openLines.delete(role);
  else openLines.set(role, line);
  element.transcript.scrollTop = element.transcript.scrollHeight;
}

/** For those who do not see on which side a line is. */
function speakerOf(role) {
  const speaker = document.createElement('span');
  speaker.className = 'speaker';
  speaker.textContent = `${texts[role] ?? texts.assistant}: `;
  return speaker;
}

function level({ who, level: loudness }) {
  const isTheirs = document.body.dataset.state === 'speaking' ? who === 'assistant' : who === 'customer';
  if (isTheirs) element.orb.style.setProperty('--level', Math.min(1, loudness * 6).toFixed(2));
}
