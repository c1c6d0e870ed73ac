import { Injectable } from '@nestjs/common';
import type { AgeSort, PageOf, PageRequest } from '../../../common/http/page.js';
import type { ExportPlace } from '../../../common/csv/bounded-exports.js';
import type { TokenSum } from '../../../common/figures/token-sum.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import {
  type CallFilter,
  isOfFewCalls,
  type ListedCall,
  placeStatement,
  rowsAfterStatement,
  rowsStatement,
  rowsWithTotalStatement,
  type Statement,
} from './call-list.statements.js';
import { endOf } from './call-periods.js';

/** A call as files show it, with its position in the list. */
export type ExportedCall = ListedCall & TokenSum & { readonly place: string };

export interface CallPageRequest extends PageRequest {
  /** The newest come first by default. */
  readonly sort?: AgeSort | undefined;
}

/** Of a page that is far down; without a day when there are not so many calls. */
type Place = { readonly total: number } & (
  { readonly day: string; readonly skip: number } | { readonly day: null; readonly skip: null }
);

/** Up to here, skipping rows costs less than finding the day to begin with. */
const SEEK_FROM_OFFSET = 1_000;

/** A page of calls and their exact number, at a cost that does not grow with how many there are. */
@Injectable()
export class CallListRepository {
  constructor(private readonly database: Database) {}

  page(
    userId: number,
    filter: CallFilter,
    { page, perPage, sort }: CallPageRequest,
  ): Promise<PageOf<ListedCall>> {
    const offset = (page - 1) * perPage;
    if (sort === 'oldest') {
      return this.database.runReadOnly((tx) => this.oldestPage(userId, filter, perPage, offset, tx));
    }
    return isNear(filter, offset)
      ? this.nearPage(userId, filter, perPage, offset)
      : this.database.runReadOnly((tx) => this.farPage(userId, filter, perPage, offset, tx));
  }

  /** The next calls of a list that is read to its end, independent of later additions. */
  after(
    userId: number,
    filter: CallFilter,
    place: ExportPlace | null,
    limit: number,
  ): Promise<ExportedCall[]> {
    return this.read<ExportedCall>(rowsAfterStatement(userId, filter, limit, place));
  }

  private async nearPage(
    userId: number,
    filter: CallFilter,
    limit: number,
    offset: number,
    tx?: Tx,
  ): Promise<PageOf<ListedCall>> {
    type Row = ListedCall & { readonly total: number };
    const rows = await this.read<Row>(rowsWithTotalStatement(userId, filter, limit, offset), tx);
    // Without calls there is one row, with the total alone.
    return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
  }

  /** The same calls counted from the end: a page of the oldest is a page of the newest, turned around. */
  private async oldestPage(
    userId: number,
    filter: CallFilter,
    limit: number,
    offset: number,
    tx: Tx,
  ): Promise<PageOf<ListedCall>> {
    const { total } = await this.nearPage(userId, filter, 1, 0, tx);
    const size = Math.min(limit, total - offset);
    if (size <= 0) return { rows: [], total };
    const newer = total - offset - size;
    const { rows } = isNear(filter, newer)
      ? await this.nearPage(userId, filter, size, newer, tx)
      : await this.farPage(userId, filter, size, newer, tx);
    return { rows: rows.toReversed(), total };
  }

  /** Finds the day by the counts, and skips only inside it. */
  private async farPage(
    userId: number,
    filter: CallFilter,
    limit: number,
    offset: number,
    tx: Tx,
  ): Promise<PageOf<ListedCall>> {
    const [place] = await this.read<Place>(placeStatement(userId, filter, offset), tx);
    if (!place || place.day === null) return { rows: [], total: place?.total ?? 0 };
    const fromThere = { ...filter, before: endOf(place.day, filter) };
    const rows = await this.read<ListedCall>(rowsStatement(userId, fromThere, limit, place.skip), tx);
    return { rows, total: place.total };
  }

  private read<Row>({ sql, parameters }: Statement, tx?: Tx): Promise<Row[]> {
    return this.database.readPrepared<Row>(sql, parameters, tx);
  }
}

function isNear(filter: CallFilter, offset: number): boolean {
  return offset < SEEK_FROM_OFFSET || isOfFewCalls(filter);
}
