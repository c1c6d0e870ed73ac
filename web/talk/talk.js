// The page /talk/{uuid}: a button, a level, what was said, and words to type where nobody hears.
import { openWebCall } from './open-web-call.js';
import { WebCall } from './web-call.js';

const TEXTS = {
  pt: {
    title: 'Fale com a assistente',
    talk: 'Falar',
    mute: 'Silenciar',
    unmute: 'Ativar microfone',
    hangup: 'Desligar',
    send: 'Enviar',
    words: 'Digite o que quer dizer',
    transcript: 'O que foi dito',
    idle: 'Toque em Falar para começar.',
    connecting: 'Conectando…',
    starting: 'O servidor está iniciando. A chamada começa em instantes…',
    listening: 'Ouvindo…',
    thinking: 'Pensando…',
    speaking: 'Falando…',
    reconnecting: 'A conexão caiu. Tentando de novo…',
    ended: 'A chamada terminou.',
    refused: 'A chamada não pôde começar.',
    network: 'O servidor não responde. Verifique sua conexão e tente de novo.',
    'no-microphone': 'Nenhum microfone foi encontrado. Você pode digitar.',
    'microphone-denied': 'O microfone está bloqueado. Libere-o nas permissões do navegador, ou digite.',
    insecure: 'O navegador só libera microfone e voz em páginas https. Você pode digitar e ler.',
  },
  en: {
    title: 'Talk to the assistant',
    talk: 'Talk',
    mute: 'Mute',
    unmute: 'Unmute',
    hangup: 'Hang up',
    send: 'Send',
    words: 'Type what you want to say',
    transcript: 'What was said',
    idle: 'Press Talk to begin.',
    connecting: 'Connecting…',
    starting: 'The server is starting. The call begins in a moment…',
    listening: 'Listening…',
    thinking: 'Thinking…',
    speaking: 'Speaking…',
    reconnecting: 'The connection was lost. Trying again…',
    ended: 'The call is over.',
    refused: 'The call could not begin.',
    network: 'The server does not answer. Check your connection and try again.',
    'no-microphone': 'No microphone was found. You can type.',
    'microphone-denied': 'The microphone is blocked. Allow it in the settings of the browser, or type.',
    insecure: 'Browsers open the microphone and play voices on https pages only. You can type and read.',
  },
};

const language = navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en';
const texts = TEXTS[language];
const element = Object.fromEntries([...document.querySelectorAll('[id]')].map((each) => [each.id, each]));
const assistantId = location.pathname.split('/').filter(Boolean).at(-1) ?? '';
/** The line of each speaker that may still change. */
const openLines = new Map();
let call = null;
/** What counts as speech of the assistant, and how long a pause in it may be. */
const AUDIBLE = 0.01;
const PAUSE_MS = 600;
let heardAt = -PAUSE_MS;

document.documentElement.lang = language === 'pt' ? 'pt-BR' : 'en';
document.title = texts.title;
for (const name of ['talk', 'hangup', 'send']) element[name].textContent = texts[name];
element.words.placeholder = texts.words;
element.words.setAttribute('aria-label', texts.words);
element.transcript.setAttribute('aria-label', texts.transcript);
show('idle');

element.talk.addEventListener('click', () => void begin());
element.hangup.addEventListener('click', () => call?.hangUp());
element.mute.addEventListener('click', () => mute(element.mute.getAttribute('aria-pressed') !== 'true'));
element.typed.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = element.words.value.trim();
  if (text === '') return;
  // Words that could not be sent stay to be sent again.
  if (call?.type(text)) element.words.value = '';
});

async function begin() {
  element.transcript.replaceChildren();
  openLines.clear();
  complain(null);
  inCall(true);
  show('connecting');
  const opening = new WebCall({
    open: () =>
      openWebCall(assistantId, { onStarting: () => show('starting'), isOver: () => opening.isOver }),
    worklets: ['capture', 'playback'].map((name) => `/talk-assets/${name}-worklet.js`),
  });
  call = opening;
  // Whoever muted the last call is heard in this one, and sees it.
  mute(false);
  call.addEventListener('state', ({ detail }) => show(detail.state));
  call.addEventListener('ready', () => show('listening'));
  call.addEventListener('turn', ({ detail }) => write(detail));
  call.addEventListener('level', ({ detail }) => level(detail));
  call.addEventListener('ended', () => {
    inCall(false);
    show('ended');
  });
  try {
    complain(await opening.start());
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
  element.mute.textContent = isMuted ? texts.unmute : texts.mute;
}

function show(state) {
  if (document.body.dataset.state === state) return;
  document.body.dataset.state = state;
  element.status.textContent = texts[state] ?? '';
}

function inCall(isInCall) {
  element.talk.hidden = isInCall;
  for (const name of ['mute', 'hangup', 'typed']) element[name].hidden = !isInCall;
  if (isInCall) element.hangup.focus();
  else element.talk.focus();
}

function complain(error) {
  element.problem.hidden = !error;
  if (!error) return;
  const own = texts[error.code] ?? texts.refused;
  element.problem.textContent = error.code === 'refused' && error.message ? `${own} ${error.message}` : own;
}

function write({ role, text, final }) {
  let line = openLines.get(role);
  if (!line) {
    line = document.createElement('p');
    line.className = role;
    element.transcript.append(line);
  }
  line.textContent = text;
  if (final) openLines.delete(role);
  else openLines.set(role, line);
  element.transcript.scrollTop = element.transcript.scrollHeight;
}

function level({ who, level: loudness }) {
  const { state } = document.body.dataset;
  const isCalling = ['listening', 'thinking', 'speaking'].includes(state);
  if (who === 'assistant' && isCalling) {
    if (loudness > AUDIBLE) heardAt = performance.now();
    const isSpeaking = performance.now() - heardAt < PAUSE_MS;
    show(isSpeaking ? 'speaking' : state === 'thinking' ? state : 'listening');
  }
  const isTheirs = document.body.dataset.state === 'speaking' ? who === 'assistant' : who === 'customer';
  if (isTheirs) element.orb.style.setProperty('--level', Math.min(1, loudness * 6).toFixed(2));
}
