import { sortFrom } from '../../components/tables/sort.js';
import type { ListDoNotCallData } from '#client/types.gen.js';

/** Which part of the list is shown, kept in the URL. */
export interface DoNotCallFilters {
  readonly page?: number;
  readonly phone?: string;
  readonly sort?: 'oldest' | 'number';
}

export function doNotCallFiltersFrom(search: Record<string, unknown>): DoNotCallFilters {
  const { page, phone } = search;
  // The router parses digits as a number.
  const number = typeof phone === 'number' || typeof phone === 'string' ? `${phone}` : '';
  return {
    ...(Number.isSafeInteger(page) && Number(page) > 0 && { page: Number(page) }),
    ...(number !== '' && { phone: number }),
    ...sortFrom(search, ['oldest', 'number'] as const),
  };
}

export function toQuery({ page, phone, sort }: DoNotCallFilters): NonNullable<ListDoNotCallData['query']> {
  return {
    per_page: 25,
    ...(page && { page }),
    ...(phone && { phone_number: phone }),
    ...(sort && { sort }),
  };
}
