import { Alert, Button, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Pencil, RotateCw, TriangleAlert } from 'lucide-react';
import { deleteMcpServer, refreshMcpServer } from '#client/sdk.gen.js';
import type { McpServerResponse } from '#client/types.gen.js';
import { useLeaveDeleted } from '../../components/actions/use-leave-deleted.js';
import { Dimmed } from '../../components/dimmed.js';
import { ApiError } from '../../api/api-error.js';
import { dataOf } from '../../api/client.js';
import { mcpServersQuery } from '../../catalog/mcp-queries.js';
import { DeleteMenu } from '../../components/actions/delete-menu.js';
import { lazyNamed } from '../../components/states/lazy-named.js';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { NoPage } from '../../components/page/page-failure.js';
import { Page } from '../../components/page/page.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { McpTools } from './tools.js';
import classes from './mcp-servers.module.css';
import { BackLink } from '../../components/page/back-link.js';

const route = getRouteApi('/shell/mcp-servers/$id');
const ServerDialog = lazyNamed(async () => (await import('./server-dialog.js')).ServerDialog);

export function McpServerPage() {
  const id = Number(route.useParams().id);
  const servers = useQuery(mcpServersQuery);
  return (
    <Loaded query={servers} lines={8}>
      {(all) => {
        const server = all.find((one) => one.id === id);
        return server ? <Server key={id} server={server} /> : <NoPage />;
      }}
    </Loaded>
  );
}

function Server({ server }: { readonly server: McpServerResponse }) {
  const t = useTexts('mcpServers');
  const format = useFormat();
  const refresh = useRefresh(server.id);
  // The server's answer is shown below until the next attempt.
  const isTold = refresh.error instanceof ApiError && refresh.error.status === 400;
  const ask = (
    <IfAllowed scope="admin">
      <Button
        leftSection={<RotateCw size={15} aria-hidden="true" />}
        loading={refresh.isPending}
        onClick={() => refresh.mutate()}
      >
        {t.refresh}
      </Button>
    </IfAllowed>
  );
  return (
    <Page
      title={server.name}
      subtitle={<BackLink to="/mcp-servers" text={t.title} />}
      actions={
        <>
          {ask}
          <IfAllowed scope="admin">
            <ServerMenu server={server} />
          </IfAllowed>
        </>
      }
    >
      <Dimmed className={classes.address}>
        {server.url}
        {server.refreshed_at && ` · ${t.refreshed(format.ago(server.refreshed_at))}`}
      </Dimmed>
      {refresh.error && !isTold && <Problem error={refresh.error} />}
      {server.last_error && (
        <Alert
          color="red"
          role="alert"
          mb="md"
          icon={<TriangleAlert size={18} aria-hidden="true" />}
          title={t.failed}
        >
          <Failure error={server.last_error} code={server.last_error_code} />
        </Alert>
      )}
      <McpTools server={server} ask={ask} />
    </Page>
  );
}

interface FailureProps {
  readonly error: string;
  /** Null for a failure of an older release. */
  readonly code: McpServerResponse['last_error_code'];
}

/** The failure in the reader's language, with the server's own words if they add something. */
function Failure({ error, code }: FailureProps) {
  const t = useTexts('mcpServers');
  const saysMore = code === null || code === 'unreachable' || code === 'refused';
  return (
    <>
      <Text size="sm">{code === null ? t.failedText : t.failures[code]}</Text>
      {saysMore && (
        <Text size="sm" component="pre" className={classes.said}>
          {error}
        </Text>
      )}
    </>
  );
}

function ServerMenu({ server }: { readonly server: McpServerResponse }) {
  const t = useTexts('mcpServers');
  const { actions } = useTexts('common');
  const [isEditing, editing] = useDisclosure(false);
  const leave = useLeaveDeleted('/mcp-servers', mcpServersQuery.queryKey, ['mcp-servers', server.id]);
  return (
    <>
      <DeleteMenu
        label={t.more}
        title={t.deleteTitle(server.name)}
        text={t.deleteText}
        action={t.delete}
        remove={() => dataOf(deleteMcpServer, { path: { id: server.id } })}
        onDone={leave}
      >
        <Menu.Item leftSection={<Pencil size={16} />} onClick={editing.open}>
          {actions.edit}
        </Menu.Item>
      </DeleteMenu>
      {isEditing && <ServerDialog server={server} onClose={editing.close} />}
    </>
  );
}

function useRefresh(id: number) {
  const t = useTexts('mcpServers');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => dataOf(refreshMcpServer, { path: { id } }),
    meta: { saved: t.refreshedNow },
    // The server stores the failure.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: mcpServersQuery.queryKey }),
        queries.invalidateQueries({ queryKey: ['mcp-tools', id] }),
      ]),
  });
}
