import type {
  BranchAction,
  RoutingAction,
  RoutingBranch,
  RoutingReason,
} from '../../common/phone/call-routing.js';
import type { LookupDecision } from './lookups/lookup-decision.js';
import { closedReason, type RoutingHours } from './hours/routing-hours.js';

/** How callers wait for a line. Stored as the API shows it. */
export interface RoutingQueue {
  /** How many callers of the number may wait at the same time. */
  readonly max_waiting: number;
  readonly max_seconds: number;
  /** What a caller hears first; null: the position alone. */
  readonly message: string | null;
}

/** Who answers the calls of a number. */
export interface NumberRouting {
  /** Null: it is always open. */
  readonly hours: RoutingHours | null;
  readonly closed: BranchAction;
  /** For calls that nothing else can answer. */
  readonly unavailable: BranchAction;
  /** Is asked about callers while their calls ring; null: no one is. */
  readonly lookupUrl: string | null;
  readonly lookupTimeoutMs: number;
  /** Null: no one waits. */
  readonly queue: RoutingQueue | null;
}

/** A number that receives calls. */
export interface RoutedNumber {
  readonly id: number;
  readonly userId: number;
  /** E.164, or an extension. */
  readonly phoneNumber: string;
  readonly routing: NumberRouting;
}

export const DEFAULT_LOOKUP_TIMEOUT_MS = 3_000;

export const BUSY = { action: 'busy' } as const satisfies BranchAction;

/** The number's own assistant answers, at any time. */
export const NO_ROUTING: NumberRouting = {
  hours: null,
  closed: BUSY,
  unavailable: BUSY,
  lookupUrl: null,
  lookupTimeoutMs: DEFAULT_LOOKUP_TIMEOUT_MS,
  queue: null,
};

/** One attempt to answer a call. */
export interface RoutingStep {
  readonly branch: RoutingBranch;
  readonly action: RoutingAction;
  /** Of `assistant`; null: the number's own. */
  readonly assistantId: number | null;
  /** Of `forward`, in E.164; null for other actions. */
  readonly phoneNumber: string | null;
  /** Of `message`; null for other actions. */
  readonly text: string | null;
  /** Null: as the step before has failed, that says why. */
  readonly reason: RoutingReason | null;
}

/** What a routing does at a moment. */
export interface RoutingPlan {
  /** Null where it has no hours. */
  readonly open: boolean | null;
  /** In their order: each is for the case that the one before fails. After the last one the caller hears busy. */
  readonly steps: readonly [RoutingStep, RoutingStep];
}

/** @param decision of a lookup of the caller, which wins over the hours; null: there is none */
export function planOf(
  routing: NumberRouting,
  at: Date,
  decision: LookupDecision | null = null,
): RoutingPlan {
  const { hours, closed, unavailable } = routing;
  const reason = hours && closedReason(hours, at);
  const open = hours ? reason === null : null;
  const first = decision ? decidedStep(decision) : stepByHours(closed, reason);
  return { open, steps: [first, { branch: 'unavailable', ...stepActionOf(unavailable), reason: null }] };
}

function stepByHours(closed: BranchAction, reason: RoutingReason | null): RoutingStep {
  return reason
    ? { branch: 'closed', ...stepActionOf(closed), reason }
    : { branch: 'open', action: 'assistant', assistantId: null, phoneNumber: null, text: null, reason: null };
}

function decidedStep(decision: LookupDecision): RoutingStep {
  return { branch: 'lookup', ...decision, text: null, reason: 'lookup' };
}

/** Whether a routing does nothing that a number without one does not do. */
export function isDefault({ hours, closed, unavailable, lookupUrl, queue }: NumberRouting): boolean {
  const isBusy = closed.action === 'busy' && unavailable.action === 'busy';
  return hours === null && isBusy && lookupUrl === null && queue === null;
}

function stepActionOf(
  branch: BranchAction,
): Pick<RoutingStep, 'action' | 'assistantId' | 'phoneNumber' | 'text'> {
  return {
    action: branch.action,
    assistantId: branch.action === 'assistant' ? branch.assistant_id : null,
    phoneNumber: branch.action === 'forward' ? branch.phone_number : null,
    text: branch.action === 'message' ? branch.text : null,
  };
}
