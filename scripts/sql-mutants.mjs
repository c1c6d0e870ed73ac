const OPPOSITES = [
  ['IS NOT DISTINCT FROM', ['IS DISTINCT FROM']],
  ['IS DISTINCT FROM', ['IS NOT DISTINCT FROM']],
  ['IS NOT NULL', ['IS NULL']],
  ['IS NULL', ['IS NOT NULL']],
  ['NOT IN', ['IN']],
  ['NOT', ['']],
  ['IF FOUND', ['IF NOT FOUND']],
  ['AND', ['OR']],
  ['OR', ['AND']],
  ['LEFT JOIN', ['JOIN']],
  ['UNION ALL', ['EXCEPT ALL']],
  ['DESC', ['ASC']],
  ['greatest', ['least']],
  ['least', ['greatest']],
  ['max', ['min']],
  ['min', ['max']],
  ['true', ['false']],
  ['false', ['true']],
  ['<=', ['<', '>']],
  ['>=', ['>', '<']],
  ['<>', ['=']],
  ['=', ['<>']],
  ['<', ['<=', '>=']],
  ['>', ['>=', '<=']],
  ['+', ['-']],
  ['-', ['+']],
];

/** What a mutant never touches: strings, quoted names, comments, assignments, casts and operators of other kinds. */
const PASSED_OVER =
  /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|:=|=>|->>?|<@|@>|&&|\|\||!~\*?|~\*?|::|\bOR REPLACE\b|\bFOR (?:NO KEY )?UPDATE\b/y;
const NUMBER = /\b\d+(?:\.\d+)?\b/y;

/**
 * The faults that can be planted into a text of SQL: one comparison, connective, sign or number each is another.
 *
 * @param {string} text
 * @returns {{at: number, line: number, found: string, planted: string, text: string}[]}
 */
export function mutantsOf(text) {
  const mutants = [];
  const plant = (at, found, planted) =>
    mutants.push({
      at,
      line: text.slice(0, at).split('\n').length,
      found,
      planted,
      text: text.slice(0, at) + planted + text.slice(at + found.length),
    });
  for (let at = 0; at < text.length;) {
    const passed = matchAt(PASSED_OVER, text, at);
    if (passed !== null) {
      at += passed.length;
      continue;
    }
    const number = matchAt(NUMBER, text, at);
    if (number !== null && !/\w/.test(text[at - 1] ?? '')) {
      plant(at, number, String(Number(number) + 1));
      at += number.length;
      continue;
    }
    const [found, planted] = OPPOSITES.find(([token]) => isTokenAt(token, text, at)) ?? [];
    if (found === undefined) {
      at += 1;
      continue;
    }
    const original = text.slice(at, at + found.length);
    for (const other of planted) plant(at, original, other);
    at += found.length;
  }
  return mutants;
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function isTokenAt(token, text, at) {
  if (text.slice(at, at + token.length).toLowerCase() !== token.toLowerCase()) return false;
  if (!/\w/.test(token)) return true;
  const isFunction = /^[a-z]+$/.test(token) && !['true', 'false'].includes(token);
  const after = text[at + token.length] ?? '';
  return !/[\w.]/.test(text[at - 1] ?? '') && (isFunction ? after === '(' : !/\w/.test(after));
}
