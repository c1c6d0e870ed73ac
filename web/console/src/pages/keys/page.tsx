import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteApiKey, listApiKeys } from '#client/sdk.gen.js';
import type { ApiKeyResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { CardLabel } from '../../components/tables/card-label.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
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
    queryFn: ({ signal }) => dataOf(listApiKeys, { signal }),
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
  const columns: readonly Column<ApiKeyResponse>[] = [
    {
      key: 'name',
      head: t.columns.name,
      kind: 'text',
      cell: ({ name }) => name,
      sort: ({ name }) => name,
    },
    { key: 'may', head: t.columns.may, kind: 'text', cell: (key) => <KeyRights apiKey={key} /> },
    {
      key: 'created',
      head: t.columns.created,
      cell: (key) => (
        <>
          <CardLabel>{t.columns.created}</CardLabel>
          {format.dateTime(key.created_at)}
        </>
      ),
      sort: (key) => key.created_at,
    },
    {
      key: 'used',
      head: t.columns.used,
      cell: (key) => (
        <>
          <CardLabel>{t.columns.used}</CardLabel>
          {key.last_used_at ? format.ago(key.last_used_at) : t.never}
        </>
      ),
      sort: (key) => key.last_used_at ?? '',
    },
    {
      key: 'actions',
      head: t.columns.actions,
      kind: 'number',
      cell: (key) => (
        <ActionIcon aria-label={t.delete(key.name)} onClick={() => setDeleting(key)}>
          <Trash2 size={16} />
        </ActionIcon>
      ),
    },
  ];
  return (
    <>
      <DataTable name={t.title} columns={columns} rows={keys} keyOf={({ id }) => id} />
      <DeleteKey apiKey={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

interface DeleteProps {
  readonly apiKey: ApiKeyResponse | null;
  readonly onClose: () => void;
}

function DeleteKey({ apiKey, onClose }: DeleteProps) {
  const t = useTexts('keys');
  const { actions } = useTexts('common');
  const remove = useMutation({
    mutationFn: (id: number) => dataOf(deleteApiKey, { path: { id } }),
    meta: { changes: [['api-keys']] },
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      onClose={onClose}
      title={t.deleteTitle}
      action={actions.delete}
      mutation={{ ...remove, mutate: () => apiKey && remove.mutate(apiKey.id) }}
    >
      {t.deleteQuestion(apiKey?.name ?? '')}
    </ConfirmDialog>
  );
}
