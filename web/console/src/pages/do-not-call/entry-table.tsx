import { ActionIcon } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteDoNotCall } from '#client/sdk.gen.js';
import type { DoNotCallResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Confirm } from '../../components/actions/confirm.js';
import { IfAllowed } from '../../components/if-allowed.js';
import table from '../../components/tables/data-table.module.css';
import { TableScroll } from '../../components/tables/table-scroll.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

export function EntryTable({ entries }: { readonly entries: readonly DoNotCallResponse[] }) {
  const t = useTexts('doNotCall');
  const format = useFormat();
  const [removing, setRemoving] = useState<DoNotCallResponse | null>(null);
  return (
    <TableScroll name={t.title}>
      <table className={table.table} data-cards>
        <thead>
          <tr>
            <th scope="col">{t.columns.number}</th>
            <th scope="col">{t.columns.reason}</th>
            <th scope="col">{t.columns.added}</th>
            <th scope="col" className={table.number}>
              {t.columns.actions}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="tabular">{entry.phone_number}</td>
              <td className={table.wrap}>{entry.reason ?? '–'}</td>
              <td>{format.dateTime(entry.created_at)}</td>
              <td className={table.number}>
                <IfAllowed scope="calls">
                  <ActionIcon aria-label={t.remove(entry.phone_number)} onClick={() => setRemoving(entry)}>
                    <Trash2 size={16} />
                  </ActionIcon>
                </IfAllowed>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <RemoveEntry entry={removing} onClose={() => setRemoving(null)} />
    </TableScroll>
  );
}

interface RemoveProps {
  readonly entry: DoNotCallResponse | null;
  readonly onClose: () => void;
}

function RemoveEntry({ entry, onClose }: RemoveProps) {
  const t = useTexts('doNotCall');
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (id: number) => dataOf(deleteDoNotCall({ path: { id }, throwOnError: true })),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ['do-not-call'] });
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <Confirm
      opened={entry !== null}
      title={t.removeTitle}
      question={t.removeQuestion(entry?.phone_number ?? '')}
      action={t.removeAction}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => entry && remove.mutate(entry.id)}
      onClose={close}
    />
  );
}
