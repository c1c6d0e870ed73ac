export const STATUSES = ['pending', 'delivered', 'failed'] as const;
export const KINDS = [
  'post-call',
  'inbound',
  'conversation-ended',
  'limit-reached',
  'call.started',
  'call.status-changed',
  'call.ended',
  'conversation.message-created',
  'campaign.completed',
  'limit.reached',
  'webhook.test',
] as const;

export interface Filters {
  readonly status?: (typeof STATUSES)[number] | undefined;
  readonly kind?: (typeof KINDS)[number] | undefined;
  /** Of this endpoint of the account alone. */
  readonly endpoint?: number | undefined;
  readonly page?: number;
  /** Shown in the drawer. */
  readonly delivery?: number;
}

export function filtersOf({ status, kind, endpoint, page, delivery }: Record<string, unknown>): Filters {
  const knownStatus = STATUSES.find((one) => one === status);
  const knownKind = KINDS.find((one) => one === kind);
  return {
    ...(knownStatus && { status: knownStatus }),
    ...(knownKind && { kind: knownKind }),
    ...(typeof endpoint === 'number' && { endpoint }),
    ...(typeof page === 'number' && page > 1 && { page }),
    ...(typeof delivery === 'number' && { delivery }),
  };
}
