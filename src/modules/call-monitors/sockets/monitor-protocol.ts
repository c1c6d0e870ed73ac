import { z } from 'zod';
import { hasVisibleText } from '../../../common/text/visible-text.js';
import type { AssistantState } from '../../../providers/telephony/call/call-line.js';
import { CLOSE, jsonOf } from '../../../providers/telephony/web/web-call-protocol.js';
import type { LiveState } from '../../calls/live/live-state.js';

/** What a person who listens to a call and the voice process say to each other, besides sound. */

/** Codes in the close frame of the WebSocket. */
export const MONITOR_CLOSE = {
  over: CLOSE.over,
  /** The call goes on in another process, or this one stops. */
  elsewhere: 1001,
  failed: 1011,
  badFrame: CLOSE.badFrame,
  unauthorized: CLOSE.unauthorized,
  rightLost: 4403,
  nothingCame: CLOSE.nothingCame,
  tooMuch: CLOSE.tooMuch,
} as const;
export type MonitorCloseCode = (typeof MONITOR_CLOSE)[keyof typeof MONITOR_CLOSE];

const MAX_TEXT_LENGTH = 1_000;
const MAX_NOTE_LENGTH = 2_000;
const MAX_PHONE_LENGTH = 40;
const MAX_COMMAND_LENGTH = 40;

const commandId = z.union([z.string().max(64), z.int()]);
const commandText = z.string().trim().refine(hasVisibleText).max(MAX_TEXT_LENGTH);

/** Without any visible character it is as left out. */
const noteText = z
  .string()
  .trim()
  .max(MAX_NOTE_LENGTH)
  .nullish()
  .transform((text) => (text && hasVisibleText(text) ? text : null));
const phoneText = z.string().trim().min(1).max(MAX_PHONE_LENGTH);

const monitorCommand = z.discriminatedUnion('type', [
  /** An instruction for the assistant, which the customer does not hear. */
  z.object({ type: z.literal('whisper'), text: commandText, id: commandId.optional() }),
  /** Words that the assistant says as they are. */
  z.object({ type: z.literal('say'), text: commandText, id: commandId.optional() }),
  /** The person talks with the customer in place of the assistant. */
  z.object({ type: z.literal('take_over'), id: commandId.optional() }),
  /** The assistant talks with the customer again. */
  z.object({ type: z.literal('hand_back'), note: noteText, id: commandId.optional() }),
  z.object({ type: z.literal('transfer'), phone_number: phoneText, id: commandId.optional() }),
  z.object({ type: z.literal('hangup'), id: commandId.optional() }),
]);
const named = z.object({
  type: z.string().max(MAX_COMMAND_LENGTH).nullable().catch(null),
  id: commandId.optional().catch(undefined),
});

export type MonitorCommand = z.infer<typeof monitorCommand>;
export type CommandId = z.infer<typeof commandId>;

/** A command that is none of the protocol's, or whose fields are wrong. */
export interface InvalidCommand {
  readonly invalid: { readonly command: string | null; readonly id?: CommandId };
}

/**
 * `held`: another person has the customer. `not_held`: neither an assistant nor a person talks with the customer now, or the person
 * does not have them. `forbidden`: calls may not go to the number.
 */
export type CommandRefusal = 'invalid' | 'held' | 'not_held' | 'forbidden';

/** Who has the customer, and how many listen. */
export interface CallView {
  readonly state: AssistantState;
  readonly holder: LiveState['holder'];
  /** The member who has them; null where no member has. */
  readonly member_name: string | null;
  readonly listeners: number;
}

export type MonitorMessage =
  | {
      readonly type: 'ready';
      readonly sample_rate: number;
      readonly frame_ms: number;
      readonly channels: 2;
      readonly holder: CallView['holder'];
      readonly member_name: string | null;
    }
  | ({ readonly type: 'state' } & CallView)
  | {
      readonly type: 'turn';
      readonly role: 'assistant' | 'customer' | 'agent';
      /** Of an `agent`; null for the owner of the account and for API keys. */
      readonly member_name?: string | null;
      readonly text: string;
      /** False while more of it may come; the next one of the same role then replaces it. */
      readonly final: boolean;
    }
  | {
      readonly type: 'tool';
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      readonly status: 'started' | 'done' | 'failed';
      readonly result?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'done'; readonly command: string; readonly id?: CommandId }
  | {
      readonly type: 'refused';
      readonly command: string | null;
      readonly id?: CommandId;
      readonly error: CommandRefusal;
    }
  | { readonly type: 'ended'; readonly reason: string };

/** Null when the message is no JSON object, or too long. */
export function commandOf(data: Buffer): MonitorCommand | InvalidCommand | null {
  const json = jsonOf(data);
  const command = monitorCommand.safeParse(json);
  if (command.success) return command.data;
  const invalid = named.safeParse(json);
  if (!invalid.success) return null;
  const { type, id } = invalid.data;
  return { invalid: { command: type, ...(id === undefined ? {} : { id }) } };
}
