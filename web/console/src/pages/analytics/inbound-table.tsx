import type { InboundGroupResponse } from '#client/types.gen.js';
import { CardLabel } from '../../components/tables/card-label.js';
import table from '../../components/tables/data-table.module.css';
import { TableScroll } from '../../components/tables/table-scroll.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { useWaitWords } from './use-wait-words.js';

interface Props {
  readonly groups: readonly InboundGroupResponse[];
  readonly hasWaits: boolean;
}

/** Calls of each number, the most called one first. */
export function InboundTable({ groups, hasWaits }: Props) {
  const { inbound: t, measures } = useTexts('analytics');
  return (
    <TableScroll name={t.title}>
      <table className={table.table} data-cards>
        <thead>
          <tr>
            <th scope="col">{t.number}</th>
            <th scope="col" className={table.number}>
              {measures.calls}
            </th>
            <th scope="col" className={table.number}>
              {t.missed}
            </th>
            {hasWaits && (
              <>
                <th scope="col" className={table.number}>
                  {t.waits.median}
                </th>
                <th scope="col" className={table.number}>
                  {t.waits.abandoned}
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Row key={group.phone_number} group={group} hasWaits={hasWaits} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

interface RowProps {
  readonly group: InboundGroupResponse;
  readonly hasWaits: boolean;
}

function Row({ group, hasWaits }: RowProps) {
  const { inbound: t, measures } = useTexts('analytics');
  const format = useFormat();
  const words = useWaitWords();
  const { median, abandoned } = words(group);
  return (
    <tr>
      <td className="tabular">{group.phone_number || '–'}</td>
      <td className={table.number}>
        <CardLabel>{measures.calls}</CardLabel>
        {format.number(group.count)}
      </td>
      <td className={table.number}>
        <CardLabel>{t.missed}</CardLabel>
        {format.number(group.turned_away)}
      </td>
      {hasWaits && (
        <>
          <td className={table.number}>
            <CardLabel>{t.waits.median}</CardLabel>
            {median}
          </td>
          <td className={table.number}>
            <CardLabel>{t.waits.abandoned}</CardLabel>
            {abandoned}
          </td>
        </>
      )}
    </tr>
  );
}
