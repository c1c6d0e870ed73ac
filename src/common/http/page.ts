import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { originOf } from './requests/current-origin.js';
import { IntegerQuery } from './fields.js';

/** Which page of a list, 1-based. */
export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

/** One page of rows with the exact number of all of them. */
export interface PageOf<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** By when rows were made. */
export const AGE_SORTS = ['newest', 'oldest'] as const;
export type AgeSort = (typeof AGE_SORTS)[number];

const MAX_PAGE = 2_000_000_000;

/** Query of a paged list; extend it with the filters. */
export class PageQuery {
  @IntegerQuery({ min: 1, max: 100, default: 15, description: 'Rows of a page, 1 to 100' })
  declare per_page?: number;

  @IntegerQuery({ min: 1, max: MAX_PAGE, default: 1, description: 'Number of the page, from 1' })
  declare page?: number;
}

export function pageRequestOf(query: PageQuery, defaultPerPage = 15): PageRequest {
  return { page: query.page ?? 1, perPage: query.per_page ?? defaultPerPage };
}

interface PageLink {
  readonly url: string | null;
  readonly label: string;
  readonly active: boolean;
}

/** The page object of the customer's document. */
export interface PageResponse<T> {
  readonly current_page: number;
  readonly data: readonly T[];
  readonly first_page_url: string;
  readonly from: number | null;
  readonly last_page: number;
  readonly last_page_url: string;
  readonly links: readonly PageLink[];
  readonly next_page_url: string | null;
  readonly path: string;
  readonly per_page: number;
  readonly prev_page_url: string | null;
  readonly to: number | null;
  readonly total: number;
}

/** Address of the list as the caller sees it, with its query; what page URLs are made of. */
export class PageAddress {
  readonly path: string;
  private readonly beforePage: string;
  private readonly afterPage: string;

  constructor(origin: string, pathname: string, query: URLSearchParams) {
    this.path = `${origin}${pathname}`;
    const places = new URLSearchParams(query);
    places.set('page', '');
    // A page object has a score of addresses that differ in this number alone.
    const [before = '', after = ''] = `?${places.toString()}`.split(/(?<=[?&]page=)(?=&|$)/);
    this.beforePage = `${this.path}${before}`;
    this.afterPage = after;
  }

  url(page: number): string {
    return `${this.beforePage}${page}${this.afterPage}`;
  }
}

/** Injects the {@link PageAddress} of the current request. */
export const CurrentAddress = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<Request>();
  const url = new URL(request.originalUrl, 'http://localhost');
  return new PageAddress(originOf(request), url.pathname, url.searchParams);
});

/** The short page object: without addresses of other pages. */
export function toShortPage<Row, Item>(
  { rows, total }: PageOf<Row>,
  { page, perPage }: PageRequest,
  toItem: (row: Row) => Item,
) {
  return { data: rows.map((row) => toItem(row)), current_page: page, per_page: perPage, total };
}

/** Laravel's page object: window of links around the current page, query kept in every URL. */
export function toPageResponse<Row, Item>(
  { rows, total }: PageOf<Row>,
  { page, perPage }: PageRequest,
  address: PageAddress,
  toItem: (row: Row) => Item,
): PageResponse<Item> {
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const first = (page - 1) * perPage + 1;
  const urlOrNull = (target: number) => (target >= 1 && target <= lastPage ? address.url(target) : null);
  const next = page < lastPage ? address.url(page + 1) : null;
  const previous = page > 1 ? address.url(page - 1) : null;
  return {
    current_page: page,
    data: rows.map((row) => toItem(row)),
    first_page_url: address.url(1),
    from: rows.length > 0 ? first : null,
    last_page: lastPage,
    last_page_url: address.url(lastPage),
    links: [
      { url: previous, label: '&laquo; Previous', active: false },
      ...pageWindow(page, lastPage).map((target) =>
        target === null
          ? { url: null, label: '...', active: false }
          : { url: urlOrNull(target), label: String(target), active: target === page },
      ),
      { url: next, label: 'Next &raquo;', active: false },
    ],
    next_page_url: next,
    path: address.path,
    per_page: perPage,
    prev_page_url: previous,
    to: rows.length > 0 ? first + rows.length - 1 : null,
    total,
  };
}

const EACH_SIDE = 3;
const EDGE = 2;

/** Numbers of the pages to link, null for a gap: both edges and a few pages on each side of the current one. */
function pageWindow(page: number, lastPage: number): (number | null)[] {
  const range = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  const slots = EACH_SIDE * 2 + EDGE * 2 + 4;
  if (lastPage < slots) return range(1, lastPage);
  const nearStart = page <= EACH_SIDE + 4;
  const nearEnd = page > lastPage - (EACH_SIDE + 4);
  const run = EACH_SIDE * 2 + EDGE + 2;
  if (nearStart) return [...range(1, run), null, ...range(lastPage - EDGE + 1, lastPage)];
  if (nearEnd) return [...range(1, EDGE), null, ...range(lastPage - run + 1, lastPage)];
  return [
    ...range(1, EDGE),
    null,
    ...range(page - EACH_SIDE, page + EACH_SIDE),
    null,
    ...range(lastPage - EDGE + 1, lastPage),
  ];
}
