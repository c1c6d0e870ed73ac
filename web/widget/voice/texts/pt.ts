import { soundTexts } from '../../../talk/sound/sound-texts.js';
import type { VoiceTextKey } from './en';

export const pt: Record<VoiceTextKey, string> = {
  ...soundTexts.pt,
  callConnecting: 'Conectando…',
  callListening: 'Ouvindo…',
  callThinking: 'Pensando…',
  callSpeaking: 'Falando…',
  callReconnecting: 'Conexão perdida. Reconectando…',
  callRunning: 'Você está em uma ligação com o assistente.',
  callEnded: 'Ligação encerrada.',
  callMute: 'Silenciar o microfone',
  callUnmute: 'Ativar o microfone',
  callMuted: 'Seu microfone está silenciado.',
  callHangUp: 'Desligar',
  callStart: 'Falar',
  callAgain: 'Falar de novo',
  callBack: 'Voltar ao chat',
  callCaptions: 'Transcrição',
  callWindow: 'Falar em outra janela',
  callBlocked:
    'O microfone está bloqueado. Libere o uso por este site nas permissões do navegador e tente de novo.',
  callNoMicrophone: 'Nenhum microfone foi encontrado. Conecte um e tente de novo.',
  callInsecure: 'O navegador só libera o microfone em páginas seguras (https).',
  callLost: 'Conexão perdida. A ligação foi encerrada.',
  callLimit: 'Todas as linhas estão ocupadas. Tente de novo em {wait}.',
  callUnavailable: 'As ligações estão indisponíveis no momento. Você pode escrever.',
};
