// `npm run check:regex`: every regular expression of the product takes no more than linear time, or is in the list of
// exceptions (scripts/regex-exceptions.mjs) with a reason. Verdicts are kept in node_modules/.cache.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from 'recheck';
import ts from 'typescript';
import { REGEX_EXCEPTIONS } from './regex-exceptions.mjs';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'prosa-regex.json');
/** Of one expression. What takes longer is not decided, and wants a simpler form or a reason. */
const TIMEOUT_MS = 15_000;
/** The automaton proves that an expression is linear; a fuzzer only fails to find an attack. */
const OPTIONS = { checker: 'automaton', timeout: TIMEOUT_MS };

const found = sources().flatMap(expressionsOf);
const excepted = new Set(REGEX_EXCEPTIONS.map(keyOf));
const checked = found.filter((expression) => !excepted.has(keyOf(expression)));
const failures = checked
  .filter(({ flags }) => flags === null)
  .map((expression) => [expression, 'built of parts']);
failures.push(...(await verdictsOf(checked.filter(({ flags }) => flags !== null))));

const present = new Set(found.map(keyOf));
const stale = REGEX_EXCEPTIONS.filter((exception) => !present.has(keyOf(exception)));
for (const [{ file, line, source }, verdict] of failures)
  console.error(`${file}:${line}: ${verdict}: ${source}`);
for (const { file, source } of stale)
  console.error(`${file}: an exception that is not there any more: ${source}`);
if (failures.length > 0) {
  console.error(
    '\nWrite them so that no text makes them slow, or add them to scripts/regex-exceptions.mjs with a reason.',
  );
}
// The workers of the checker would keep the process alive.
process.exit(failures.length + stale.length > 0 ? 1 : 0);

function sources() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src', 'packages', 'web'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return listed.split('\n').filter((file) => /\.tsx?$/.test(file) && !/\.spec\.tsx?$/.test(file));
}

/** Literals, and what `new RegExp` is given. */
function expressionsOf(file) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const expressions = [];
  const add = (node, source, flags) => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    expressions.push({ file, line, source, flags });
  };
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    }
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isCall && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
      const [pattern, flags] = node.arguments ?? [];
      if (pattern && ts.isStringLiteralLike(pattern)) {
        add(node, pattern.text, flags && ts.isStringLiteralLike(flags) ? flags.text : '');
      } else if (pattern && !ts.isRegularExpressionLiteral(pattern)) {
        add(node, pattern.getText(tree), null);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return expressions;
}

/** Those that are not linear, each with what the checker says. */
async function verdictsOf(expressions) {
  const known = readCache();
  const verdicts = new Map();
  const waiting = new Map(expressions.map((expression) => [textOf(expression), expression]));
  for (const text of waiting.keys()) {
    if (!known.has(text)) continue;
    verdicts.set(text, null);
    waiting.delete(text);
  }
  const queue = [...waiting];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [text, { source, flags }] = next;
      const { status, complexity, error } = await check(source, flags, OPTIONS);
      verdicts.set(text, status === 'safe' ? null : (complexity?.summary ?? error?.kind ?? status));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  writeCache([...verdicts].filter(([, verdict]) => verdict === null).map(([text]) => text));
  return expressions.flatMap((expression) => {
    const verdict = verdicts.get(textOf(expression));
    return verdict ? [[expression, verdict]] : [];
  });
}

function textOf({ source, flags }) {
  return `/${source}/${flags}`;
}

function keyOf({ file, source }) {
  return JSON.stringify([file, source]);
}

function readCache() {
  try {
    return new Set(JSON.parse(readFileSync(CACHE, 'utf8')));
  } catch (error) {
    if (error.code === 'ENOENT') return new Set();
    throw error;
  }
}

function writeCache(texts) {
  mkdirSync(dirname(CACHE), { recursive: true });
  writeFileSync(CACHE, JSON.stringify(texts));
}
