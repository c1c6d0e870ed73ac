export const TRANSFER_TEXTS = [
  'hold_message',
  'summary_instructions',
  'briefing_initial_message',
  'connected_message',
] as const;
type TransferTexts = Readonly<Record<(typeof TRANSFER_TEXTS)[number], string>>;

const ENGLISH: TransferTexts = {
  hold_message: 'One moment, please. I am connecting you to a supervisor.',
  summary_instructions:
    'In 2 to 3 sentences, say who is calling, why they called, and why they need to talk to a person.',
  briefing_initial_message: 'Hello! I have a caller on hold for you. Would you like a short briefing?',
  connected_message: 'You are now connected to a supervisor.',
};

const TEXTS: Readonly<Record<string, TransferTexts>> = {
  en: ENGLISH,
  pt: {
    hold_message: 'Um momento, por favor. Vou transferir você para um supervisor.',
    summary_instructions:
      'Em 2 a 3 frases, diga quem está ligando, por que ligou e por que precisa falar com uma pessoa.',
    briefing_initial_message: 'Olá! Tenho um cliente em espera para você. Quer um breve resumo?',
    connected_message: 'Você está agora em contato com um supervisor.',
  },
  es: {
    hold_message: 'Un momento, por favor. Le estoy comunicando con un supervisor.',
    summary_instructions:
      'En 2 o 3 frases, di quién llama, por qué ha llamado y por qué necesita hablar con una persona.',
    briefing_initial_message: '¡Hola! Tengo a un cliente en espera. ¿Quiere un breve resumen?',
    connected_message: 'Ya está en contacto con un supervisor.',
  },
  fr: {
    hold_message: 'Un instant, s’il vous plaît. Je vous mets en relation avec un responsable.',
    summary_instructions:
      'En 2 à 3 phrases, dis qui appelle, pour quelle raison, et pourquoi il faut parler à une personne.',
    briefing_initial_message: 'Bonjour ! J’ai un client en attente pour vous. Voulez-vous un bref résumé ?',
    connected_message: 'Vous êtes maintenant en relation avec un responsable.',
  },
  de: {
    hold_message: 'Einen Moment bitte, ich verbinde Sie mit einer zuständigen Person.',
    summary_instructions: 'Sage in 2 bis 3 Sätzen, wer anruft, warum, und weshalb ein Mensch gebraucht wird.',
    briefing_initial_message:
      'Hallo! Ich habe jemanden in der Leitung. Möchten Sie eine kurze Zusammenfassung?',
    connected_message: 'Sie sind jetzt mit einer zuständigen Person verbunden.',
  },
  it: {
    hold_message: 'Un momento, per favore. La metto in contatto con un supervisore.',
    summary_instructions:
      'In 2 o 3 frasi, di’ chi chiama, perché ha chiamato e perché deve parlare con una persona.',
    briefing_initial_message: 'Salve! Ho un cliente in attesa per lei. Vuole un breve riassunto?',
    connected_message: 'Ora è in contatto con un supervisore.',
  },
};

/** What a warm transfer says where the caller of the API gave no words; English for a language without own ones. */
export function textsOf(iso2: string | undefined): TransferTexts {
  return (iso2 === undefined ? undefined : TEXTS[iso2]) ?? ENGLISH;
}
