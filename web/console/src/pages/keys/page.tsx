import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteApiKey, listApiKeys } from '#client/sdk.gen.js';
import type { ApiKeyResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Confirm } from '../../components/actions/confirm.js';
import { CardLabel } from '../../components/tables/card-label.js';
import table from '../../components/tables/data-table.module.css';
import { TableScroll } from '../../components/tables/table-scroll.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { Loaded } from '../../components/states/loaded.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { KeyRights } from './key-rights.js';
import { NewKey } from './new-key.js';

export function KeysPage() {
  const t = useTexts('keys');
  const [isCreating, creating] = useDisclosure(false);
  const query = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => dataOf(listApiKeys({ signal, throwOnError: true })),
  });
  const create = (
    <Button leftSection={<Plus size={16} />} onClick={creating.open}>
      {t.create}
    </Button>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={create}>
      <Panel flush>
        <Loaded query={query}>
          {({ api_keys }) =>
            api_keys.length === 0 ? (
              <EmptyState icon={KeyRound} title={t.empty.title} action={create}>
                {t.empty.text}
              </EmptyState>
            ) : (
              <KeyTable keys={api_keys} />
            )
          }
        </Loaded>
      </Panel>
      <NewKey opened={isCreating} onClose={creating.close} />
    </Page>
  );
}

function KeyTable({ keys }: { readonly keys: readonly ApiKeyResponse[] }) {
  const t = useTexts('keys');
  const format = useFormat();
  const [deleting, setDeleting] = useState<ApiKeyResponse | null>(null);
  return (
    <TableScroll name={t.title}>
      <table className={table.table} data-cards>
        <thead>
          <tr>
            <th scope="col">{t.columns.name}</th>
            <th scope="col">{t.columns.may}</th>
            <th scope="col">{t.columns.created}</th>
            <th scope="col">{t.columns.used}</th>
            <th scope="col" className={table.number}>
              {t.columns.actions}
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <td className={table.wrap}>{key.name}</td>
              <td className={table.wrap}>
                <KeyRights apiKey={key} />
              </td>
              <td>
                <CardLabel>{t.columns.created}</CardLabel>
                {format.dateTime(key.created_at)}
              </td>
              <td>
                <CardLabel>{t.columns.used}</CardLabel>
                {key.last_used_at ? format.ago(key.last_used_at) : t.never}
              </td>
              <td className={table.number}>
                <ActionIcon aria-label={t.delete(key.name)} onClick={() => setDeleting(key)}>
                  <Trash2 size={16} />
                </ActionIcon>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <DeleteKey apiKey={deleting} onClose={() => setDeleting(null)} />
    </TableScroll>
  );
}

interface DeleteProps {
  readonly apiKey: ApiKeyResponse | null;
  readonly onClose: () => void;
}

function DeleteKey({ apiKey, onClose }: DeleteProps) {
  const t = useTexts('keys');
  const { actions } = useTexts('common');
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (id: number) => dataOf(deleteApiKey({ path: { id }, throwOnError: true })),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ['api-keys'] });
    },
  });
  return (
    <Confirm
      opened={apiKey !== null}
      title={t.deleteTitle}
      question={t.deleteQuestion(apiKey?.name ?? '')}
      action={actions.delete}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => apiKey && remove.mutate(apiKey.id)}
      onClose={onClose}
    />
  );
}
