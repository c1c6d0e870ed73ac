export const STATUSES = ['pending', 'delivered', 'failed'] as const;
export interface Filters {
  readonly status?: (typeof STATUSES)[number] | undefined;
  /** Any name: plugins have their own events. */
  readonly kind?: string | undefined;
  /** Only deliveries of this endpoint. */
  readonly endpoint?: number | undefined;
  readonly page?: number;
  /** Shown in the drawer. */
  readonly delivery?: number;
}

export function filtersOf({ status, kind, endpoint, page, delivery }: Record<string, unknown>): Filters {
  const knownStatus = STATUSES.find((one) => one === status);
  return {
    ...(knownStatus && { status: knownStatus }),
    ...(typeof kind === 'string' && kind && { kind }),
    ...(typeof endpoint === 'number' && { endpoint }),
    ...(typeof page === 'number' && page > 1 && { page }),
    ...(typeof delivery === 'number' && { delivery }),
  };
}
