import '@mantine/core/styles/Table.layer.css';
import { Badge, Button, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Wrench } from 'lucide-react';
import type { ToolResponse } from '#client/types.gen.js';
import { toolsQuery } from '../../catalog/queries.js';
import { EmptyState } from '../../components/states/empty-state.js';
import table from '../../components/tables/list-table.module.css';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Page } from '../../components/page/page.js';
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
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <Loaded query={tools}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Wrench} title={t.none.title} action={add}>
              {t.none.text}
            </EmptyState>
          ) : (
            <Panel flush>
              <Tools tools={all} />
            </Panel>
          )
        }
      </Loaded>
    </Page>
  );
}

function Tools({ tools }: { readonly tools: readonly ToolResponse[] }) {
  const { columns } = useTexts('tools');
  const format = useFormat();
  return (
    <div className={table.scroll}>
      <Table className={table.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.name}</Table.Th>
            <Table.Th className={table.wideOnly}>{columns.request}</Table.Th>
            <Table.Th className={table.number}>{columns.parameters}</Table.Th>
            <Table.Th className={table.wideOnly}>{columns.updated}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tools.map((tool) => (
            <Table.Tr key={tool.id} className={table.row}>
              <Table.Td>
                <Link to="/tools/$id" params={{ id: String(tool.id) }} className={table.rowLink}>
                  {tool.name}
                </Link>
                <Text size="sm" c="dimmed" lineClamp={1} className={table.second}>
                  {tool.description}
                </Text>
              </Table.Td>
              <Table.Td className={table.wideOnly}>
                <Badge color="gray">{tool.method}</Badge>{' '}
                <Text component="span" size="sm" c="dimmed" className={table.second}>
                  {tool.endpoint}
                </Text>
              </Table.Td>
              <Table.Td className={table.number}>{format.number(tool.schema.length)}</Table.Td>
              <Table.Td className={table.wideOnly}>
                <Text size="sm" c="dimmed">
                  {format.ago(tool.updated_at)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
