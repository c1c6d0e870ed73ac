import '@mantine/core/styles/Table.layer.css';
import { Badge, Button, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BookOpen, Plus } from 'lucide-react';
import type { KnowledgebaseResponse } from '#client/types.gen.js';
import { knowledgebasesQuery } from '../../catalog/queries.js';
import { EmptyState } from '../../components/states/empty-state.js';
import table from '../../components/tables/list-table.module.css';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Page } from '../../components/page/page.js';
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
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <Loaded query={bases}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={BookOpen} title={t.none.title} action={add}>
              {t.none.text}
            </EmptyState>
          ) : (
            <Panel flush>
              <Bases bases={all} />
            </Panel>
          )
        }
      </Loaded>
      {isCreating && <BaseDialog onClose={close} />}
    </Page>
  );
}

function Bases({ bases }: { readonly bases: readonly KnowledgebaseResponse[] }) {
  const t = useTexts('knowledge');
  const format = useFormat();
  return (
    <div className={table.scroll}>
      <Table className={table.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.columns.name}</Table.Th>
            <Table.Th>{t.columns.status}</Table.Th>
            <Table.Th className={table.number}>{t.columns.documents}</Table.Th>
            <Table.Th className={`${table.number} ${table.wideOnly}`}>{t.columns.assistants}</Table.Th>
            <Table.Th className={table.wideOnly}>{t.columns.updated}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bases.map((base) => (
            <Table.Tr key={base.id} className={table.row}>
              <Table.Td>
                <Link to="/knowledge/$id" params={{ id: String(base.id) }} className={table.rowLink}>
                  {base.name}
                </Link>
                <Text size="sm" c="dimmed" lineClamp={1} className={table.second}>
                  {base.description}
                </Text>
              </Table.Td>
              <Table.Td>
                <Badge color={COLORS[base.status]}>{t.status[base.status]}</Badge>
              </Table.Td>
              <Table.Td className={table.number}>{format.number(base.documents_count)}</Table.Td>
              <Table.Td className={`${table.number} ${table.wideOnly}`}>
                {format.number(base.assistants_count)}
              </Table.Td>
              <Table.Td className={table.wideOnly}>
                <Text size="sm" c="dimmed">
                  {format.ago(base.updated_at)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
