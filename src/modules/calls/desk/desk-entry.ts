/** What people who listen to a call do in it. */
export const DESK_EVENTS = [
  'listened',
  'whispered',
  'said',
  'taken_over',
  'handed_back',
  'transferred',
  'hung_up',
] as const;
export type DeskEvent = (typeof DESK_EVENTS)[number];

export interface DeskEntry {
  /** Since the answer of the call. */
  readonly at_ms: number;
  readonly event: DeskEvent;
  /** Null for the owner and for API keys. */
  readonly member_name: string | null;
  /** What was whispered or said, the note of a hand-back, the number of a transfer; null for the others. */
  readonly text: string | null;
}
