import { readFileSync } from 'node:fs';
import { ValidationFailedError } from '../../../common/errors/errors.js';

const LIST = new URL('./data/common-passwords.json', import.meta.url);

/** The 10,000 passwords most often found in leaks, in lower case. */
const COMMON: ReadonlySet<string> = new Set(
  (JSON.parse(readFileSync(LIST, 'utf8')) as { readonly passwords: string }).passwords.split(' '),
);

/**
 * What people in Brazil, and at work, put digits and marks around: `Senha@2026`, `Mudar123`, `flamengo10!`. Without
 * accents, spaces and marks.
 */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  `acesso admin administrador amor atletico bemvindo bemvinda botafogo brasil brasileiro cachorro campeao casa
  changeme corinthians cruzeiro deus deusefiel deusefiel deusnocomando empresa escola estrela euteamo familia
  felicidade feliz flamengo fluminense fortaleza futebol gatinha gremio internacional jesus jesuscristo jesusteamo
  juventude letmein liberdade login mengao meuamor minhasenha minhavida mudar mudarsenha mudesenha musica novasenha
  palmeiras password passw0rd princesa prosa qwerty saopaulo santos saudade secret segredo seguranca senha senhas
  sistema suporte teamo temporaria teste trocar trocarsenha usuario vasco vendas verao vitoria welcome`.split(
    /\s+/,
  ),
);

/**
 * Refuses passwords that are tried first.
 *
 * @throws ValidationFailedError naming `password`
 */
export function checkNewPassword(password: string, email: string): void {
  if (isOwnEmail(password, email)) throw ValidationFailedError.of('password', 'auth.password_is_email');
  if (isCommon(password)) throw ValidationFailedError.of('password', 'auth.password_common');
}

function isOwnEmail(password: string, email: string): boolean {
  const [given, own] = [password, email].map((text) => text.trim().toLowerCase());
  return given === own || given === own?.split('@')[0];
}

function isCommon(password: string): boolean {
  const plain = password.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const word = plain.replace(/^[^a-z]+|[^a-z]+$/g, '').replace(/[^a-z0-9]/g, '');
  return COMMON.has(plain) || COMMON_WORDS.has(word) || isOneCharacter(plain);
}

function isOneCharacter(text: string): boolean {
  return new Set(text).size === 1;
}
