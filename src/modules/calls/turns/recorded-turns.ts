import type { CallTurn } from './call-turn.entity.js';

/** A turn as it is on record, for modules other than `calls`. */
export type RecordedTurn = Readonly<CallTurn>;

/** Turns of a call from a place on. */
export interface TurnsFrom {
  readonly position: number;
  readonly turns: readonly Omit<CallTurn, 'callId' | 'userId' | 'position'>[];
}
