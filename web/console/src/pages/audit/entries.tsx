import { Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listApiKeys } from '#client/sdk.gen.js';
import type { AuditLogEntryResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import table from '../../components/tables/data-table.module.css';
import { ownText } from '../../texts/own-text.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

const FIRST_REFUSAL = 400;

export function Entries({ entries }: { readonly entries: readonly AuditLogEntryResponse[] }) {
  const t = useTexts('audit');
  const format = useFormat();
  const whoIs = useNames();
  const columns: readonly Column<AuditLogEntryResponse>[] = [
    {
      key: 'what',
      head: t.columns.what,
      kind: 'text',
      cell: (entry) => <What entry={entry} who={whoIs(entry)} />,
    },
    { key: 'who', head: t.columns.who, kind: 'text', isWideOnly: true, cell: whoIs },
    {
      key: 'from',
      head: t.columns.from,
      isWideOnly: true,
      cell: ({ network }) => <Dimmed className="tabular">{network ?? '–'}</Dimmed>,
    },
    {
      key: 'outcome',
      head: t.columns.outcome,
      isWideOnly: true,
      cell: ({ status }) => <Outcome status={status} />,
    },
    {
      key: 'when',
      head: t.columns.when,
      cell: (entry) => <Dimmed className="tabular">{format.dateTime(entry.created_at)}</Dimmed>,
    },
  ];
  return <DataTable name={t.title} columns={columns} rows={entries} keyOf={({ id }) => id} />;
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
    queryFn: ({ signal }) => dataOf(listApiKeys, { signal }),
  });
  return ({ via, token_id: id, member_id: memberId, member_name: name }) => {
    if (via === 'platform') return t.platform;
    if (via === 'operator') return t.operator;
    if (via === 'api-key') return t.key(keys?.api_keys.find((key) => key.id === id)?.name ?? `#${id}`);
    if (memberId === null) return t.owner;
    return name ?? t.removed(memberId);
  };
}
