import { soundTexts } from '../../../talk/sound/sound-texts.js';
import type { VoiceTextKey } from './en';

export const pt: Record<VoiceTextKey, string> = {
  ...soundTexts.pt,
  callConnecting: 'Conectando…',
  callListening: 'Ouvindo…',
  callThinking: 'Pensando…',
  callSpeaking: 'Falando…',
  callReconnecting: 'A conexão caiu. Tentando de novo…',
  callRunning: 'Você está em uma chamada com o assistente.',
  callEnded: 'A chamada terminou.',
  callMute: 'Silenciar o microfone',
  callUnmute: 'Ativar o microfone',
  callMuted: 'Seu microfone está silenciado.',
  callHangUp: 'Desligar',
  callStart: 'Falar',
  callAgain: 'Falar de novo',
  callBack: 'Voltar ao chat',
  callCaptions: 'O que é dito',
  callWindow: 'Falar em outra janela',
  callBlocked:
    'O microfone está bloqueado. Libere o uso por este site nas permissões do navegador e tente de novo.',
  callNoMicrophone: 'Nenhum microfone foi encontrado. Conecte um e tente de novo.',
  callInsecure: 'O navegador só libera o microfone em páginas https.',
  callLost: 'A conexão caiu e a chamada terminou.',
  callLimit: 'Há chamadas demais no momento. Tente de novo em {wait}.',
  callUnavailable: 'As chamadas não estão disponíveis no momento. Você pode escrever.',
};
