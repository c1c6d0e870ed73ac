// The tags with which tests name the statements of the customer's document that they prove:
//
//   // spec: api-key.token, create-api-key.success
//   it('answers 201 with message and the key, whose token is returned only this once', async () => {
//
// A tag is a comment of its own lines above a test. Above a `describe` it counts for all its tests, and above a row
// of an `it.each` table for that row. Several lines of tags add up.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const TAG = /^\s*\/\/ spec:(.*)$/;

/**
 * The tags of a spec file: `{ line, ids, title }`, where `title` is the full title of the test (` › ` between its parts);
 * `…` in it means any text. `title` is undefined for a tag above anything else.
 */
export function tagsOf(file) {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  if (!lines.some((line) => TAG.test(line))) return [];
  // A test before its rows: the first of them may be written in the same line.
  const titles = new Map(
    testsOf(file, text)
      .reverse()
      .map(({ line, title }) => [line, title]),
  );
  return lines.flatMap((line, index) => {
    const ids = TAG.exec(line)?.[1];
    if (ids === undefined) return [];
    let next = index + 1;
    while (lines[next]?.trim().startsWith('//')) next += 1;
    return [
      {
        line: index + 1,
        ids: ids
          .split(',')
          .map((id) => id.trim())
          .filter(Boolean),
        title: titles.get(next),
      },
    ];
  });
}

/** What can be tagged in a spec file: `{ line, title }`, the line counted from 0. */
export function testsOf(file, text = readFileSync(file, 'utf8')) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const tables = new Map();
  const found = [];
  const lineOf = (node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line;

  function visit(node, above) {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isArrayLiteralExpression(node.initializer)) {
      tables.set(node.name.getText(source), node.initializer);
    }
    const test = ts.isCallExpression(node) ? testOf(node) : undefined;
    if (!test) return ts.forEachChild(node, (child) => visit(child, above));
    const title = [...above, test.title];
    if (test.isGroup) {
      found.push({ line: lineOf(node), title: [...title, '…'].join(' › ') });
      return ts.forEachChild(node, (child) => visit(child, title));
    }
    found.push({ line: lineOf(node), title: title.join(' › ') });
    for (const row of rowsOf(test.table)) {
      found.push({ line: lineOf(row), title: [...above, titleOfRow(test.template, row)].join(' › ') });
    }
  }

  function rowsOf(table) {
    if (!table) return [];
    const array = ts.isIdentifier(table) ? tables.get(table.text) : table;
    return array && ts.isArrayLiteralExpression(array) ? array.elements : [];
  }

  visit(source, []);
  return found;
}

/** `it('…')`, `it.each(table)('…')` and the same of `describe`; undefined for any other call. */
function testOf(call) {
  const { expression } = call;
  const isTable = ts.isCallExpression(expression);
  const name = /^(it|test|describe)(\.each)?\b/.exec(
    (isTable ? expression.expression : expression).getText(),
  );
  if (!name || isTable !== (name[2] !== undefined)) return undefined;
  const template = textOf(call.arguments[0]);
  if (template === undefined) return undefined;
  return {
    isGroup: name[1] === 'describe',
    template,
    title: isTable ? withoutPlaces(template) : template,
    table: isTable ? expression.arguments[0] : undefined,
  };
}

/** The title of one row: its texts fill the places of the title. */
function titleOfRow(template, row) {
  const cells = ts.isArrayLiteralExpression(row) ? [...row.elements] : [row];
  const filled = template.replaceAll('%s', (place) => {
    const cell = cells.shift();
    return cell && ts.isStringLiteralLike(cell) ? cell.text : place;
  });
  return withoutPlaces(filled);
}

/** A text as it is written, with `…` for each expression in it. */
function textOf(node) {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

const withoutPlaces = (template) => template.replaceAll(/%[a-z#]|\$[\w.]+/gi, '…');
