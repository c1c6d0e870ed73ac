import type { LookupError } from '../../common/phone/call-routing.js';
import { toE164 } from '../../common/phone/e164.js';
import { parseExact } from '../../common/text/exact-json.js';
import { storableObject } from '../../common/text/storable-object.js';
import { storableText } from '../../common/text/storable-text.js';

export const LOOKUP_ACTIONS = ['answer', 'reject', 'forward'] as const;
export type LookupAction = (typeof LOOKUP_ACTIONS)[number];

/** Why an answer is dropped as a whole. */
export type AnswerFault = Exclude<LookupError, 'unreachable' | 'http_status'>;

/** What the owner's server says about a caller. */
export interface LookupAnswer {
  readonly variables: Readonly<Record<string, unknown>>;
  /** Another assistant that is to answer; null: the answer names none. */
  readonly assistantId: number | null;
  /** In place of the assistant's own; may use variables as {{name}}. Null: that of the assistant. */
  readonly initialMessage: string | null;
  readonly action: LookupAction | null;
  /** E.164. Set whenever the action is `forward`. */
  readonly phoneNumber: string | null;
}

export type ParsedAnswer = { readonly answer: LookupAnswer } | { readonly fault: AnswerFault };

/** With it the greeting stays a greeting: a longer one would be spoken for more than a minute. */
const MAX_INITIAL_MESSAGE = 1_000;
const MAX_ID = 2_147_483_647;
const KNOWN_KEYS = ['variables', 'assistant_id', 'initial_message', 'action', 'phone_number'] as const;

type JsonObject = Readonly<Record<string, unknown>>;

class AnswerFaultError extends Error {
  constructor(readonly fault: AnswerFault) {
    super(fault);
  }
}

/**
 * Reads the body of an answer. An object with none of the known keys is taken as variables. Next to known keys others are
 * ignored. A known key that is null counts as not sent. One fault drops the whole answer.
 */
export function parseAnswer(body: string): ParsedAnswer {
  try {
    return { answer: answerOf(objectOf(jsonOf(body))) };
  } catch (error) {
    if (error instanceof AnswerFaultError) return { fault: error.fault };
    throw error;
  }
}

function jsonOf(body: string): unknown {
  try {
    return parseExact(body);
  } catch {
    // A SyntaxError, or a RangeError where the nesting is deeper than the stack.
    throw new AnswerFaultError('not_json');
  }
}

function answerOf(sent: JsonObject): LookupAnswer {
  if (!KNOWN_KEYS.some((key) => Object.hasOwn(sent, key))) {
    return { ...NOTHING, variables: variablesOf(sent) };
  }
  const valueOf = (key: (typeof KNOWN_KEYS)[number]) =>
    Object.hasOwn(sent, key) ? (sent[key] ?? null) : null;
  const action = actionOf(valueOf('action'));
  const phoneNumber = phoneNumberOf(valueOf('phone_number'));
  if (action === 'forward' && phoneNumber === null) throw new AnswerFaultError('bad_phone_number');
  const variables = valueOf('variables');
  return {
    variables: variables === null ? {} : variablesOf(objectOf(variables)),
    assistantId: assistantIdOf(valueOf('assistant_id')),
    initialMessage: initialMessageOf(valueOf('initial_message')),
    action,
    phoneNumber,
  };
}

const NOTHING: LookupAnswer = {
  variables: {},
  assistantId: null,
  initialMessage: null,
  action: null,
  phoneNumber: null,
};

function objectOf(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AnswerFaultError('not_object');
  }
  return value as JsonObject;
}

function actionOf(value: unknown): LookupAction | null {
  if (value === null) return null;
  const action = LOOKUP_ACTIONS.find((one) => one === value);
  if (!action) throw new AnswerFaultError('not_object');
  return action;
}

function initialMessageOf(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') throw new AnswerFaultError('not_object');
  if (value.length > MAX_INITIAL_MESSAGE) throw new AnswerFaultError('too_large');
  return value.trim() === '' ? null : storableText(value);
}

function assistantIdOf(value: unknown): number | null {
  if (value === null) return null;
  const isId = typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_ID;
  if (!isId) throw new AnswerFaultError('unknown_assistant');
  return value;
}

/** A number without a country code could be of any country. */
function phoneNumberOf(value: unknown): string | null {
  if (value === null) return null;
  const number = typeof value === 'string' && value.trim().startsWith('+') ? toE164(value, '') : null;
  if (number === null) throw new AnswerFaultError('bad_phone_number');
  return number;
}

function variablesOf(object: JsonObject): JsonObject {
  return storableObject(object, () => {
    throw new AnswerFaultError('not_object');
  });
}
