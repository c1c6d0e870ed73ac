import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type PhraseList = 'backchannels' | 'hallucinations';

/** Used for every language. */
const COMMON = 'common';

const known = new Map<string, readonly string[]>();

/**
 * The phrases of a list in the given languages and those of every language. Each language has a text file in the folder of the
 * list: one phrase a line, `#` begins a comment. A language without a file has no phrases of its own.
 *
 * @param languages ISO 639-1
 */
export function phrasesOf(list: PhraseList, languages: readonly string[]): readonly string[] {
  return [COMMON, ...new Set(languages)].flatMap((language) => phrasesIn(list, language));
}

/** All languages that have phrases of a list, ISO 639-1. */
export function languagesOf(list: PhraseList): readonly string[] {
  const files = readdirSync(fileURLToPath(new URL(`./${list}/`, import.meta.url)));
  return files.flatMap((file) => /^([a-z]{2})\.txt$/.exec(file)?.[1] ?? []);
}

function phrasesIn(list: PhraseList, language: string): readonly string[] {
  const key = `${list}/${language}`;
  const read = known.get(key) ?? readPhrases(key);
  known.set(key, read);
  return read;
}

function readPhrases(key: string): readonly string[] {
  const path = fileURLToPath(new URL(`./${key}.txt`, import.meta.url));
  if (!/^[a-z]+\/[a-z]+$/.test(key) || !existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.map((line) => (line.split('#', 1)[0] ?? '').trim()).filter((line) => line !== '');
}
