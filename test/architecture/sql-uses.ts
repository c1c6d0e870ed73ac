import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

export interface SqlUse {
  /** Table or function. */
  readonly name: string;
  readonly kind: 'call' | 'read' | 'write';
}

/** Placeholder in a text for a part that is filled in when the program runs. */
const FILLED_IN = '\u0000';
const NAME = `"?([a-z_]+)"?`;
const KEYWORD = '(?:as|cross|full|inner|join|left|natural|right|using)';
const ALIAS = `(?:\\s+as\\s+[a-z_]+|\\s+(?!${KEYWORD}\\b)[a-z_]+)?`;
const WRITE = new RegExp(
  `\\b(?:insert\\s+into|update(?:\\s+only)?|delete\\s+from(?:\\s+only)?|truncate(?:\\s+table)?|merge\\s+into)\\s+${NAME}`,
  'gi',
);
const READ = new RegExp(
  `\\b(?:from|join|using)\\s+(?:only\\s+)?(${NAME}${ALIAS}(?:\\s*,\\s*${NAME}${ALIAS})*)`,
  'gi',
);
const CALL = /\b([a-z_]+)\s*\(/gi;
/** A place of a table that is filled in. `extract(epoch FROM …)` is none. */
const FILLED_IN_TABLE = new RegExp(`\\b(?:from|join|into|update)\\s+${FILLED_IN}(?!::)`, 'i');

/** The tables and functions that a piece of SQL uses, of those that there are. */
export function usesOf(sql: string, tables: ReadonlySet<string>, functions: ReadonlySet<string>): SqlUse[] {
  const text = sql.replace(/--.*$/gm, ' ').replace(/\bpublic\./g, '');
  const writes = [...text.matchAll(WRITE)].map(([, name = '']) => ({ name, kind: 'write' as const }));
  const reads = [...text.replace(/\bdelete\s+from\b/gi, 'delete ').matchAll(READ)]
    .flatMap(([, list = '']) => list.split(','))
    .map((item) => ({ name: /[a-z_]+/i.exec(item)?.[0] ?? '', kind: 'read' as const }));
  const calls = [...text.matchAll(CALL)].map(([, name = '']) => ({ name, kind: 'call' as const }));
  return [
    ...[...writes, ...reads].filter(({ name }) => tables.has(name)),
    ...calls.filter(({ name }) => functions.has(name)),
  ];
}

/**
 * The same for all texts of a source file. Where a table's name is filled in, each text of the file that holds the name
 * of a table counts as a read of it and a write.
 */
export function usesIn(
  source: string,
  tables: ReadonlySet<string>,
  functions: ReadonlySet<string>,
): SqlUse[] {
  const texts = textsOf(source);
  const isFilledIn = texts.some((text) => FILLED_IN_TABLE.test(text));
  const uses = texts.flatMap((text) => usesOf(text, tables, functions));
  const words = isFilledIn ? texts.flatMap((text) => text.match(/[a-z_]+/g) ?? []) : [];
  const possible = words
    .filter((word) => tables.has(word))
    .flatMap((name) => [
      { name, kind: 'read' as const },
      { name, kind: 'write' as const },
    ]);
  return [...uses, ...possible];
}

/** The string literals and templates of a source file. */
function textsOf(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      texts.push(node.head.text + node.templateSpans.map(({ literal }) => FILLED_IN + literal.text).join(''));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest));
  return texts;
}

/** The source files below a folder, by their path from there. */
export function sourcesIn(folder: URL, { specs = false } = {}): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = paths.filter((path) => path.endsWith('.ts') && (specs || !path.endsWith('.spec.ts')));
  return new Map(sources.map((path) => [path, readFileSync(new URL(path, folder), 'utf8')]));
}
