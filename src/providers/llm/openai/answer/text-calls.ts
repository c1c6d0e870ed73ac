import type { ToolDefinition } from '../../chat-model.js';
import { isJson, isJsonObject, jsonEnd, membersOf, stringIn } from './json-spans.js';
import { pythonArguments } from './python-arguments.js';

/** A call that a model has written as text. */
export interface TextCall {
  readonly name: string;
  /** JSON of an object, with the digits that the model wrote. */
  readonly arguments: string;
}

const NAME_KEYS = ['name', 'tool_name', 'function_name', 'function', 'tool', 'action'];
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input', 'tool_args'];
/** Between a name and its arguments, where they are no JSON of their own. */
const MAX_NAME_DISTANCE = 200;
const MAX_CALLS = 64;
const HEAD = /^\[?\s{0,20}\{\s{0,20}"([^"]{0,40})"/;
const HEAD_BEGINNING = /^\[?\s{0,20}(?:\{\s{0,20}(?:"[^"]{0,40})?)?$/;

/** Keys with which an object begins that may be a call. */
export const CALL_KEYS: ReadonlySet<string> = new Set([
  ...NAME_KEYS,
  ...ARGUMENT_KEYS,
  'type',
  'id',
  'tool_call',
  'tool_calls',
  'function_call',
]);

/**
 * The calls in a model's text, between the marks of a call or as JSON, in any of the forms that models are trained
 * on. Only of declared tools, and only where the arguments are an object.
 */
export function callsIn(text: string, tools: readonly ToolDefinition[]): readonly TextCall[] {
  const declared = new Map(tools.map((tool) => [tool.name, tool]));
  const calls = [...taggedCalls(text, declared), ...keyedCalls(text, declared)];
  if (calls.length === 0) calls.push(...jsonCalls(text, declared));
  if (calls.length === 0) calls.push(...pythonCalls(text, declared));
  return calls.filter((call) => isJsonObject(call.arguments)).slice(0, MAX_CALLS);
}

type Declared = ReadonlyMap<string, ToolDefinition>;

/** `<invoke name="f"><parameter name="k">v</parameter></invoke>` and `<function=f><parameter=k>v</parameter></function>`. */
function taggedCalls(text: string, declared: Declared): TextCall[] {
  const plain = text.replaceAll(/<(\/?)(?:[｜|]\w+[｜|]|\w+:)/g, '<$1');
  const calls: TextCall[] = [];
  for (const opening of plain.matchAll(/<(?:invoke|function)(?:=|\s+name=)["']?([\w.-]{1,64})["']?\s*>?/g)) {
    const tool = declared.get(opening[1] ?? '');
    if (!tool) continue;
    const bodyAt = opening.index + opening[0].length;
    const body = upTo(plain, bodyAt, ['</invoke>', '</function>', '<invoke', '<function']);
    const jsonAt = body.indexOf('{');
    const json = jsonAt === -1 ? '' : body.slice(jsonAt, Math.max(jsonAt, jsonEnd(body, jsonAt)));
    calls.push({ name: tool.name, arguments: isJsonObject(json) ? json : taggedArguments(body, tool) });
  }
  return calls;
}

function taggedArguments(body: string, tool: ToolDefinition): string {
  const pairs: [string, string][] = [];
  for (const opening of body.matchAll(
    /<parameter(?:=|\s+name=)["']?([^"'>\s]{1,200})(?:["'\s][^>]{0,100})?>/g,
  )) {
    const valueAt = opening.index + opening[0].length;
    pairs.push([opening[1] ?? '', upTo(body, valueAt, ['</parameter>', '<parameter'])]);
  }
  return objectOf(pairs, tool);
}

/** GLM: the name, then `<arg_key>k</arg_key><arg_value>v</arg_value>`. */
function keyedCalls(text: string, declared: Declared): TextCall[] {
  if (!text.includes('<arg_key>')) return [];
  return text
    .split('<tool_call>')
    .slice(1)
    .flatMap((part) => {
      const tool = declared.get(/^\s*([\w.-]{1,64})/.exec(part)?.[1] ?? '');
      if (!tool) return [];
      const pairs = part
        .split('<arg_key>')
        .slice(1)
        .map((pair): [string, string] => {
          const valueAt = pair.indexOf('<arg_value>');
          const value = valueAt === -1 ? '' : upTo(pair, valueAt + '<arg_value>'.length, ['</arg_value>']);
          return [upTo(pair, 0, ['</arg_key>']).trim(), value];
        });
      return [{ name: tool.name, arguments: objectOf(pairs, tool) }];
    });
}

/** Values are text where the tool says so, otherwise JSON where they can be read as it. */
function objectOf(pairs: readonly (readonly [string, string])[], tool: ToolDefinition): string {
  const members = pairs.map(([key, written]) => {
    const value = written.trim();
    return `${JSON.stringify(key)}:${typeOf(tool, key) !== 'string' && isJson(value) ? value : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}

function typeOf(tool: ToolDefinition, key: string): unknown {
  const properties = tool.parameters['properties'];
  if (typeof properties !== 'object' || properties === null) return undefined;
  const property = (properties as Record<string, unknown>)[key];
  return typeof property === 'object' && property !== null
    ? (property as { type?: unknown }).type
    : undefined;
}

/** Every object in the text that names a tool, or follows the name of one. */
function jsonCalls(text: string, declared: Declared): TextCall[] {
  const plain = text.replaceAll('<|"|>', '"');
  const calls: TextCall[] = [];
  let searched = 0;
  for (let at = plain.indexOf('{'); at !== -1 && calls.length < MAX_CALLS; at = plain.indexOf('{', at)) {
    const end = jsonEnd(plain, at);
    if (end === -1) break;
    const json = quotedKeys(plain.slice(at, end));
    const own = callOf(json, declared);
    const named = own ? [own] : nested(json, declared);
    const before = plain.slice(Math.max(searched, at - MAX_NAME_DISTANCE), at);
    const name = named.length > 0 ? null : nameBefore(before, declared);
    if (named.length > 0) calls.push(...named);
    else if (name !== null && isJsonObject(json)) calls.push({ name, arguments: json });
    searched = end;
    at = end;
  }
  return calls;
}

/** `{"name": …, "arguments": …}` in its variants. */
function callOf(json: string, declared: Declared): TextCall | null {
  const members = membersOf(json);
  if (!members) return null;
  const name = NAME_KEYS.map((key) => stringIn(members.get(key))).find((found) => found !== null);
  const tool = declared.get((name ?? '').replace(/^functions\./, ''));
  if (!tool) return null;
  const given = ARGUMENT_KEYS.map((key) => members.get(key)).find((found) => found !== undefined);
  // The reader of the call unpacks JSON in a string.
  return {
    name: tool.name,
    arguments: stringIn(given) ?? (given === undefined || given === 'null' ? '{}' : given),
  };
}

/** `{"type": "function", "function": {"name": …}}` and `{"tool_calls": [{…}]}`: one level, so that it stays linear. */
function nested(json: string, declared: Declared): TextCall[] {
  return [...(membersOf(json) ?? [])]
    .filter(([key]) => CALL_KEYS.has(key) && !ARGUMENT_KEYS.includes(key))
    .flatMap(([, value]) => objectsIn(value))
    .flatMap((inner) => callOf(inner, declared) ?? []);
}

function objectsIn(json: string): string[] {
  const objects: string[] = [];
  for (let at = json.indexOf('{'); at !== -1;) {
    const end = jsonEnd(json, at);
    if (end === -1) break;
    objects.push(json.slice(at, end));
    at = json.indexOf('{', end);
  }
  return objects;
}

/** The last word before an object, where it is a tool: `find_order[ARGS]{`, `functions.find_order:0<|…|>{`. */
function nameBefore(text: string, declared: Declared): string | null {
  const words = text.match(/[\w-]+/g) ?? [];
  return words.findLast((word) => declared.has(word)) ?? null;
}

/** Gemma leaves out the quotes of keys. */
function quotedKeys(json: string): string {
  if (isJson(json)) return json;
  const quoted = json.replaceAll(/([{,]\s{0,8})(\w{1,64})(\s{0,8}:)/g, '$1"$2"$3');
  return isJson(quoted) ? quoted : json;
}

/** `[find_order(number="42")]`. */
function pythonCalls(text: string, declared: Declared): TextCall[] {
  const calls: TextCall[] = [];
  for (const opening of text.matchAll(/([\w-]{1,64})\(/g)) {
    const name = opening[1] ?? '';
    const json = declared.has(name) ? pythonArguments(text, opening.index + opening[0].length) : null;
    if (json !== null) calls.push({ name, arguments: json });
  }
  return calls;
}

function upTo(text: string, from: number, ends: readonly string[]): string {
  const found = ends.map((end) => text.indexOf(end, from)).filter((at) => at !== -1);
  return text.slice(from, found.length === 0 ? undefined : Math.min(...found));
}

/** Whether JSON in the text of an answer has the form of a call, of a tool that may not exist: nothing for a customer. */
export function looksLikeCall(json: string): boolean {
  const at = json.indexOf('{');
  const members = at === -1 ? null : membersOf(json.slice(at, Math.max(at, jsonEnd(json, at))));
  const hasName = NAME_KEYS.some((key) => stringIn(members?.get(key)) !== null);
  const hasArguments = ARGUMENT_KEYS.some((key) => members?.get(key)?.startsWith('{') === true);
  return hasName && hasArguments;
}

/** Whether JSON may be a call, by its first key. */
export function mayBeCall(text: string): boolean | 'partial' {
  const head = text.slice(0, 100);
  const key = HEAD.exec(head)?.[1];
  return key === undefined ? HEAD_BEGINNING.test(head) && 'partial' : CALL_KEYS.has(key);
}
