/** What the server and a person who listens to a call say to each other, besides sound: docs/reference/live-desk.md. */

export type Holder = 'assistant' | 'agent' | 'queue' | 'transfer';
export type Activity = 'listening' | 'thinking' | 'speaking';
export type Speaker = 'customer' | 'assistant' | 'agent';
export type RefusalReason = 'held' | 'not_held' | 'invalid' | 'forbidden';
export type ToolStatus = 'started' | 'done' | 'failed';

export type DeskMessage =
  | { readonly type: 'ready'; readonly holder: Holder; readonly member_name: string | null }
  | {
      readonly type: 'state';
      readonly state: Activity;
      readonly holder: Holder;
      readonly member_name?: string | null;
      readonly listeners: number;
    }
  | {
      readonly type: 'turn';
      readonly role: Speaker;
      readonly text: string;
      readonly final: boolean;
      readonly member_name?: string | null;
    }
  | {
      readonly type: 'tool';
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      readonly status: ToolStatus;
      readonly result?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'done'; readonly command: string; readonly id?: number }
  | {
      readonly type: 'refused';
      readonly command: string | null;
      readonly id?: number;
      readonly error: RefusalReason;
    }
  | { readonly type: 'ended'; readonly reason: string };

export type DeskCommand =
  | { readonly type: 'whisper' | 'say'; readonly text: string }
  | { readonly type: 'take_over' | 'hangup' }
  | { readonly type: 'hand_back'; readonly note?: string }
  | { readonly type: 'transfer'; readonly phone_number: string };

export type CommandName = DeskCommand['type'];

export const MAX_WORDS = 1_000;
export const MAX_NOTE = 2_000;

export const CLOSE = {
  over: 1000,
  notRecorded: 1011,
  badFrame: 4400,
  rightLost: 4403,
  tooMuch: 4429,
} as const;

/** After these, a new connection would end the same way. */
export const FINAL_CODES: ReadonlySet<number> = new Set([CLOSE.badFrame, CLOSE.rightLost, CLOSE.tooMuch]);

/** How long the server keeps a takeover for the same person without a connection. */
export const KEEPS_TAKEOVER_MS = 10_000;
