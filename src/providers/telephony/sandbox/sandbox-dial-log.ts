import type { SandboxRecord } from './sandbox-journal.js';

export interface SandboxDial {
  readonly key: string;
  readonly callId: string;
  readonly from: string;
  readonly to: string;
  /** Real time in milliseconds since 1970; null for what has not happened. */
  readonly dialledAt: number;
  readonly answeredAt: number | null;
  readonly endedAt: number | null;
  readonly outcome: string | null;
  /** How often the key came again and was not dialled again. */
  readonly repeats: number;
}

export interface SandboxDialLog {
  /** Oldest first. A key that occurs twice was dialled twice. */
  readonly dials: readonly SandboxDial[];
  /** The most outbound calls that were alive at one moment, from the dial to the end. */
  readonly mostLiveAtOnce: number;
  /** The same for each number called. */
  readonly mostLiveByNumber: Readonly<Record<string, number>>;
}

/** Reads the journal for tests that look for mistakes of the dialler. */
export function dialLog(records: readonly SandboxRecord[]): SandboxDialLog {
  const dials = new Map<string, { -readonly [Field in keyof SandboxDial]: SandboxDial[Field] }>();
  for (const record of records) {
    const dial = dials.get(record.callId);
    if (record.type === 'dial') {
      const { key, callId, from, to, at } = record;
      const fresh = { answeredAt: null, endedAt: null, outcome: null, repeats: 0 };
      dials.set(callId, { key, callId, from, to, dialledAt: at, ...fresh });
    } else if (dial && record.type === 'repeat') dial.repeats++;
    else if (dial && record.type === 'answer') dial.answeredAt ??= record.at;
    else if (dial && record.type === 'end' && dial.endedAt === null) {
      dial.endedAt = record.at;
      dial.outcome = record.outcome;
    }
  }
  const all = [...dials.values()];
  const byNumber = new Map<string, SandboxDial[]>();
  for (const dial of all) byNumber.set(dial.to, [...(byNumber.get(dial.to) ?? []), dial]);
  return {
    dials: all,
    mostLiveAtOnce: mostLive(all),
    mostLiveByNumber: Object.fromEntries([...byNumber].map(([to, some]) => [to, mostLive(some)])),
  };
}

/** A call that ends in the same millisecond as another begins is not alive with it. */
function mostLive(dials: readonly SandboxDial[]): number {
  const changes = dials.flatMap(({ dialledAt, endedAt }) => [
    { at: dialledAt, by: 1 },
    ...(endedAt === null ? [] : [{ at: Math.max(endedAt, dialledAt + 1), by: -1 }]),
  ]);
  let live = 0;
  let most = 0;
  for (const { by } of changes.sort((a, b) => a.at - b.at || a.by - b.by)) {
    live += by;
    most = Math.max(most, live);
  }
  return most;
}
