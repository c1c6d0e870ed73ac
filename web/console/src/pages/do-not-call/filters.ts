import type { ListDoNotCallData } from '#client/types.gen.js';

/** Which part of the list is shown, kept in the URL. */
export interface DoNotCallFilters {
  readonly page?: number;
  readonly phone?: string;
}

export function doNotCallFiltersFrom({ page, phone }: Record<string, unknown>): DoNotCallFilters {
  // The router parses digits as a number.
  const number = typeof phone === 'number' || typeof phone === 'string' ? `${phone}` : '';
  return {
    ...(Number.isSafeInteger(page) && Number(page) > 0 && { page: Number(page) }),
    ...(number !== '' && { phone: number }),
  };
}

export function toQuery({ page, phone }: DoNotCallFilters): NonNullable<ListDoNotCallData['query']> {
  return { per_page: 25, ...(page && { page }), ...(phone && { phone_number: phone }) };
}
