import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NumberLookupResponse } from '#client/types.gen.js';
import { Dimmed } from '../../../components/dimmed.js';
import { Panel } from '../../../components/page/panel.js';
import { Loaded } from '../../../components/states/loaded.js';
import table from '../../../components/tables/data-table.module.css';
import { TableScroll } from '../../../components/tables/table-scroll.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import { useLookupWords } from './lookup/lookup-words.js';
import { lookupsQuery } from './queries.js';

/** What came of the last lookups of callers, tests included. */
export function LastLookups({ phoneNumberId }: { readonly phoneNumberId: number }) {
  const { lookup: t } = useTexts('numberRouting');
  const query = useQuery(lookupsQuery(phoneNumberId));
  return (
    <Panel flush title={t.last.title}>
      <Loaded query={query} lines={3}>
        {(lookups) =>
          lookups.length === 0 ? <Dimmed p="lg">{t.last.none}</Dimmed> : <LookupTable lookups={lookups} />
        }
      </Loaded>
    </Panel>
  );
}

function LookupTable({ lookups }: { readonly lookups: readonly NumberLookupResponse[] }) {
  const { lookup: t } = useTexts('numberRouting');
  return (
    <TableScroll name={t.last.title}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t.last.when}</th>
            <th scope="col">{t.result}</th>
            <th scope="col" className={table.number}>
              {t.httpStatus}
            </th>
            <th scope="col" className={table.number}>
              {t.wait}
            </th>
            <th scope="col" className={table.number}>
              {t.last.call}
            </th>
          </tr>
        </thead>
        <tbody>
          {lookups.map((lookup, index) => (
            <Row key={`${lookup.at} ${index}`} lookup={lookup} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function Row({ lookup }: { readonly lookup: NumberLookupResponse }) {
  const format = useFormat();
  const words = useLookupWords();
  const { at, call_id: call, http_status: status } = lookup;
  return (
    <tr>
      <td>{format.dateTime(at)}</td>
      <td className={table.wrap}>{words.result(lookup)}</td>
      <td className={table.number}>{status ?? '–'}</td>
      <td className={table.number}>{words.wait(lookup)}</td>
      <td className={table.number}>
        {call === null ? (
          '–'
        ) : (
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/calls/$id" params={{ id: String(call) }} {...props} />}
          >
            {call}
          </Anchor>
        )}
      </td>
    </tr>
  );
}
