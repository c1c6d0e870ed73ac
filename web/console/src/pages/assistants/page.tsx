import '@mantine/core/styles/Table.layer.css';
import { Button, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Bot, Plus, Search } from 'lucide-react';
import type { AssistantResponse } from '#client/types.gen.js';
import { assistantsQuery, useSpokenLanguages } from '../../catalog/queries.js';
import { EmptyState } from '../../components/states/empty-state.js';
import table from '../../components/tables/list-table.module.css';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { CreateDialog } from './create-dialog.js';
import { Folders } from './folders.js';
import { ImportButton } from './transfer/import-button.js';
import { StatusBadge } from './status-badge.js';

const route = getRouteApi('/shell/assistants');

export function AssistantsPage() {
  const t = useTexts('assistants');
  const assistants = useQuery(assistantsQuery);
  const { new: isCreating = false } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (isOpen: boolean) =>
    void navigate({ search: (old) => ({ ...old, new: isOpen || undefined }), replace: true });
  const add = (
    <IfAllowed scope="admin">
      <ImportButton />
      <Button leftSection={<Plus size={16} />} onClick={() => show(true)}>
        {t.add}
      </Button>
    </IfAllowed>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <Loaded query={assistants}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Bot} title={t.none.title} action={add}>
              {t.none.text}
            </EmptyState>
          ) : (
            <Assistants all={all} />
          )
        }
      </Loaded>
      <CreateDialog opened={isCreating} onClose={() => show(false)} />
    </Page>
  );
}

function Assistants({ all }: { readonly all: readonly AssistantResponse[] }) {
  const t = useTexts('assistants');
  const { q = '', folder } = route.useSearch();
  const navigate = route.useNavigate();
  const words = q.trim().toLowerCase();
  const shown = all.filter(
    ({ name, folder_id: folderId }) =>
      name.toLowerCase().includes(words) && (folder === undefined || folderId === folder),
  );
  const search = (next: string) =>
    void navigate({ search: (old) => ({ ...old, q: next || undefined }), replace: true });
  return (
    <>
      <div className={table.filters}>
        <TextInput
          className={table.search}
          aria-label={t.search}
          placeholder={t.search}
          leftSection={<Search size={16} />}
          value={q}
          onChange={(event) => search(event.currentTarget.value)}
        />
        <Folders chosen={folder} total={all.length} />
      </div>
      <Panel flush>
        {shown.length === 0 ? (
          <EmptyState
            icon={Search}
            title={t.none.filtered}
            action={
              <Button variant="default" onClick={() => void navigate({ search: {} })}>
                {t.none.clear}
              </Button>
            }
          />
        ) : (
          <Rows assistants={shown} />
        )}
      </Panel>
    </>
  );
}

function Rows({ assistants }: { readonly assistants: readonly AssistantResponse[] }) {
  const t = useTexts('assistants');
  const format = useFormat();
  const languages = useSpokenLanguages();
  return (
    <div className={table.scroll}>
      <Table className={table.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.columns.name}</Table.Th>
            <Table.Th>{t.columns.status}</Table.Th>
            <Table.Th className={table.wideOnly}>{t.columns.type}</Table.Th>
            <Table.Th className={table.wideOnly}>{t.columns.language}</Table.Th>
            <Table.Th className={table.wideOnly}>{t.columns.updated}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {assistants.map((assistant) => (
            <Table.Tr key={assistant.id} className={table.row}>
              <Table.Td>
                <Link to="/assistants/$id" params={{ id: String(assistant.id) }} className={table.rowLink}>
                  {assistant.name}
                </Link>
                <Text size="sm" c="dimmed" lineClamp={1} className={table.second}>
                  {assistant.initial_message}
                </Text>
              </Table.Td>
              <Table.Td>
                <StatusBadge assistant={assistant} />
              </Table.Td>
              <Table.Td className={table.wideOnly}>{t.type[assistant.type]}</Table.Td>
              <Table.Td className={table.wideOnly}>
                {languages?.find(({ id }) => id === assistant.language_id)?.name ?? assistant.language}
              </Table.Td>
              <Table.Td className={table.wideOnly}>
                <Text size="sm" c="dimmed">
                  {format.ago(assistant.updated_at)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
