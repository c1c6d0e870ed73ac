import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Bot, Plus, Search } from 'lucide-react';
import type { AssistantResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { assistantsQuery, useSpokenLanguages } from '../../catalog/queries.js';
import { SearchInput } from '../../components/inputs/search-input.js';
import { ListPage } from '../../components/page/list-page.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import table from '../../components/tables/data-table.module.css';
import list from '../../components/tables/list-filters.module.css';
import { IfAllowed } from '../../components/if-allowed.js';
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
    <>
      <ListPage texts={t} icon={Bot} query={assistants} actions={add}>
        {(all) => <Assistants all={all} />}
      </ListPage>
      <CreateDialog opened={isCreating} onClose={() => show(false)} />
    </>
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
      <div className={list.filters}>
        <SearchInput
          className={list.search}
          aria-label={t.search}
          placeholder={t.search}
          leftSection={<Search size={16} />}
          value={q}
          onChange={search}
        />
        <Folders chosen={folder} total={all.length} />
      </div>
      <Panel flush>
        {shown.length === 0 ? (
          <EmptyState
            icon={Search}
            title={t.none.filtered}
            action={
              <Button
                variant="default"
                onClick={() => void navigate({ search: ({ sort }) => (sort ? { sort } : {}) })}
              >
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
  const languageOf = ({ language_id: id, language }: AssistantResponse) =>
    languages?.find((known) => known.id === id)?.name ?? language;
  const columns: readonly Column<AssistantResponse>[] = [
    {
      key: 'name',
      head: t.columns.name,
      kind: 'text',
      cell: ({ id, name, initial_message }) => (
        <>
          <Link to="/assistants/$id" params={{ id: String(id) }} className={table.rowLink}>
            {name}
          </Link>
          <Dimmed lineClamp={1} className={table.second}>
            {initial_message}
          </Dimmed>
        </>
      ),
      sort: ({ name }) => name,
    },
    {
      key: 'status',
      head: t.columns.status,
      cell: (assistant) => <StatusBadge assistant={assistant} />,
      sort: ({ status }) => status,
    },
    {
      key: 'type',
      head: t.columns.type,
      isWideOnly: true,
      cell: ({ type }) => t.type[type],
      sort: ({ type }) => t.type[type],
    },
    {
      key: 'language',
      head: t.columns.language,
      isWideOnly: true,
      cell: languageOf,
      sort: (assistant) => languageOf(assistant) ?? '',
    },
    {
      key: 'updated',
      head: t.columns.updated,
      isWideOnly: true,
      cell: ({ updated_at }) => <Dimmed>{format.ago(updated_at)}</Dimmed>,
      sort: ({ updated_at }) => updated_at,
    },
  ];
  return <DataTable name={t.title} columns={columns} rows={assistants} keyOf={({ id }) => id} isLinked />;
}
