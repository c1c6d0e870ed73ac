import { Badge, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plug, Plus } from 'lucide-react';
import type { McpServerResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { mcpServersQuery } from '../../catalog/mcp-queries.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { lazyNamed } from '../../components/states/lazy-named.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import table from '../../components/tables/data-table.module.css';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

const ServerDialog = lazyNamed(async () => (await import('./server-dialog.js')).ServerDialog);

/** Servers of tools for assistants, by the Model Context Protocol. */
export function McpServersPage() {
  const t = useTexts('mcpServers');
  const servers = useQuery(mcpServersQuery);
  const [isAdding, adding] = useDisclosure(false);
  const add = (
    <IfAllowed scope="admin">
      <Button leftSection={<Plus size={16} />} onClick={adding.open}>
        {t.add}
      </Button>
    </IfAllowed>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={servers.data?.length !== 0 && add}>
      <Loaded query={servers}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Plug} title={t.none.title} action={add}>
              {t.none.text}
            </EmptyState>
          ) : (
            <Panel flush>
              <Servers servers={all} />
            </Panel>
          )
        }
      </Loaded>
      {isAdding && <ServerDialog server={null} onClose={adding.close} />}
    </Page>
  );
}

function Servers({ servers }: { readonly servers: readonly McpServerResponse[] }) {
  const t = useTexts('mcpServers');
  const format = useFormat();
  const columns: readonly Column<McpServerResponse>[] = [
    {
      key: 'name',
      head: t.columns.name,
      kind: 'text',
      cell: ({ id, name, url }) => (
        <>
          <Link to="/mcp-servers/$id" params={{ id: String(id) }} className={table.rowLink}>
            {name}
          </Link>
          <Dimmed className={table.second}>{url}</Dimmed>
        </>
      ),
      sort: ({ name }) => name,
    },
    {
      key: 'state',
      head: t.columns.state,
      cell: (server) => <StateBadge error={server.last_error} refreshed={server.refreshed_at} />,
    },
    {
      key: 'refreshed',
      head: t.columns.refreshed,
      isWideOnly: true,
      cell: ({ refreshed_at: refreshed }) => <Dimmed>{refreshed ? format.ago(refreshed) : t.never}</Dimmed>,
      sort: (server) => server.refreshed_at ?? '',
    },
  ];
  return <DataTable name={t.title} columns={columns} rows={servers} keyOf={({ id }) => id} isLinked />;
}

interface StateProps {
  readonly error: string | null;
  readonly refreshed: string | null;
}

function StateBadge({ error, refreshed }: StateProps) {
  const { states } = useTexts('mcpServers');
  if (error !== null) return <Badge color="red">{states.failed}</Badge>;
  if (refreshed === null) return <Badge color="gray">{states.unread}</Badge>;
  return <Badge color="green">{states.read}</Badge>;
}
