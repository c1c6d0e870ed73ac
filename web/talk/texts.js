// The texts of the page /talk/{uuid}.
import { soundTexts } from './sound/sound-texts.js';

const pt = {
  ...soundTexts.pt,
  title: 'Fale com o assistente',
  talk: 'Falar',
  mute: 'Silenciar microfone',
  customer: 'Você',
  assistant: 'Assistente',
  hangup: 'Desligar',
  send: 'Enviar',
  retry: 'Tentar de novo',
  words: 'Digite o que quer dizer',
  transcript: 'Transcrição',
  idle: 'Toque em Falar para começar.',
  connecting: 'Conectando…',
  starting: 'O servidor está iniciando. A ligação começa em instantes…',
  listening: 'Ouvindo…',
  thinking: 'Pensando…',
  speaking: 'Falando…',
  reconnecting: 'Conexão perdida. Reconectando…',
  ended: 'Ligação encerrada.',
  refused: 'Não foi possível iniciar a ligação.',
  network: 'Não foi possível conectar. Verifique sua conexão e tente de novo.',
  callNoMicrophone: 'Nenhum microfone foi encontrado. Você pode digitar.',
  callBlocked: 'O microfone está bloqueado. Libere-o nas permissões do navegador ou digite.',
  callInsecure: 'Microfone e áudio só funcionam em páginas seguras (https). Você ainda pode digitar e ler.',
};

/** @type {typeof pt} */
const en = {
  ...soundTexts.en,
  title: 'Talk to the assistant',
  talk: 'Talk',
  mute: 'Mute microphone',
  customer: 'You',
  assistant: 'Assistant',
  hangup: 'Hang up',
  send: 'Send',
  retry: 'Try again',
  words: 'Type what you want to say',
  transcript: 'Transcript',
  idle: 'Press Talk to start.',
  connecting: 'Connecting…',
  starting: 'The server is starting. Your call will begin in a moment…',
  listening: 'Listening…',
  thinking: 'Thinking…',
  speaking: 'Speaking…',
  reconnecting: 'Connection lost. Reconnecting…',
  ended: 'Call ended.',
  refused: "The call couldn't be started.",
  network: "We can't reach the server. Check your connection and try again.",
  callNoMicrophone: 'No microphone was found. You can type.',
  callBlocked: 'The microphone is blocked. Allow it in your browser settings, or type.',
  callInsecure: 'Microphone and audio only work on secure (https) pages. You can still type and read.',
};

export const texts = { pt, en };
