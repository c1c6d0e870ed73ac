export interface AuditFilters {
  /** Id of an operation of the API, or a command of the operator. */
  readonly action?: string;
  /** First and last day, `YYYY-MM-DD`. */
  readonly from?: string;
  readonly to?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const OPERATION = /^[\w.-]{1,100}$/;

export function filtersOf({ action, from, to }: Record<string, unknown>): AuditFilters {
  return {
    ...(typeof action === 'string' && OPERATION.test(action) && { action }),
    ...(typeof from === 'string' && DAY.test(from) && { from }),
    ...(typeof to === 'string' && DAY.test(to) && { to }),
  };
}
