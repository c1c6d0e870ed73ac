/** What a customer hears after a break of the line, by ISO 639-1 code: an excuse, and a request to say it again. */
const PHRASES: Readonly<Record<string, readonly [string, string]>> = {
  pt: ['Desculpe, a ligação falhou por um instante.', 'Pode repetir, por favor?'],
  en: ['Sorry, the line broke up for a moment.', 'Could you say that again, please?'],
  es: ['Disculpe, la llamada se cortó un instante.', '¿Puede repetirlo, por favor?'],
  fr: ['Excusez-moi, la ligne a été coupée un instant.', 'Pouvez-vous répéter, s’il vous plaît ?'],
  de: ['Entschuldigung, die Verbindung war kurz gestört.', 'Können Sie das bitte wiederholen?'],
  it: ['Mi scusi, la linea è caduta per un attimo.', 'Può ripetere, per favore?'],
  nl: ['Excuses, de lijn viel even weg.', 'Kunt u dat herhalen?'],
  pl: ['Przepraszam, połączenie na chwilę się zerwało.', 'Czy może pan lub pani powtórzyć?'],
};

/**
 * @param isAnswerOwed the customer's last words have no answer yet: they are not asked for again
 * @returns null where we do not know the language
 */
export function afterBrokenLine(iso2: string, isAnswerOwed: boolean): string | null {
  const phrases = PHRASES[iso2];
  if (!phrases) return null;
  return isAnswerOwed ? phrases[0] : phrases.join(' ');
}
