/**
 * Which part of a number's routing a call took. `lookup`: what the owner's server has decided; `unavailable`: the part that
 * was meant for it could not answer, or was not there.
 */
export const ROUTING_BRANCHES = ['open', 'closed', 'lookup', 'unavailable'] as const;
export type RoutingBranch = (typeof ROUTING_BRANCHES)[number];

/** What a routing may do with a call. */
export const BRANCH_ACTIONS = ['assistant', 'forward', 'message', 'busy'] as const;

/** What is done with a call in one part of a routing. Stored as the API shows it. */
export type BranchAction =
  | { readonly action: 'busy' }
  | { readonly action: 'assistant'; readonly assistant_id: number }
  | { readonly action: 'forward'; readonly phone_number: string }
  | { readonly action: 'message'; readonly text: string };

/** What was done with the call. `reject`: the owner's server has turned it away. */
export const ROUTING_ACTIONS = [...BRANCH_ACTIONS, 'reject'] as const;
export type RoutingAction = (typeof ROUTING_ACTIONS)[number];

/** Why the call did not take the part for open hours. */
export const ROUTING_REASONS = [
  'hours',
  'closed_date',
  'no_assistant',
  'account_full',
  'platform_full',
  'trunk_full',
  'balance',
  'no_voice',
  'queue_full',
  'queue_timeout',
  'lookup',
] as const;
export type RoutingReason = (typeof ROUTING_REASONS)[number];

/**
 * What came of a lookup of the caller.
 *
 * - `ok`: the answer is used
 * - `timeout`: the answer was not complete in time
 * - `failed`: the server is unreachable, or its answer cannot be read
 * - `ignored`: the server was not asked, or the answer names an assistant or a number that cannot be used
 */
export const LOOKUP_STATUSES = ['ok', 'timeout', 'failed', 'ignored'] as const;
export type LookupStatus = (typeof LOOKUP_STATUSES)[number];

/** Why an answer is not used. */
export const LOOKUP_ERRORS = [
  'unreachable',
  'http_status',
  'not_json',
  'not_object',
  'too_large',
  'unknown_assistant',
  'bad_phone_number',
] as const;
export type LookupError = (typeof LOOKUP_ERRORS)[number];

export interface CallLookup {
  readonly status: LookupStatus;
  /** From the request to the end of the answer; 0 where the server was not asked. */
  readonly ms: number;
  readonly error: LookupError | null;
}

/** How a call was routed. */
export interface CallRouting {
  readonly branch: RoutingBranch;
  readonly action: RoutingAction;
  /** Null for a call in open hours that its assistant answered. */
  readonly reason: RoutingReason | null;
  /** Left out where no lookup was sent. */
  readonly lookup?: CallLookup;
  /** The number (E.164) that the caller is connected to; left out for other actions than `forward`. */
  readonly forwardedTo?: string;
  /** How long the caller waited in the queue, once that is over; left out for a call that never waited. */
  readonly waitedMs?: number;
}
