import { Anchor, Button, MultiSelect, Text } from '@mantine/core';
import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listAssistantMcpTools, setAssistantMcpTools } from '#client/sdk.gen.js';
import type { McpToolResponse } from '#client/types.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { mcpServersQuery, mcpToolsQuery } from '#web/console/src/catalog/mcp-queries.js';
import { Loaded } from '#web/console/src/components/states/loaded.jsx';
import { Problem } from '#web/console/src/components/states/problem.jsx';
import { FormSection } from '#web/console/src/forms/section.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';

/** Tools of MCP servers: no field of the assistant, so they are saved by a button of their own. */
export function McpTools({ assistantId }: { readonly assistantId: number }) {
  const t = useTexts('assistants').mcp;
  const { links } = useTexts('shell');
  const own = useQuery({
    queryKey: ['assistants', 'mcp-tools', assistantId],
    queryFn: ({ signal }) => dataOf(listAssistantMcpTools, { path: { id: assistantId }, signal }),
  });
  return (
    <FormSection title={t.title} hint={t.hint}>
      <Loaded query={own} lines={1}>
        {(tools) => <Choice key={idsOf(tools).join()} assistantId={assistantId} own={tools} />}
      </Loaded>
      <Text size="sm">
        <Anchor component={Link} to="/mcp-servers">
          {links.mcpServers}
        </Anchor>
      </Text>
    </FormSection>
  );
}

interface Props {
  readonly assistantId: number;
  readonly own: readonly McpToolResponse[];
}

function Choice({ assistantId, own }: Props) {
  const t = useTexts('assistants').mcp;
  const { notFound } = useTexts('forms');
  const [ids, setIds] = useState(() => idsOf(own));
  const offered = useOffered(own);
  const save = useMutation({
    mutationFn: () =>
      dataOf(setAssistantMcpTools, { path: { id: assistantId }, body: { tool_ids: ids.map(Number) } }),
    meta: { saved: t.saved, changes: [['assistants', 'mcp-tools', assistantId]] },
  });
  return (
    <>
      <MultiSelect
        label={t.label}
        placeholder={ids.length === 0 ? t.none : ''}
        data={offered.map((tool) => ({ value: String(tool.id), label: labelOf(tool, t.notUsed) }))}
        value={ids}
        searchable
        nothingFoundMessage={notFound}
        onChange={setIds}
      />
      {save.error && <Problem error={save.error} />}
      <div>
        <Button
          variant="default"
          size="xs"
          loading={save.isPending}
          disabled={ids.toSorted().join() === idsOf(own).toSorted().join()}
          onClick={() => save.mutate()}
        >
          {t.apply}
        </Button>
      </div>
    </>
  );
}

/** What is allowed on any server, and what the assistant has, though it is not used at present. */
function useOffered(own: readonly McpToolResponse[]): readonly McpToolResponse[] {
  const { data: servers = [] } = useQuery(mcpServersQuery);
  const lists = useQueries({ queries: servers.map(({ id }) => mcpToolsQuery(id)) });
  const allowed = lists.flatMap(({ data = [] }) => data).filter(({ status }) => status === 'allowed');
  const others = own.filter(({ id }) => allowed.every((tool) => tool.id !== id));
  return [...allowed, ...others];
}

function labelOf({ function_name: name, status }: McpToolResponse, notUsed: string): string {
  return status === 'allowed' ? name : `${name} (${notUsed})`;
}

function idsOf(tools: readonly McpToolResponse[]): string[] {
  return tools.map(({ id }) => String(id));
}
