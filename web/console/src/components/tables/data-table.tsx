import { NativeSelect, VisuallyHidden } from '@mantine/core';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLanguage, useTexts } from '../../texts/texts.js';
import table from './data-table.module.css';
import { SelectAll, SelectRow } from './select-cells.js';
import { directionOf, nextOrder, ordersOf, sortedRows, type SortedBy } from './sort.js';
import { TableScroll } from './table-scroll.js';
import { useOrder } from './use-order.js';
import type { Key, Selection } from './use-selection.js';

export interface Column<Row> {
  readonly key: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** `text` may wrap; `number` is aligned to the right. Other values stay in one line. */
  readonly kind?: 'text' | 'number';
  /** Left out of the cards of narrow screens. */
  readonly isWideOnly?: boolean;
  readonly sort?: SortedBy<Row>;
  /** The head is read by screen readers alone. */
  readonly isHeadHidden?: boolean;
}

interface Props<Row> {
  /** Accessible name of the table. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => Key;
  /** The order of the rows as they are given, if it is that of a column. */
  readonly initial?: string;
  /** Rows with a link that covers them. */
  readonly isLinked?: boolean;
  /** How many are shown, from the first on. */
  readonly most?: number;
  readonly selection?: Selection | undefined;
  /** Names a row for people who select it. */
  readonly rowName?: (row: Row) => string;
}

/** A list: sorted by clicks on the heads, with rows that can be selected, as cards on narrow screens. */
export function DataTable<Row>(props: Props<Row>) {
  const { name, columns, rows, keyOf, initial, isLinked, most, selection, rowName } = props;
  const { language } = useLanguage();
  const { order, show } = useOrder(initial);
  const heads = columns.map((column) => ({
    column,
    direction: directionOf(column, order),
    turn: ordersOf(column).asc || ordersOf(column).desc ? () => show(nextOrder(column, order)) : null,
  }));
  return (
    <TableScroll name={name}>
      <CardTools columns={columns} order={order} selection={selection} onOrder={show} />
      <table className={table.table} data-cards>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={table.check}>
                <SelectAll selection={selection} />
              </th>
            )}
            {heads.map(({ column, direction, turn }) => (
              <th
                key={column.key}
                scope="col"
                className={classOf(column)}
                aria-sort={
                  direction ? ({ asc: 'ascending', desc: 'descending' } as const)[direction] : undefined
                }
              >
                {turn && <Head text={column.head} direction={direction} onTurn={turn} />}
                {!turn &&
                  (column.isHeadHidden ? <VisuallyHidden>{column.head}</VisuallyHidden> : column.head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sortedRows(rows, columns, order, language)
            .slice(0, most)
            .map((row) => (
              <tr
                key={keyOf(row)}
                data-link={isLinked || undefined}
                data-selected={selection?.has(keyOf(row)) || undefined}
              >
                {selection && (
                  <td className={table.check}>
                    <SelectRow id={keyOf(row)} name={rowName?.(row) ?? ''} selection={selection} />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.key} className={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

const CLASS_OF_KIND = { text: table.wrap, number: table.number };

function classOf<Row>({ kind, isWideOnly }: Column<Row>): string {
  return [kind && CLASS_OF_KIND[kind], isWideOnly && table.wideOnly].filter(Boolean).join(' ');
}

interface HeadProps {
  readonly text: string;
  readonly direction: 'asc' | 'desc' | null;
  readonly onTurn: () => void;
}

function Head({ text, direction, onTurn }: HeadProps) {
  const Icon = direction === null ? ArrowUpDown : { asc: ArrowUp, desc: ArrowDown }[direction];
  return (
    <>
      <button type="button" className={table.sort} data-sorted={direction ?? undefined} onClick={onTurn}>
        {text}
        <Icon size={13} aria-hidden="true" />
      </button>
      {/* Heads of cards are hidden, and must not be reached by keyboard. */}
      <span className={table.narrowOnly}>{text}</span>
    </>
  );
}

interface CardToolsProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly order: string | undefined;
  readonly selection: Selection | undefined;
  readonly onOrder: (order: string | undefined) => void;
}

/** What the heads do, for cards, which have none. */
function CardTools<Row>({ columns, order, selection, onOrder }: CardToolsProps<Row>) {
  const t = useTexts('common').table;
  const options = columns.flatMap((column) => {
    const { asc, desc } = ordersOf(column);
    return [
      ...(asc === undefined ? [] : [{ value: asc, label: t.ascending(column.head) }]),
      ...(desc === undefined ? [] : [{ value: desc, label: t.descending(column.head) }]),
    ];
  });
  const isNamed = options.some(({ value }) => value === order);
  if (options.length === 0 && !selection) return null;
  return (
    <div className={table.cardTools}>
      {selection && <SelectAll selection={selection} />}
      {options.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label={t.order}
          value={isNamed ? order : ''}
          data={[...(isNamed ? [] : [{ value: '', label: t.asListed }]), ...options]}
          onChange={({ currentTarget }) => onOrder(currentTarget.value || undefined)}
        />
      )}
    </div>
  );
}
