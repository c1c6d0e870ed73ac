import {
  BranchActionRequestSchema,
  RoutingQueueRequestSchema,
  UpdateNumberRoutingRequestSchema,
  WeeklyHoursRequestSchema,
} from '#client/rules.gen.js';
import type {
  BranchActionRequest,
  BranchActionResponse,
  NumberRoutingResponse,
  RoutingQueueResponse,
  UpdateNumberRoutingRequest,
} from '#client/types.gen.js';
import type { Schema } from '../../../forms/rules.js';
import { type DayHours, rowsOf, WEEKDAYS, weeklyOf } from './week.js';

export type Action = BranchActionRequest['action'];
export type Parameter = Exclude<keyof BranchActionRequest, 'action'>;
/** The parts with an action. */
export type Branch = 'closed' | 'unavailable';

/** The field that each action needs, in the order in which actions are offered. */
export const PARAMETERS = {
  assistant: 'assistant_id',
  forward: 'phone_number',
  message: 'text',
  busy: null,
} as const satisfies Record<Action, Parameter | null>;

export const PARAMETER_SCHEMAS: Readonly<Record<Parameter, Schema>> = BranchActionRequestSchema.properties;

/** An action with the fields of all actions, so that a change of mind loses nothing. */
export type BranchValues = Required<BranchActionRequest>;

/** Values of the form. Hours are kept while the number is always open, and a queue while no one waits. */
export interface RoutingValues {
  readonly isAlwaysOpen: boolean;
  readonly hours: {
    readonly timezone: string;
    readonly weekly: readonly DayHours[];
    readonly closed_dates: readonly string[];
  };
  readonly closed: BranchValues;
  readonly hasQueue: boolean;
  readonly queue: RoutingQueueResponse;
  readonly unavailable: BranchValues;
  readonly lookup_url: string | null;
  /** Null: the default of the API. */
  readonly lookup_timeout_ms: number | null;
}

/** Offered for a number that never had hours. */
const OFFICE_HOURS: readonly DayHours[] = WEEKDAYS.slice(0, 5).map((day) => ({
  day,
  from: '09:00',
  to: '18:00',
}));

/** Offered for a number without a queue. */
const NEW_QUEUE: RoutingQueueResponse = { max_waiting: 5, max_seconds: 120, message: null };

export const QUEUE_SCHEMAS: Readonly<Record<keyof RoutingQueueResponse, Schema>> =
  RoutingQueueRequestSchema.properties;
const QUEUE: Schema = { properties: QUEUE_SCHEMAS, required: ['max_waiting', 'max_seconds'] };

const { lookup_url, lookup_timeout_ms } = UpdateNumberRoutingRequestSchema.properties;
export const LOOKUP_SCHEMAS: Readonly<Record<'lookup_url' | 'lookup_timeout_ms', Schema>> = {
  lookup_url,
  lookup_timeout_ms,
};

const { from, to } = WeeklyHoursRequestSchema.properties;
const HOURS: Schema = {
  properties: { weekly: { items: { properties: { from, to }, required: ['from', 'to'] } } },
};

export function valuesOf({
  hours,
  closed,
  queue,
  unavailable,
  lookup_url: url,
  lookup_timeout_ms: timeoutMs,
}: NumberRoutingResponse): RoutingValues {
  return {
    isAlwaysOpen: hours === null,
    hours: hours
      ? { ...hours, weekly: rowsOf(hours.weekly) }
      : {
          timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          weekly: OFFICE_HOURS,
          closed_dates: [],
        },
    closed: branchValuesOf(closed),
    hasQueue: queue !== null,
    queue: queue ?? NEW_QUEUE,
    unavailable: branchValuesOf(unavailable),
    lookup_url: url,
    lookup_timeout_ms: timeoutMs,
  };
}

/** The limits of what would be sent. */
export function schemaOf({
  isAlwaysOpen,
  closed,
  hasQueue,
  unavailable,
  lookup_url: url,
}: RoutingValues): Schema {
  return {
    properties: {
      ...(!isAlwaysOpen && { hours: HOURS, closed: branchSchemaOf(closed) }),
      ...(hasQueue && { queue: QUEUE }),
      unavailable: branchSchemaOf(unavailable),
      lookup_url: LOOKUP_SCHEMAS.lookup_url,
      ...(url !== null && { lookup_timeout_ms: LOOKUP_SCHEMAS.lookup_timeout_ms }),
    },
  };
}

/**
 * The parts that were changed: another member may have changed the others.
 *
 * @param isDirty whether a value was changed
 */
export function changesOf(
  {
    isAlwaysOpen,
    hours,
    closed,
    hasQueue,
    queue,
    unavailable,
    lookup_url: url,
    lookup_timeout_ms: timeoutMs,
  }: RoutingValues,
  stored: NumberRoutingResponse,
  isDirty: (name: keyof RoutingValues) => boolean,
): UpdateNumberRoutingRequest {
  const weekly = weeklyOf(hours.weekly, stored.hours?.weekly);
  const isHoursDirty = isDirty('isAlwaysOpen') || (!isAlwaysOpen && isDirty('hours'));
  const isLookupDirty = isDirty('lookup_url') || isDirty('lookup_timeout_ms');
  return {
    ...(isHoursDirty && {
      hours: isAlwaysOpen ? null : { ...hours, weekly, closed_dates: [...hours.closed_dates] },
    }),
    // Without hours no call meets this action, and the form does not show it.
    ...(!isAlwaysOpen && isDirty('closed') && { closed: branchOf(closed) }),
    ...((isDirty('hasQueue') || (hasQueue && isDirty('queue'))) && {
      queue: hasQueue ? queue : null,
    }),
    ...(isDirty('unavailable') && { unavailable: branchOf(unavailable) }),
    // Without an address the API forgets the time.
    ...(isLookupDirty && { lookup_url: url, ...(url !== null && { lookup_timeout_ms: timeoutMs }) }),
  };
}

function branchValuesOf({
  action,
  assistant_id: id,
  phone_number: phone,
  text,
}: BranchActionResponse): BranchValues {
  return { action, assistant_id: id ?? null, phone_number: phone ?? null, text: text ?? null };
}

function branchOf(values: BranchValues): BranchActionRequest {
  const parameter = PARAMETERS[values.action];
  return { action: values.action, ...(parameter && { [parameter]: values[parameter] }) };
}

function branchSchemaOf({ action }: BranchValues): Schema {
  const parameter = PARAMETERS[action];
  return parameter
    ? { properties: { [parameter]: PARAMETER_SCHEMAS[parameter] }, required: [parameter] }
    : {};
}
