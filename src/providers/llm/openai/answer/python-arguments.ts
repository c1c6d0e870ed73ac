const CONSTANTS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };
const PAIR = /\s*(\w{1,64})\s*=\s*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z]+/y;
const GAP = /\s*(?:,\s*)?/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/**
 * Keyword arguments of a Python call, as models write them that were trained on "pythonic" calls.
 *
 * @param at behind the opening parenthesis
 * @returns the arguments as JSON; null where they cannot be read
 */
export function pythonArguments(text: string, at: number): string | null {
  const members: string[] = [];
  let index = matched(GAP, text, at)?.end ?? at;
  while (text.charAt(index) !== ')') {
    const pair = matched(PAIR, text, index);
    const value = pair ? valueAt(text, pair.end) : null;
    if (!pair || !value) return null;
    members.push(`${JSON.stringify(pair.group)}:${value.json}`);
    index = matched(GAP, text, value.end)?.end ?? value.end;
  }
  return `{${members.join(',')}}`;
}

interface Value {
  readonly json: string;
  readonly end: number;
}

function valueAt(text: string, at: number): Value | null {
  const char = text.charAt(at);
  if (char === '"' || char === "'") return stringAt(text, at, char);
  if (char === '[') return listAt(text, at);
  const number = matched(NUMBER, text, at);
  if (number) return { json: number.text, end: number.end };
  const word = matched(WORD, text, at);
  const json =
    word && (CONSTANTS[word.text] ?? (['true', 'false', 'null'].includes(word.text) ? word.text : null));
  return word && json ? { json, end: word.end } : null;
}

function stringAt(text: string, at: number, quote: string): Value | null {
  let value = '';
  for (let index = at + 1; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === quote) return { json: JSON.stringify(value), end: index + 1 };
    if (char === '\\') {
      index++;
      value += ESCAPES[text.charAt(index)] ?? text.charAt(index);
    } else value += char;
  }
  return null;
}

function listAt(text: string, at: number): Value | null {
  const items: string[] = [];
  let index = matched(GAP, text, at + 1)?.end ?? at + 1;
  while (text.charAt(index) !== ']') {
    const item = text.charAt(index) === '[' ? null : valueAt(text, index);
    if (!item) return null;
    items.push(item.json);
    index = matched(GAP, text, item.end)?.end ?? item.end;
  }
  return { json: `[${items.join(',')}]`, end: index + 1 };
}

function matched(
  pattern: RegExp,
  text: string,
  at: number,
): { text: string; group: string; end: number } | null {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? { text: found[0], group: found[1] ?? '', end: pattern.lastIndex } : null;
}
