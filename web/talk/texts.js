// The texts of the page /talk/{uuid}.
import { soundTexts } from './sound/sound-texts.js';

const pt = {
  ...soundTexts.pt,
  title: 'Fale com a assistente',
  talk: 'Falar',
  mute: 'Silenciar',
  unmute: 'Ativar microfone',
  hangup: 'Desligar',
  send: 'Enviar',
  retry: 'Tentar de novo',
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
  callNoMicrophone: 'Nenhum microfone foi encontrado. Você pode digitar.',
  callBlocked: 'O microfone está bloqueado. Libere-o nas permissões do navegador, ou digite.',
  callInsecure: 'O navegador só libera microfone e voz em páginas https. Você pode digitar e ler.',
};

/** @type {typeof pt} */
const en = {
  ...soundTexts.en,
  title: 'Talk to the assistant',
  talk: 'Talk',
  mute: 'Mute',
  unmute: 'Unmute',
  hangup: 'Hang up',
  send: 'Send',
  retry: 'Try again',
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
  callNoMicrophone: 'No microphone was found. You can type.',
  callBlocked: 'The microphone is blocked. Allow it in the settings of the browser, or type.',
  callInsecure: 'Browsers open the microphone and play voices on https pages only. You can type and read.',
};

export const texts = { pt, en };
