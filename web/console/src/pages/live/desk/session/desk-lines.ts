import type { CallTurnResponse } from '#client/types.gen.js';
import type { CommandResult } from './desk-connection.js';
import type { DeskMessage, Speaker, ToolStatus } from './protocol.js';

/** Older ones are left out: a call can last for hours. */
const MOST_LINES = 400;

export interface TurnLine {
  readonly kind: 'turn';
  readonly role: Speaker;
  readonly text: string;
  readonly isFinal: boolean;
  readonly name: string | null;
}

interface ToolLine {
  readonly kind: 'tool';
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly status: ToolStatus;
  readonly result: Readonly<Record<string, unknown>> | null;
}

/** Words of this person for the assistant. */
interface SentLine {
  readonly kind: 'sent';
  readonly command: 'whisper' | 'say';
  readonly text: string;
  readonly result: CommandResult | 'sending';
}

/** The connection was lost for a moment. What was said in it is missing. */
interface GapLine {
  readonly kind: 'gap';
}

export type DeskLine = { readonly id: number } & (TurnLine | ToolLine | SentLine | GapLine);
type NewLine = TurnLine | ToolLine | SentLine | GapLine;

/** What was said and done, oldest first; immutable. */
export type DeskLines = readonly DeskLine[];

export function linesOf(turns: readonly CallTurnResponse[]): DeskLines {
  return turns.reduce<DeskLines>(
    (lines, { role, text }) => addLine(lines, { kind: 'turn', role, text, isFinal: true, name: null }),
    [],
  );
}

export function addLine(lines: DeskLines, line: NewLine): DeskLines {
  const id = (lines.at(-1)?.id ?? 0) + 1;
  return [...lines, { id, ...line }].slice(-MOST_LINES);
}

/** A turn that goes on replaces its shown part. */
export function addTurn(lines: DeskLines, message: DeskMessage & { readonly type: 'turn' }): DeskLines {
  const { role, text, final, member_name: name = null } = message;
  const turn = { kind: 'turn', role, text, isFinal: final, name } as const;
  const at = lines.findLastIndex((line) => line.kind === 'turn' && line.role === role);
  const last = lines[at];
  if (last?.kind !== 'turn') return addLine(lines, turn);
  // The record has it already, when the connection opens while it is said.
  if (!last.isFinal || last.text === text) return lines.with(at, { id: last.id, ...turn });
  return addLine(lines, turn);
}

export function addTool(lines: DeskLines, message: DeskMessage & { readonly type: 'tool' }): DeskLines {
  const { name, arguments: given, status, result = null } = message;
  const tool = { kind: 'tool', name, given, status, result } as const;
  const at = lines.findLastIndex(
    (line) => line.kind === 'tool' && line.name === name && line.status === 'started',
  );
  const started = lines[at];
  return status === 'started' || !started
    ? addLine(lines, tool)
    : lines.with(at, { id: started.id, ...tool });
}

/** Words that were said are shown as a turn of the assistant. */
export function addResult(lines: DeskLines, id: number, result: CommandResult): DeskLines {
  return lines.flatMap((line) => {
    if (line.id !== id || line.kind !== 'sent') return [line];
    return line.command === 'say' && result === 'done' ? [] : [{ ...line, result }];
  });
}
