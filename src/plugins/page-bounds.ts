import type { PageRequest } from '../common/http/page.js';

const MAX_PER_PAGE = 100;

/** @throws RangeError for a page before the first, and for more than 100 rows */
export function refuseUnbounded({ page, perPage }: PageRequest): void {
  const isPage = Number.isInteger(page) && page >= 1;
  const isBounded = Number.isInteger(perPage) && perPage >= 1 && perPage <= MAX_PER_PAGE;
  if (isPage && isBounded) return;
  throw new RangeError(
    `There is no page ${page} of ${perPage} rows: ask for page 1 or later, of 1 to ${MAX_PER_PAGE} rows.`,
  );
}
