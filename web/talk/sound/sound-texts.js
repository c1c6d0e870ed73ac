// What pages say of microphone and speaker during a call. The keys are also those of `data-texts` of the widget.

const en = {
  callSoundPaused: 'The sound is paused. Tap the screen or press a key to continue.',
  callResumeSound: 'Resume sound',
  callMicrophoneSilent: "Your microphone isn't picking up sound. It may be muted on your device or headset.",
  callMicrophoneReplaced: 'Your microphone was disconnected. Another one is in use.',
  callMicrophoneBusy: "This microphone isn't available. Another app may be using it.",
  callMicrophone: 'Microphone',
  callSystemMicrophone: 'System default',
};

/** @type {typeof en} */
const pt = {
  callSoundPaused: 'O som está pausado. Toque na tela ou pressione uma tecla para continuar.',
  callResumeSound: 'Retomar o som',
  callMicrophoneSilent: 'Seu microfone não capta som. Ele pode estar mudo no sistema ou no fone.',
  callMicrophoneReplaced: 'Seu microfone foi desconectado. Outro está em uso.',
  callMicrophoneBusy: 'Este microfone não está disponível. Outro aplicativo pode estar usando.',
  callMicrophone: 'Microfone',
  callSystemMicrophone: 'Padrão do sistema',
};

export const soundTexts = { en, pt };

/** Each notice: its text, what a button can do about it, and whether it interrupts a screen reader. */
export const NOTICES = {
  'sound-paused': { text: 'callSoundPaused', action: 'callResumeSound', isAlert: true },
  'no-microphone': { text: 'callNoMicrophone', action: 'retry', isAlert: true },
  'microphone-denied': { text: 'callBlocked', action: 'retry', isAlert: true },
  insecure: { text: 'callInsecure', action: null, isAlert: true },
  'microphone-silent': { text: 'callMicrophoneSilent', action: 'retry', isAlert: true },
  'microphone-replaced': { text: 'callMicrophoneReplaced', action: null, isAlert: false },
  'microphone-busy': { text: 'callMicrophoneBusy', action: null, isAlert: true },
};
