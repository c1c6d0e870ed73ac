import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** All callers who withhold their number count as one caller, under any name that operators give them. */
export const ANONYMOUS = 'anonymous';

/** Words in place of a number, without accents, blanks and hyphens. */
const WORDS = [
  'anon(?:im[oa]|ymous|yme?)?',
  'blocked',
  'bloquead[oa]',
  'bloque',
  'clir',
  'confiden[ct]ial',
  'desconhecid[oa]',
  'desconocid[oa]',
  'hidden',
  'inconnue?',
  'indisponivel',
  'masked',
  'masquee?',
  'nao(?:identificad[oa]|disponivel)',
  'nascosto',
  'no(?:identificado|disponible|ndisponibile)',
  'notavailable',
  'ocult[oa]',
  'outofarea',
  'private',
  'privad[oa]',
  'privat[oa]?',
  'privee?',
  'restricted',
  'restrit[oa]',
  'restringid[oa]',
  'sconosciuto',
  'sem(?:identificacao|numero)',
  'sin(?:identificar|identificacion|numero)',
  'suppressed',
  'unavailable',
  'unbekannte?',
  'unidentified',
  'unknown',
  'unterdru(?:e)?ckte?',
  'withheld',
  // A field that was left empty by a program.
  'nil',
  'none',
  'null',
  'undefined',
].join('|');
/** What they are said of. */
const NOUNS =
  'anrufer?|appel|call|caller|chamada|chiamata|cid|cli|clid|id|llamada|number|numer|numero|rufnummer|party';
const MEANS_NOBODY = new RegExp(`^(?:${NOUNS}){0,2}(?:(?:${WORDS})(?:${NOUNS}){0,2}|no(?:${NOUNS}){1,2})$`);

/**
 * The same words typed on a keypad, as Twilio and others write them: anonymous, restricted, blocked, unknown, unavailable.
 * Source: https://help.twilio.com/articles/223179988
 */
const TYPED_WORDS: ReadonlySet<string> = new Set([
  '266696687',
  '7378742833',
  '2562533',
  '8566696',
  '86282452253',
]);

/** No number of seven digits or more consists of zeros, also behind a country code. */
const ZEROS = /^0{7,}$/;

/** Whether a user part in a SIP message means a caller who does not show a number. */
export function isAnonymous(written: string): boolean {
  const isGlobal = written.startsWith('+');
  const plain = written
    .normalize('NFD')
    .replace(/[\p{M}\s+._-]/gu, '')
    .toLowerCase();
  if (plain === '' || MEANS_NOBODY.test(plain) || ZEROS.test(plain)) return true;
  return isGlobal && (TYPED_WORDS.has(plain) || ZEROS.test(nationalNumberOf(`+${plain}`)));
}

function nationalNumberOf(number: string): string {
  return parsePhoneNumberFromString(number, { extract: false })?.nationalNumber ?? '';
}
