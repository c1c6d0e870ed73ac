import { Badge, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BookOpen, Plus } from 'lucide-react';
import type { KnowledgebaseResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { knowledgebasesQuery } from '../../catalog/queries.js';
import { ListPage } from '../../components/page/list-page.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import table from '../../components/tables/data-table.module.css';
import { IfAllowed } from '../../components/if-allowed.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { BaseDialog } from './base-dialog.js';

const POLL_MS = 3_000;
const COLORS = { empty: 'gray', processing: 'iris', active: 'green', failed: 'red' } as const;

export function KnowledgePage() {
  const t = useTexts('knowledge');
  const bases = useQuery({
    ...knowledgebasesQuery,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'processing') ? POLL_MS : false,
  });
  const [isCreating, { open, close }] = useDisclosure(false);
  const add = (
    <IfAllowed scope="admin">
      <Button leftSection={<Plus size={16} />} onClick={open}>
        {t.add}
      </Button>
    </IfAllowed>
  );
  return (
    <>
      <ListPage texts={t} icon={BookOpen} query={bases} actions={add}>
        {(all) => (
          <Panel flush>
            <Bases bases={all} />
          </Panel>
        )}
      </ListPage>
      {isCreating && <BaseDialog onClose={close} />}
    </>
  );
}

function Bases({ bases }: { readonly bases: readonly KnowledgebaseResponse[] }) {
  const t = useTexts('knowledge');
  const format = useFormat();
  const columns: readonly Column<KnowledgebaseResponse>[] = [
    {
      key: 'name',
      head: t.columns.name,
      kind: 'text',
      cell: ({ id, name, description }) => (
        <>
          <Link to="/knowledge/$id" params={{ id: String(id) }} className={table.rowLink}>
            {name}
          </Link>
          <Dimmed lineClamp={1} className={table.second}>
            {description}
          </Dimmed>
        </>
      ),
      sort: ({ name }) => name,
    },
    {
      key: 'status',
      head: t.columns.status,
      cell: ({ status }) => <Badge color={COLORS[status]}>{t.status[status]}</Badge>,
      sort: ({ status }) => t.status[status],
    },
    {
      key: 'documents',
      head: t.columns.documents,
      kind: 'number',
      cell: (base) => format.number(base.documents_count),
      sort: (base) => base.documents_count,
    },
    {
      key: 'assistants',
      head: t.columns.assistants,
      kind: 'number',
      isWideOnly: true,
      cell: (base) => format.number(base.assistants_count),
      sort: (base) => base.assistants_count,
    },
    {
      key: 'updated',
      head: t.columns.updated,
      isWideOnly: true,
      cell: (base) => <Dimmed>{format.ago(base.updated_at)}</Dimmed>,
      sort: (base) => base.updated_at,
    },
  ];
  return <DataTable name={t.title} columns={columns} rows={bases} keyOf={({ id }) => id} isLinked />;
}
