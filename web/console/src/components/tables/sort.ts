/** What sorts a column: the rows of the page by a value, or the server by the values of its parameter. */
export type SortedBy<Row> =
  ((row: Row) => string | number) | { readonly asc?: string; readonly desc?: string };

export interface SortedColumn<Row> {
  readonly key: string;
  readonly sort?: SortedBy<Row>;
}

type Direction = 'asc' | 'desc';

/** What the URL says of a column that is sorted in each direction. */
export function ordersOf<Row>({ key, sort }: SortedColumn<Row>): { asc?: string; desc?: string } {
  if (sort === undefined) return {};
  return typeof sort === 'function' ? { asc: key, desc: `-${key}` } : sort;
}

/** In which direction a column is sorted; null when another one is. */
export function directionOf<Row>(column: SortedColumn<Row>, order: string | undefined): Direction | null {
  const { asc, desc } = ordersOf(column);
  if (order === undefined) return null;
  if (order === asc) return 'asc';
  return order === desc ? 'desc' : null;
}

/** After a click on the head of a column: the other direction, or its first one. Undefined without any. */
export function nextOrder<Row>(column: SortedColumn<Row>, order: string | undefined): string | undefined {
  const { asc, desc } = ordersOf(column);
  const direction = directionOf(column, order);
  if (direction === 'asc') return desc;
  return direction === 'desc' ? asc : (asc ?? desc);
}

/** The rows in the order of a column that is sorted on the page; otherwise as they are. */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly SortedColumn<Row>[],
  order: string | undefined,
  language: string,
): readonly Row[] {
  const column = columns.find((each) => directionOf(each, order) !== null);
  const { sort } = column ?? {};
  if (!column || typeof sort !== 'function') return rows;
  const { compare } = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  const sign = directionOf(column, order) === 'asc' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [a, b] = [sort(one), sort(other)];
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * compare(String(a), String(b));
  });
}

/** The order that the URL names, for `validateSearch`. Unknown ones are dropped. */
export function sortFrom<Order extends string>(
  { sort }: Record<string, unknown>,
  known: readonly Order[],
): { sort?: Order } {
  const found = known.find((order) => order === sort);
  return found === undefined ? {} : { sort: found };
}

/** Both directions of columns that are sorted on the page. */
export function bothOf<Key extends string>(...keys: readonly Key[]): readonly (Key | `-${Key}`)[] {
  return keys.flatMap((key) => [key, `-${key}`] as const);
}
