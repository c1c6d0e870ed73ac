import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import { allowMcpTool } from '#client/sdk.gen.js';
import type { McpServerResponse, McpToolResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { mcpToolsQuery } from '../../catalog/mcp-queries.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Panel } from '../../components/page/panel.js';
import { Problem } from '../../components/states/problem.js';
import { ownText } from '../../texts/own-text.js';
import { useTexts } from '../../texts/texts.js';
import classes from './mcp-servers.module.css';

const COLORS = { new: 'iris', allowed: 'green', changed: 'amber', missing: 'gray' } as const;

interface Props {
  readonly server: McpServerResponse;
  /** The refresh button. */
  readonly ask: ReactNode;
}

/** Tools of a server. Each is reviewed and allowed on its own. */
export function McpTools({ server, ask }: Props) {
  const { tools: t } = useTexts('mcpServers');
  const tools = useQuery(mcpToolsQuery(server.id));
  return (
    <>
      <Panel title={t.title} subtitle={t.text} flush>
        <Loaded query={tools}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState icon={Wrench} title={server.refreshed_at ? t.empty : t.unread} action={ask}>
                {server.refreshed_at ? t.emptyText : t.unreadText}
              </EmptyState>
            ) : (
              <ul className={classes.tools}>
                {all.map((tool) => (
                  <Tool key={tool.id} tool={tool} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      {server.left_out.length > 0 && (
        <Panel title={t.leftOut} subtitle={t.leftOutText}>
          <ul className={classes.leftOut}>
            {server.left_out.map(({ name, reason }, at) => (
              <li key={at}>
                <code>{name}</code> — {ownText(t.reasons, reason)}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

function Tool({ tool }: { readonly tool: McpToolResponse }) {
  const { tools: t } = useTexts('mcpServers');
  const queries = useQueryClient();
  const isAllowed = tool.status === 'allowed';
  const allow = useMutation({
    mutationFn: () =>
      dataOf(allowMcpTool, {
        path: { serverId: tool.server_id, id: tool.id }, // Allows the shown definition only: the server refuses if it has changed.
        body: isAllowed ? { allowed: false } : { allowed: true, definition_hash: tool.definition_hash },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['mcp-tools', tool.server_id] }),
  });
  return (
    <li>
      <div className={classes.tool}>
        <Group gap="xs">
          <Text fw={500} className={classes.toolName}>
            {tool.name}
          </Text>
          <Badge color={COLORS[tool.status]}>{t.status[tool.status]}</Badge>
        </Group>
        {tool.description && <Dimmed className={classes.description}>{tool.description}</Dimmed>}
        {tool.status === 'changed' && <Text size="sm">{t.changed}</Text>}
        <details>
          <summary>{t.arguments}</summary>
          <pre className={classes.schema} tabIndex={0}>
            {JSON.stringify(tool.input_schema, null, 2)}
          </pre>
        </details>
        {allow.error && <Problem error={allow.error} />}
      </div>
      {tool.status !== 'missing' && (
        <IfAllowed scope="admin">
          <Button
            variant={isAllowed ? 'subtle' : 'default'}
            color={isAllowed ? 'red' : 'iris'}
            size="xs"
            loading={allow.isPending}
            aria-label={`${isAllowed ? t.forbid : t.allow}: ${tool.name}`}
            onClick={() => allow.mutate()}
          >
            {isAllowed ? t.forbid : t.allow}
          </Button>
        </IfAllowed>
      )}
    </li>
  );
}
