import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../chat-model.js';
import { ModelError } from '../model-error.js';
import { isRecord, stringOf } from './wire-value.js';

const MAX_TOOL_CALLS = 64;
const MAX_ARGUMENTS_CHARS = 100_000;

interface PartialCall {
  readonly index: number | null;
  id: string;
  name: string;
  arguments: string;
}

/** One `delta.tool_calls[]` item, read but not yet assigned to a call. */
type CallPiece = Readonly<PartialCall>;

/**
 * Joins the pieces in which tool calls arrive. OpenAI numbers them by `index` and sends id and name
 * once. Compatible servers leave out the index, give every call index 0, repeat the id or the name
 * with each piece, leave out the id, or send the arguments as an object.
 */
export class ToolCallAssembler {
  private readonly calls: PartialCall[] = [];
  private argumentsChars = 0;

  /** False when the arguments of a call are not (yet) whole JSON. */
  get complete(): boolean {
    return this.calls.every((call) => call.arguments === '' || isWholeJson(call.arguments));
  }

  accept(value: unknown): void {
    const piece = readPiece(value);
    const call = this.callOf(piece) ?? this.begin(piece);
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
      .toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
      .map((call) => {
        if (call.name === '') throw new ModelError('malformed');
        const id = call.id === '' || ids.has(call.id) ? `call_${randomUUID()}` : call.id;
        ids.add(id);
        return { id, name: call.name, arguments: call.arguments.trim() === '' ? '{}' : call.arguments };
      });
  }

  private callOf(piece: CallPiece): PartialCall | undefined {
    const call =
      piece.index === null
        ? (this.calls.findLast((known) => piece.id !== '' && known.id === piece.id) ?? this.calls.at(-1))
        : this.calls.findLast((known) => known.index === piece.index);
    return call !== undefined && continues(call, piece) ? call : undefined;
  }

  private begin(piece: CallPiece): PartialCall {
    if (this.calls.length === MAX_TOOL_CALLS) throw new ModelError('malformed');
    const call = { index: piece.index, id: piece.id, name: piece.name, arguments: '' };
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
  return piece.arguments === '' || !isWholeJson(call.arguments);
}

function readPiece(value: unknown): CallPiece {
  if (!isRecord(value)) throw new ModelError('malformed');
  const called = isRecord(value['function']) ? value['function'] : {};
  const args = called['arguments'];
  return {
    index: typeof value['index'] === 'number' ? value['index'] : null,
    id: stringOf(value['id']),
    name: stringOf(called['name']),
    arguments: isRecord(args) ? JSON.stringify(args) : stringOf(args),
  };
}

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
