import type {
  CallDetailsResponse,
  CallFunctionCallResponse,
  CallTurnResponse,
  DeskEntryResponse,
} from '#client/types.gen.js';

/** Shorter pauses are how people talk. */
const LEAST_GAP_MS = 1_500;
/** How far the first sound of an answer is from the beginning of its turn, at most. */
const ANSWER_TOLERANCE_MS = 2_000;

/** How long the customer waited for an answer, in milliseconds, and for what. */
export interface AnswerLatency {
  readonly responseMs: number;
  /** Until the words of the customer were there. */
  readonly heardMs: number | null;
  readonly thoughtMs: number | null;
  readonly spokeMs: number | null;
}

export interface Gap {
  readonly startMs: number;
  readonly endMs: number;
}

export type TimelineItem =
  | {
      readonly kind: 'turn';
      readonly atMs: number;
      readonly turn: CallTurnResponse;
      readonly latency: AnswerLatency | null;
    }
  | { readonly kind: 'tool'; readonly atMs: number; readonly tool: CallFunctionCallResponse }
  | { readonly kind: 'desk'; readonly atMs: number; readonly entry: DeskEntryResponse }
  | { readonly kind: 'gap'; readonly atMs: number; readonly gap: Gap };

type Recorded = Pick<CallDetailsResponse, 'turns'> &
  Partial<Pick<CallDetailsResponse, 'function_calls' | 'desk' | 'quality'>>;

/** All that happened in a call, in its order. */
export function timelineOf({
  turns,
  function_calls: tools = [],
  desk = [],
  quality,
}: Recorded): TimelineItem[] {
  const latencies = latenciesOf(turns, quality ?? null);
  const items: TimelineItem[] = [
    ...turns.map((turn, index) => ({
      kind: 'turn' as const,
      atMs: turn.start_ms,
      turn,
      latency: latencies.get(index) ?? null,
    })),
    ...tools.map((tool) => ({ kind: 'tool' as const, atMs: tool.at_ms, tool })),
    ...desk.map((entry) => ({ kind: 'desk' as const, atMs: entry.at_ms, entry })),
    ...gapsOf(turns).map((gap) => ({ kind: 'gap' as const, atMs: gap.startMs, gap })),
  ];
  return items.toSorted((one, other) => one.atMs - other.atMs);
}

/** Where neither side spoke for a while. */
export function gapsOf(turns: readonly CallTurnResponse[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let spokenUntil = turns[0]?.start_ms ?? 0;
  for (const { start_ms: startMs, end_ms: endMs } of turns.toSorted((a, b) => a.start_ms - b.start_ms)) {
    if (startMs - spokenUntil > LEAST_GAP_MS) gaps.push({ startMs: spokenUntil, endMs: startMs });
    spokenUntil = Math.max(spokenUntil, endMs);
  }
  return gaps;
}

/** The turn that is spoken at that time; the last of those that overlap. */
export function turnAt(turns: readonly CallTurnResponse[], atMs: number): CallTurnResponse | undefined {
  return turns.findLast(({ start_ms: startMs, end_ms: endMs }) => startMs <= atMs && atMs < endMs);
}

/** By the place of the turn of the assistant whose beginning is next to the measured first sound. */
function latenciesOf(
  turns: readonly CallTurnResponse[],
  quality: CallDetailsResponse['quality'],
): ReadonlyMap<number, AnswerLatency> {
  const found = new Map<number, AnswerLatency>();
  for (const measured of measuredIn(quality)) {
    const soundAt = measured.at_ms + measured.response_ms;
    const distanceOf = (index: number) => Math.abs((turns[index]?.start_ms ?? Infinity) - soundAt);
    const [nearest] = [...turns.keys()]
      .filter((index) => turns[index]?.role === 'assistant' && distanceOf(index) <= ANSWER_TOLERANCE_MS)
      .toSorted((one, other) => distanceOf(one) - distanceOf(other));
    if (nearest !== undefined) found.set(nearest, latencyOf(measured));
  }
  return found;
}

interface Measured extends Readonly<Record<string, unknown>> {
  readonly at_ms: number;
  readonly response_ms: number;
}

function measuredIn(quality: CallDetailsResponse['quality']): readonly Measured[] {
  const measured: unknown = quality?.turns;
  return Array.isArray(measured) ? measured.filter(isMeasured) : [];
}

function isMeasured(value: unknown): value is Measured {
  if (typeof value !== 'object' || value === null) return false;
  const { at_ms: atMs, response_ms: responseMs } = value as Partial<Measured>;
  return typeof atMs === 'number' && typeof responseMs === 'number';
}

function latencyOf(measured: Measured): AnswerLatency {
  const part = (name: string) => (typeof measured[name] === 'number' ? measured[name] : null);
  const endpointing = part('endpointing_ms');
  const recognition = part('recognition_ms');
  const isHeard = endpointing !== null || recognition !== null;
  return {
    responseMs: measured.response_ms,
    heardMs: isHeard ? (endpointing ?? 0) + (recognition ?? 0) : null,
    thoughtMs: part('model_ms'),
    spokeMs: part('synthesis_ms'),
  };
}
