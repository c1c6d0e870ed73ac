// `npm run test:files [part of a name]`: reads documents that other projects test with, and compares the words with those of
// a second reader (pdftotext, mammoth, csv-parse). Packages that cannot be downloaded are named and left out.
import { spawnSync } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import mammoth from 'mammoth';
import { ExtractionProcess } from '../../src/modules/knowledgebases/extraction/extraction-process.js';
import { UnreadableError } from '../../src/modules/knowledgebases/failure.js';
import { CsvFile } from '../../src/modules/leads/imports/csv/csv-file.js';
import { type FileKind, filesOf, PACKAGES, type TestFile } from './files/packages.js';
import { fail, say, table } from './say.js';

const CACHE = join(process.cwd(), 'node_modules/.cache/prosa-test-files');
const MIN_FILES = 60;
const MIN_RECALL = 0.97;
/** Shorter documents say too little about the reader. */
const MIN_WORDS = 5;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

interface Outcome {
  readonly file: TestFile;
  /** How it ended: `read`, or the reason for which it was not. */
  readonly result: string;
  readonly words: ReadonlySet<string>;
  /** Of the second reader, null where there is none. */
  readonly expected: ReadonlySet<string> | null;
}

const reader = new ExtractionProcess();

async function main(): Promise<void> {
  const [wanted = ''] = process.argv.slice(2);
  const outcomes: Outcome[] = [];
  for (const name of PACKAGES) {
    const files = await filesOf(name, CACHE);
    if (files === null) say(`${name}: left out, the registry cannot be reached`);
    for (const file of files ?? []) if (file.name.includes(wanted)) outcomes.push(await outcomeOf(file));
  }
  reader.close();
  report(outcomes, wanted !== '');
}

async function outcomeOf(file: TestFile): Promise<Outcome> {
  const expected = await secondReading(file);
  try {
    return { file, result: 'read', words: wordsOf(await readingOf(file)), expected };
  } catch (error) {
    const result = error instanceof UnreadableError ? error.failure.key : `error: ${String(error)}`;
    return { file, result, words: new Set(), expected };
  }
}

async function readingOf({ path, kind }: TestFile): Promise<string> {
  if (kind === 'csv') {
    const csv = await CsvFile.open(createReadStream(path));
    const rows: string[] = [JSON.stringify(csv.first)];
    for await (const records of csv.records()) rows.push(JSON.stringify(records));
    return rows.join('\n');
  }
  const { title, passages } = await reader.extract({ path, kind, url: 'https://example.com/' });
  return [title, ...passages.map(({ headings, content }) => `${headings.join('\n')}\n${content}`)].join('\n');
}

async function secondReading({ path, kind }: TestFile): Promise<ReadonlySet<string> | null> {
  switch (kind) {
    case 'pdf': {
      const { status, stdout } = spawnSync('pdftotext', ['-q', '-enc', 'UTF-8', path, '-'], {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      });
      return status === 0 ? wordsOf(joinedLines(stdout)) : null;
    }
    case 'docx':
      return mammoth.extractRawText({ path }).then(
        ({ value }) => wordsOf(value),
        () => null,
      );
    case 'csv':
      return wordsOf(JSON.stringify(parse(readFileSync(path), { bom: true, relax_column_count: true })));
    case 'html':
      return null;
  }
}

/** Words that the end of a line separates are one, as this reader has them. */
function joinedLines(text: string): string {
  return text.replace(/(\p{L})-\n(\p{Ll})/gu, '$1$2');
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .toLowerCase()
      .match(WORD) ?? [],
  );
}

function recallOf({ words, expected }: Outcome): number {
  const all = [...(expected ?? [])];
  return all.filter((word) => words.has(word)).length / Math.max(all.length, 1);
}

function report(outcomes: readonly Outcome[], isPartial: boolean): void {
  const compared = outcomes.filter(
    ({ result, expected }) => result === 'read' && expected !== null && expected.size >= MIN_WORDS,
  );
  const kinds = [...new Set(outcomes.map(({ file }) => file.kind))];
  const recallOfKind = (kind: FileKind) => {
    const own = compared.filter(({ file }) => file.kind === kind);
    const total = own.reduce((sum, { expected }) => sum + (expected?.size ?? 0), 0);
    const found = own.reduce((sum, outcome) => sum + recallOf(outcome) * (outcome.expected?.size ?? 0), 0);
    return { files: own.length, recall: total === 0 ? null : found / total };
  };
  const rows = kinds.map((kind) => {
    const own = outcomes.filter(({ file }) => file.kind === kind);
    const { files, recall } = recallOfKind(kind);
    const read = own.filter(({ result }) => result === 'read').length;
    return {
      kind,
      files: own.length,
      read,
      compared: files,
      recall: recall?.toFixed(4) ?? 'no second reader',
    };
  });
  table(rows);
  for (const outcome of outcomes.filter(({ result }) => result !== 'read')) {
    say(`${outcome.file.name}: ${outcome.result}`);
  }
  for (const outcome of compared.filter((one) => recallOf(one) < MIN_RECALL)) {
    const missing = [...(outcome.expected ?? [])].filter((word) => !outcome.words.has(word));
    say(`${outcome.file.name}: ${recallOf(outcome).toFixed(3)}, without ${missing.slice(0, 12).join(' ')}`);
  }
  const broken = outcomes.filter(({ result }) => result.startsWith('error'));
  const low = kinds.filter((kind) => (recallOfKind(kind).recall ?? 1) < MIN_RECALL);
  if (broken.length > 0) fail(`${broken.length} files broke the reader`);
  if (low.length > 0) fail(`Fewer than ${MIN_RECALL * 100} % of the words were read: ${low.join(', ')}`);
  if (!compared.some(({ file }) => file.kind === 'pdf'))
    say('PDFs were not compared: pdftotext is not there');
  if (!isPartial && outcomes.length < MIN_FILES) say(`Skipped: only ${outcomes.length} files are there`);
}

await main();
