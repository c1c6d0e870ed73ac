import { ActionIcon } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteDoNotCall } from '#client/sdk.gen.js';
import type { DoNotCallResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import type { Selection } from '../../components/tables/use-selection.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

interface Props {
  readonly entries: readonly DoNotCallResponse[];
  readonly selection: Selection | undefined;
}

export function EntryTable({ entries, selection }: Props) {
  const t = useTexts('doNotCall');
  const format = useFormat();
  const [removing, setRemoving] = useState<DoNotCallResponse | null>(null);
  const columns: readonly Column<DoNotCallResponse>[] = [
    {
      key: 'number',
      head: t.columns.number,
      cell: ({ phone_number }) => <span className="tabular">{phone_number}</span>,
      sort: { asc: 'number' },
    },
    { key: 'reason', head: t.columns.reason, kind: 'text', cell: ({ reason }) => reason ?? '–' },
    {
      key: 'added',
      head: t.columns.added,
      cell: (entry) => format.dateTime(entry.created_at),
      sort: { asc: 'oldest', desc: 'newest' },
    },
    {
      key: 'actions',
      head: t.columns.actions,
      kind: 'number',
      cell: (entry) => (
        <IfAllowed scope="calls">
          <ActionIcon aria-label={t.remove(entry.phone_number)} onClick={() => setRemoving(entry)}>
            <Trash2 size={16} />
          </ActionIcon>
        </IfAllowed>
      ),
    },
  ];
  return (
    <>
      <DataTable
        name={t.title}
        columns={columns}
        rows={entries}
        keyOf={({ id }) => id}
        initial="newest"
        selection={selection}
        rowName={({ phone_number }) => phone_number}
      />
      <RemoveEntry entry={removing} onClose={() => setRemoving(null)} />
    </>
  );
}

interface RemoveProps {
  readonly entry: DoNotCallResponse | null;
  readonly onClose: () => void;
}

function RemoveEntry({ entry, onClose }: RemoveProps) {
  const t = useTexts('doNotCall');
  const remove = useMutation({
    mutationFn: (id: number) => dataOf(deleteDoNotCall, { path: { id } }),
    meta: { changes: [['do-not-call']] },
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      opened={entry !== null}
      onClose={onClose}
      title={t.removeTitle}
      action={t.removeAction}
      mutation={{ ...remove, mutate: () => entry && remove.mutate(entry.id) }}
    >
      {t.removeQuestion(entry?.phone_number ?? '')}
    </ConfirmDialog>
  );
}
