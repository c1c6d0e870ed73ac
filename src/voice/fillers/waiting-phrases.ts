/** What is said while a customer would hear nothing, by ISO 639-1 code. */
const ONE_MOMENT: Readonly<Record<string, string>> = {
  pt: 'Só um momento, por favor.',
  en: 'One moment, please.',
  es: 'Un momento, por favor.',
  fr: 'Un instant, s’il vous plaît.',
  de: 'Einen Moment, bitte.',
  it: 'Un momento, per favore.',
  nl: 'Een ogenblik, alstublieft.',
  pl: 'Chwileczkę, proszę.',
};

/** Nothing where we do not know the language: another one would be stranger than a pause. */
export function oneMoment(iso2: string): string | null {
  return ONE_MOMENT[iso2] ?? null;
}
