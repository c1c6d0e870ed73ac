/** How a call is taken and declined, by ISO 639-1 code: what the colleague hears after the briefing. */
const HOW_TO_DECIDE: Readonly<Record<string, string>> = {
  pt: 'Para atender, tecle 1. Para recusar, tecle 2.',
  en: 'To take the call, press 1. To decline, press 2.',
  es: 'Para atender, pulse 1. Para rechazar, pulse 2.',
  fr: 'Pour prendre l’appel, tapez 1. Pour refuser, tapez 2.',
  de: 'Um den Anruf anzunehmen, drücken Sie die 1. Um abzulehnen, die 2.',
  it: 'Per rispondere, prema 1. Per rifiutare, prema 2.',
  nl: 'Toets 1 om het gesprek aan te nemen. Toets 2 om te weigeren.',
  pl: 'Aby odebrać, naciśnij 1. Aby odrzucić, naciśnij 2.',
};

/** Empty where we do not know the language: another one would be stranger, and words decide as well. */
export function howToDecide(iso2: string): string {
  return HOW_TO_DECIDE[iso2] ?? '';
}
