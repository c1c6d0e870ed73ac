import type { CompletionBody } from './completion-request.js';
import type { Refusal } from './refusal.js';
import { OPTIONAL_PARAMETERS, type OptionalParameter, type RequestForm } from './request-form.js';
import type { WireMessage } from './wire-message.js';

const SCHEMA_KEYWORDS = [
  '$schema',
  '$id',
  'additionalProperties',
  'const',
  'default',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'multipleOf',
  'pattern',
  'propertyNames',
  'strict',
  'title',
  'uniqueItems',
];
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'tool_calls',
  'tool_call_id',
  'id',
  'type',
  'function',
  'name',
  'arguments',
]);
const IS_MISSING = /miss|must|pass|requir|expect|need/;
const IS_UNSUPPORTED =
  /(?:not|n't)[\w ]{0,30}(?:support|allow|permit|accept|enable)|unsupported|invalid role|unexpected role|unknown role/;
const SPEAKS_OF_ROLES =
  /\broles?\b|\bturns?\b|alternat|interleav|successive|consecutive|(?:system|developer)[ _-]?(?:message|prompt|instruction)|user (?:message|query)|(?:first|last) message|conversation must/;
const SPEAKS_OF_CONTENT = /null|none|nil\b|string|missing|required|empty|must|undefined|invalid message/;

/** What servers call a parameter. */
const NAMES_OF: Readonly<Record<OptionalParameter, readonly string[]>> = {
  temperature: ['temperature'],
  stream_options: ['stream_options', 'stream options', 'include_usage'],
  reasoning_effort: ['reasoning_effort', 'reasoning effort', 'reasoning.effort', 'thinking_level'],
};

type Change = Partial<RequestForm>;

/**
 * Forms in which a request may be tried again, after a server has refused it with words that name the reason. Best first;
 * those that do not change the request are of no use.
 */
export function formsAfter(
  refusal: Refusal,
  body: CompletionBody,
  form: RequestForm,
): readonly RequestForm[] {
  const changes = refusal.isTemplate
    ? [...contentChanges(refusal, body, form), ...roleChanges(refusal, form)]
    : [
        ...fieldChanges(refusal, body, form),
        ...parameterChanges(refusal, body, form),
        ...toolChanges(refusal, body, form),
        ...contentChanges(refusal, body, form),
        ...roleChanges(refusal, form),
      ];
  return changes.map((change) => ({ ...form, ...change }));
}

/** Fields of providers: demanded by the one, refused by the other. */
function fieldChanges({ words }: Refusal, { messages }: CompletionBody, form: RequestForm): Change[] {
  const isMissing = IS_MISSING.test(words) && !IS_UNSUPPORTED.test(words);
  const changes: Change[] = [];
  if (isMissing && words.includes('thought_signature')) changes.push({ filledFields: 'signature' });
  if (isMissing && words.includes('reasoning_content')) changes.push({ filledFields: 'reasoning' });
  const named = ownFieldsOf(messages).filter((name) => mentions(words, name));
  if (named.length > 0)
    changes.push({ fieldsLeftOut: [...form.fieldsLeftOut, ...named], filledFields: 'none' });
  return changes;
}

function ownFieldsOf(messages: readonly WireMessage[]): string[] {
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  const parts: readonly object[] = [...messages, ...calls, ...calls.map((call) => call.function)];
  return [...new Set(parts.flatMap((part) => Object.keys(part)))].filter((name) => !KNOWN_FIELDS.has(name));
}

function parameterChanges({ words }: Refusal, body: CompletionBody, form: RequestForm): Change[] {
  const named = OPTIONAL_PARAMETERS.filter(
    (name) => name in body && NAMES_OF[name].some((other) => mentions(words, other)),
  );
  if (named.length > 0) return [{ leftOut: [...form.leftOut, ...named] }];
  const limit = form.outputLimit;
  if (limit === 'none' || !(limit in body) || !/max_(?:completion_)?tokens/.test(words)) return [];
  const other = limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  return words.includes(other)
    ? [{ outputLimit: other }, { outputLimit: 'none' }]
    : [{ outputLimit: 'none' }];
}

function toolChanges({ words }: Refusal, body: CompletionBody, form: RequestForm): Change[] {
  if (!body.tools) return [];
  const isChoice = /tool[_ ]choice/.test(words);
  const choice = body['tool_choice'];
  if (isChoice && (choice === 'required' || (choice === 'auto' && form.requiredToolChoice === 'auto'))) {
    return [
      { requiredToolChoice: form.requiredToolChoice === 'required' ? 'auto' : 'left-out' },
      { tools: 'words' },
    ];
  }
  const schema = JSON.stringify(body.tools);
  const keywords = SCHEMA_KEYWORDS.filter(
    (name) => schema.includes(`"${name}":`) && isQuoted(words, name.toLowerCase()),
  );
  const changes: Change[] = [];
  if (keywords.length > 0)
    changes.push({ schemaKeywordsLeftOut: [...form.schemaKeywordsLeftOut, ...keywords] });
  if (/propert|parameters|schema|function_?declarations?/.test(words))
    changes.push({ emptyParameters: 'left-out' });
  const areUnknown =
    isChoice ||
    (/\b(?:tools?|functions?)\b/.test(words) && /support|enable|permitted|unrecognized|unknown/.test(words));
  if (areUnknown) changes.push({ tools: 'words' });
  return changes;
}

function contentChanges({ words }: Refusal, { messages }: CompletionBody, form: RequestForm): Change[] {
  const hasEmpty = messages.some((message) => message.tool_calls && !message.content);
  const isNamed = (words.includes('content') || words.includes('message')) && SPEAKS_OF_CONTENT.test(words);
  if (!hasEmpty || !isNamed) return [];
  return form.emptyContent === 'null' ? [{ emptyContent: 'empty' }] : [{ emptyContent: 'left-out' }];
}

/** From the order of messages that a server names to the strictest. */
function roleChanges({ words }: Refusal, form: RequestForm): Change[] {
  if (!SPEAKS_OF_ROLES.test(words)) return [];
  const joined: Change = form.turns === 'any' ? { turns: 'joined' } : {};
  const notes: Change = { notes: 'user' };
  const turns: Change = { notes: 'user', turns: 'alternate' };
  const all: Change = { ...turns, instructions: 'user' };
  const noSystem: Change = { notes: 'user', turns: form.turns, instructions: 'user' };
  if (!/system|developer/.test(words) || /alternat|interleav|successive|consecutive/.test(words))
    return [joined, turns, all];
  const isPlace = /begin|first|start|order|middle|only|position|once|single/.test(words);
  return IS_UNSUPPORTED.test(words) && !isPlace ? [noSystem, all] : [notes, turns, all];
}

/** Keywords of a schema are everyday words too. */
function isQuoted(words: string, name: string): boolean {
  return (
    ['"', "'", '`'].some((quote) => words.includes(`${quote}${name}${quote}`)) ||
    words.includes(`\\"${name}\\"`)
  );
}

function mentions(words: string, name: string): boolean {
  for (let at = words.indexOf(name); at !== -1; at = words.indexOf(name, at + 1)) {
    const around = `${words.charAt(at - 1)} ${words.charAt(at + name.length)}`;
    if (!/[a-z0-9_]/.test(around)) return true;
  }
  return false;
}
