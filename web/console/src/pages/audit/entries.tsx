import { Badge, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listApiKeys } from '#client/sdk.gen.js';
import type { AuditLogEntryResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import table from '../../components/tables/list-table.module.css';
import { ownText } from '../../texts/own-text.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

const FIRST_REFUSAL = 400;

export function Entries({ entries }: { readonly entries: readonly AuditLogEntryResponse[] }) {
  const t = useTexts('audit');
  const format = useFormat();
  const whoIs = useNames();
  return (
    <div className={table.scroll} role="region" aria-label={t.title} tabIndex={0}>
      <Table className={table.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.columns.what}</Table.Th>
            <Table.Th className={table.wideOnly}>{t.columns.who}</Table.Th>
            <Table.Th className={table.wideOnly}>{t.columns.from}</Table.Th>
            <Table.Th className={table.wideOnly}>{t.columns.outcome}</Table.Th>
            <Table.Th>{t.columns.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.id}>
              <Table.Td>
                <What entry={entry} who={whoIs(entry)} />
              </Table.Td>
              <Table.Td className={`${table.wideOnly} ${table.second}`}>{whoIs(entry)}</Table.Td>
              <Table.Td className={`${table.wideOnly} tabular`}>
                <Text size="sm" c="dimmed">
                  {entry.network ?? '–'}
                </Text>
              </Table.Td>
              <Table.Td className={table.wideOnly}>
                <Outcome status={entry.status} />
              </Table.Td>
              <Table.Td>
                <Text size="sm" c="dimmed" className="tabular">
                  {format.dateTime(entry.created_at)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface WhatProps {
  readonly entry: AuditLogEntryResponse;
  readonly who: string;
}

function What({ entry: { action, reason, resource_id: id, status }, who }: WhatProps) {
  const t = useTexts('audit');
  return (
    <>
      <Text fw={500} className={table.second}>
        {ownText(t.actions, action)}
      </Text>
      {reason !== null && (
        <Text size="xs" c="dimmed" className={table.second}>
          {t.reasons[reason]}
        </Text>
      )}
      {id !== null && (
        <Text size="xs" c="dimmed" className={table.second}>
          {t.resource(id)}
        </Text>
      )}
      {/* On a narrow screen their columns are not there. */}
      <Text size="xs" c="dimmed" className={`${table.second} ${table.narrowOnly}`}>
        {who}
      </Text>
      {status !== null && status >= FIRST_REFUSAL && (
        <Text size="xs" c="red" className={table.narrowOnly}>
          {t.refused} ({status})
        </Text>
      )}
    </>
  );
}

function Outcome({ status }: Pick<AuditLogEntryResponse, 'status'>) {
  const t = useTexts('audit');
  if (status === null) return <Badge color="gray">{t.unknown}</Badge>;
  if (status < FIRST_REFUSAL) return <Badge color="green">{t.done}</Badge>;
  return (
    <Badge color="red">
      {t.refused} ({status})
    </Badge>
  );
}

/** The actor: a member, the owner of the account, or a program with a key. */
function useNames(): (entry: AuditLogEntryResponse) => string {
  const t = useTexts('audit');
  const { data: keys } = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => dataOf(listApiKeys({ signal, throwOnError: true })),
  });
  return ({ via, token_id: id, member_id: memberId, member_name: name }) => {
    if (via === 'platform') return t.platform;
    if (via === 'operator') return t.operator;
    if (via === 'api-key') return t.key(keys?.api_keys.find((key) => key.id === id)?.name ?? `#${id}`);
    if (memberId === null) return t.owner;
    return name ?? t.removed(memberId);
  };
}
