import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../chat-model.js';
import { ModelError } from '../model-error.js';
import { isJson } from './answer/json-spans.js';
import { ProviderFieldsAssembler } from './provider-fields.js';
import { isRecord, stringOf } from './wire-value.js';

const MAX_TOOL_CALLS = 64;
const MAX_ARGUMENTS_CHARS = 100_000;

/** How often arguments that are JSON in a string are unpacked. */
const MAX_WRAPPINGS = 3;

interface PartialCall {
  readonly choice: number;
  readonly index: number | null;
  id: string;
  name: string;
  arguments: string;
  readonly callFields: ProviderFieldsAssembler;
  readonly functionFields: ProviderFieldsAssembler;
}

/** One `delta.tool_calls[]` item, read but not yet assigned to a call. */
interface CallPiece {
  readonly choice: number;
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly item: Readonly<Record<string, unknown>>;
  readonly called: Readonly<Record<string, unknown>>;
}

/**
 * Joins the pieces in which tool calls arrive. OpenAI numbers them by `index` and sends id and name once. Compatible
 * servers leave out the index, or give every call index 0. Others repeat the id or the name with each piece, leave
 * out the id, or send the arguments as an object.
 */
export class ToolCallAssembler {
  private readonly calls: PartialCall[] = [];
  private argumentsChars = 0;

  /** False when the arguments of a call are not (yet) whole JSON. */
  get complete(): boolean {
    return this.calls.every((call) => call.arguments === '' || isJson(call.arguments));
  }

  /** @param choice of the completion; each counts its calls from 0 */
  accept(value: unknown, choice = 0): void {
    const piece = readPiece(value, choice);
    const call = this.callOf(piece) ?? this.begin(piece);
    call.callFields.accept(piece.item);
    call.functionFields.accept(piece.called);
    call.id ||= piece.id;
    call.name ||= piece.name;
    call.arguments += piece.arguments;
    this.argumentsChars += piece.arguments.length;
    if (this.argumentsChars > MAX_ARGUMENTS_CHARS) throw new ModelError('malformed');
  }

  /** The calls in the order of their index, with an id each. */
  take(): ToolCall[] {
    const ids = new Set<string>();
    return this.calls
      .toSorted((a, b) => a.choice - b.choice || (a.index ?? 0) - (b.index ?? 0))
      .map((call) => {
        if (call.name === '') throw new ModelError('malformed');
        const id = call.id === '' || ids.has(call.id) ? `call_${randomUUID()}` : call.id;
        ids.add(id);
        const json = call.arguments.trim() === '' ? '{}' : unwrapped(call.arguments);
        return { id, name: call.name, arguments: json, ...withFields(call) };
      });
  }

  private callOf(piece: CallPiece): PartialCall | undefined {
    const calls = this.calls.filter(({ choice }) => choice === piece.choice);
    const call =
      piece.index === null
        ? (calls.findLast((known) => piece.id !== '' && known.id === piece.id) ?? calls.at(-1))
        : calls.findLast((known) => known.index === piece.index);
    return call !== undefined && continues(call, piece) ? call : undefined;
  }

  private begin(piece: CallPiece): PartialCall {
    if (this.calls.length === MAX_TOOL_CALLS) throw new ModelError('malformed');
    const { choice, index, id, name } = piece;
    const fields = {
      callFields: new ProviderFieldsAssembler(),
      functionFields: new ProviderFieldsAssembler(),
    };
    const call = { choice, index, id, name, arguments: '', ...fields };
    this.calls.push(call);
    return call;
  }
}

/** Whether a piece belongs to a call, or is the start of another that carries the same index or none. */
function continues(call: PartialCall, piece: CallPiece): boolean {
  if (piece.name === '') return true;
  if (piece.id !== '' && call.id !== '') return piece.id === call.id;
  if (call.name === '') return true;
  if (piece.name !== call.name) return false;
  return piece.arguments === '' || !isJson(call.arguments);
}

function readPiece(value: unknown, choice: number): CallPiece {
  if (!isRecord(value)) throw new ModelError('malformed');
  const called = isRecord(value['function']) ? value['function'] : {};
  const args = called['arguments'];
  return {
    choice,
    index: typeof value['index'] === 'number' ? value['index'] : null,
    id: stringOf(value['id']),
    name: stringOf(called['name']),
    arguments: isRecord(args) ? JSON.stringify(args) : stringOf(args),
    item: value,
    called,
  };
}

function withFields({ callFields, functionFields }: PartialCall): Pick<ToolCall, 'providerFields'> {
  const [call, called] = [callFields.take(), functionFields.take()];
  if (!call && !called) return {};
  return { providerFields: { ...(call && { call }), ...(called && { function: called }) } };
}

/** Arguments of servers that write them as JSON in a JSON string, or begin with an empty object. */
function unwrapped(json: string): string {
  let text = json.trim();
  for (let count = 0; count < MAX_WRAPPINGS && text.startsWith('"'); count++) {
    const inner: unknown = isJson(text) ? JSON.parse(text) : null;
    if (typeof inner !== 'string') return json;
    text = inner.trim() === '' ? '{}' : inner.trim();
  }
  if (text.startsWith('{}') && text.length > 2 && isJson(text.slice(2))) return text.slice(2);
  return text.startsWith('{') && text !== json.trim() ? text : json;
}
