/** All callers who withhold their number count as one caller, under any name that operators give them. */
export const ANONYMOUS = 'anonymous';

/** Words in place of a number, without accents, blanks and hyphens. */
const WORDS: ReadonlySet<string> = new Set([
  'anonymous',
  'anonymouscaller',
  'anonymouscall',
  'anon',
  'anonimo',
  'anonima',
  'anonyme',
  'anonym',
  'blocked',
  'callerunknown',
  'clir',
  'confidencial',
  'confidential',
  'desconhecido',
  'desconocido',
  'hidden',
  'inconnu',
  'indisponivel',
  'masked',
  'naoidentificado',
  'nocallerid',
  'nocid',
  'noidentificado',
  'nonumber',
  'notavailable',
  'null',
  'numeroprivado',
  'numberwithheld',
  'oculto',
  'outofarea',
  'private',
  'privatenumber',
  'privado',
  'privato',
  'restricted',
  'restrito',
  'restringido',
  'suppressed',
  'unavailable',
  'unbekannt',
  'unidentified',
  'unknown',
  'unknowncaller',
  'unknownnumber',
  'withheld',
  'withheldnumber',
]);

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

/** No number of seven digits or more consists of zeros. */
const ZEROS = /^\+?0{7,}$/;

/** Whether a user part in a SIP message means a caller who does not show a number. */
export function isAnonymous(written: string): boolean {
  const plain = written
    .normalize('NFD')
    .replace(/[\p{M}\s._-]/gu, '')
    .toLowerCase();
  if (plain === '' || WORDS.has(plain) || ZEROS.test(plain)) return true;
  return written.startsWith('+') && TYPED_WORDS.has(plain.slice(1));
}
