import { Modal, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CreateMcpServerRequestSchema, McpHeaderRequestSchema } from '#client/rules.gen.js';
import { createMcpServer, updateMcpServer } from '#client/sdk.gen.js';
import type { CreateMcpServerRequest, McpServerResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { mcpServersQuery } from '../../catalog/mcp-queries.js';
import { SchemaDialogForm } from '../../forms/dialog-form.js';
import { NumberField, TextField } from '../../forms/fields.js';
import { ListField } from '../../forms/list-field.js';
import type { Schema } from '../../forms/rules.js';
import { useSchemaForm, type Values } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';

const SERVER: Schema = CreateMcpServerRequestSchema;
const HEADER: Readonly<Record<string, Schema>> = McpHeaderRequestSchema.properties;

interface Props {
  /** Null to add one. */
  readonly server: McpServerResponse | null;
  readonly onClose: () => void;
}

/** Name, address and headers of a server. */
export function ServerDialog({ server, onClose }: Props) {
  const t = useTexts('mcpServers');
  const { actions } = useTexts('common');
  const schemaForm = useSchemaForm(SERVER, valuesOf(server), {
    definitions: { McpHeaderRequest: McpHeaderRequestSchema },
  });
  const save = useSave(server, schemaForm.showRefusal, onClose);
  return (
    <Modal opened onClose={onClose} size="lg" title={server ? t.edit : t.add}>
      <SchemaDialogForm
        schemaForm={schemaForm}
        texts={t.fields}
        submit={server ? actions.save : actions.create}
        onCancel={onClose}
        mutation={save}
      >
        <TextField name="name" mono autoFocus />
        <TextField name="url" type="url" mono />
        <NumberField name="timeout" unit="seconds" />
        <div>
          <Text size="sm" fw={500} mb="xs">
            {t.fields.headers.label}
          </Text>
          <ListField name="headers" add={t.addHeader} remove={t.removeHeader} blank={{ name: '', value: '' }}>
            {(path) => (
              <>
                <TextField name={`${path}.name`} schema={HEADER.name ?? {}} mono />
                <TextField name={`${path}.value`} schema={HEADER.value ?? {}} mono />
              </>
            )}
          </ListField>
        </div>
      </SchemaDialogForm>
    </Modal>
  );
}

function useSave(
  server: McpServerResponse | null,
  showRefusal: (error: unknown) => readonly string[],
  onSaved: () => void,
) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (body: CreateMcpServerRequest) =>
      server
        ? (await dataOf(updateMcpServer, { path: { id: server.id }, body })).data
        : (await dataOf(createMcpServer, { body })).data,
    onSuccess: async ({ id }) => {
      onSaved();
      await queries.invalidateQueries({ queryKey: mcpServersQuery.queryKey });
      // Page on which its tools are refreshed.
      if (!server) await navigate({ to: '/mcp-servers/$id', params: { id: String(id) } });
      else await queries.invalidateQueries({ queryKey: ['mcp-tools', id] });
    },
    onError: (error) => void showRefusal(error),
  });
}

function valuesOf(server: McpServerResponse | null): Values {
  if (!server) return { name: '', url: '', headers: [], timeout: SERVER.properties?.timeout?.default ?? 10 };
  const { name, url, headers, timeout } = server;
  return { name, url, headers, timeout };
}
