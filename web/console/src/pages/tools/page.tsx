import { Badge, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Wrench } from 'lucide-react';
import type { ToolResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { toolsQuery } from '../../catalog/queries.js';
import { ListPage } from '../../components/page/list-page.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import table from '../../components/tables/data-table.module.css';
import { IfAllowed } from '../../components/if-allowed.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

export function ToolsPage() {
  const t = useTexts('tools');
  const tools = useQuery(toolsQuery);
  const add = (
    <IfAllowed scope="admin">
      <Button component={Link} to="/tools/new" leftSection={<Plus size={16} />}>
        {t.add}
      </Button>
    </IfAllowed>
  );
  return (
    <ListPage texts={t} icon={Wrench} query={tools} actions={add}>
      {(all) => (
        <Panel flush>
          <Tools tools={all} />
        </Panel>
      )}
    </ListPage>
  );
}

function Tools({ tools }: { readonly tools: readonly ToolResponse[] }) {
  const { title, columns: heads } = useTexts('tools');
  const format = useFormat();
  const columns: readonly Column<ToolResponse>[] = [
    {
      key: 'name',
      head: heads.name,
      kind: 'text',
      cell: ({ id, name, description }) => (
        <>
          <Link to="/tools/$id" params={{ id: String(id) }} className={table.rowLink}>
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
      key: 'request',
      head: heads.request,
      kind: 'text',
      isWideOnly: true,
      cell: ({ method, endpoint }) => (
        <>
          <Badge color="gray">{method}</Badge>{' '}
          <Text component="span" size="sm" c="dimmed" className={table.second}>
            {endpoint}
          </Text>
        </>
      ),
    },
    {
      key: 'parameters',
      head: heads.parameters,
      kind: 'number',
      cell: ({ schema }) => format.number(schema.length),
      sort: ({ schema }) => schema.length,
    },
    {
      key: 'updated',
      head: heads.updated,
      isWideOnly: true,
      cell: ({ updated_at }) => <Dimmed>{format.ago(updated_at)}</Dimmed>,
      sort: ({ updated_at }) => updated_at,
    },
  ];
  return <DataTable name={title} columns={columns} rows={tools} keyOf={({ id }) => id} isLinked />;
}
