// `npm run check:language`: plain English in code, comments and documentation. It counts discouraged words
// (scripts/language/words.json) and sentences of more than 25 words in Markdown and comments. Each area has limits
// (scripts/language/limits.json), which only go down.
// Usage:
//
//   npm run check:language                    checks every area against its limits
//   npm run check:language -- src/voice       lists each place in these files and folders
//   npm run check:language -- --lower         writes lower limits where an area has become better
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { findProblems } from './language/find-problems.mjs';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const LIMITS = 'scripts/language/limits.json';
const MAX_WORDS = 25;
const CHECKED = /\.(?:ts|tsx|mts|js|mjs|cjs|sql|md)$/;
/** Written by a program, by the customer, or part of a released version. */
const SKIPPED =
  /\.gen\.ts$|(?:^|\/)generated\/|^THIRD-PARTY-NOTICES\.md$|^docs\/voice-assistant-platform-api\.md$|^docs\/reference\/spec-coverage\.md$|^test\/releases\//;
const PER_LINES = 10_000;
/** Places that are printed where an area is over its limit. */
const SHOWN = 40;
/** The limits of an area, and the places that each one counts. */
const KINDS = { wordsPer10000Lines: 'words', longSentencesPer10000Lines: 'sentences' };

const words = JSON.parse(readFileSync('scripts/language/words.json', 'utf8'));
const limits = JSON.parse(readFileSync(LIMITS, 'utf8'));
const paths = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const files = execFileSync('git', ['ls-files', '--', ...paths], { encoding: 'utf8', maxBuffer: 1 << 28 })
  .split('\n')
  .filter((file) => CHECKED.test(file) && !SKIPPED.test(file));

/** @type {Record<string, { lines: number, words: string[], sentences: string[] }>} */
const areas = Object.fromEntries(
  Object.keys(limits).map((area) => [area, { lines: 0, words: [], sentences: [] }]),
);
for (const file of files) {
  const area = areas[areaOf(file)];
  const found = findProblems(file, read(file), { words, maxWords: MAX_WORDS });
  area.lines += found.lines;
  area.words.push(
    ...found.words.map(({ line, word }) => `${file}:${line}: "${word}". Write ${words[word]}.`),
  );
  area.sentences.push(
    ...found.sentences.map(
      ({ line, count, text }) => `${file}:${line}: ${count} words: ${text.slice(0, 80)}…`,
    ),
  );
}

if (paths.length > 0) {
  const places = Object.values(areas).flatMap((area) => [...area.words, ...area.sentences]);
  console.log(places.join('\n') || 'No discouraged words and no long sentences.');
} else if (process.argv.includes('--lower')) lower();
else check();

function areaOf(file) {
  if (file.endsWith('.md')) return 'markdown';
  if (/\.spec\.tsx?$|^(?:test|bench)\/|^packages\/(?:sip\/)?testing\//.test(file)) return 'tests';
  return /(?:^|\/)migrations\//.test(file) ? 'migrations' : 'production';
}

/** A file that is moved and not committed yet is in the index under its old name. */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

function figuresOf(area) {
  const { lines, words: found, sentences } = areas[area];
  const per10000 = (count) => Math.ceil((count * PER_LINES) / Math.max(lines, 1));
  return {
    wordsPer10000Lines: per10000(found.length),
    longSentencesPer10000Lines: per10000(sentences.length),
  };
}

function check() {
  for (const [area, limit] of Object.entries(limits)) {
    const figures = figuresOf(area);
    for (const [kind, list] of Object.entries(KINDS)) {
      console.log(`${area}: ${kind} ${figures[kind]}, limit ${limit[kind]}`);
      if (figures[kind] <= limit[kind]) continue;
      process.exitCode = 1;
      console.error(areas[area][list].slice(0, SHOWN).join('\n'));
      console.error(`${area}: ${figures[kind]} is more than ${limit[kind]} (${LIMITS}).`);
      console.error('Change what you added. To list every place: npm run check:language -- FOLDER…');
    }
  }
}

function lower() {
  for (const [area, limit] of Object.entries(limits)) {
    for (const [kind, figure] of Object.entries(figuresOf(area))) limit[kind] = Math.min(limit[kind], figure);
  }
  writeFileSync(LIMITS, `${JSON.stringify(limits, null, 2)}\n`);
}
