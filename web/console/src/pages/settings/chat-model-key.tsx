import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { PutChatModelKeyRequestSchema } from '../../../../../clients/typescript/src/schemas.gen.js';
import {
  deleteChatModelKey,
  getChatModelKey,
  putChatModelKey,
  testChatModelKey,
} from '../../../../../clients/typescript/src/sdk.gen.js';
import type { ChatModelKeyResponse } from '../../../../../clients/typescript/src/types.gen.js';
import { dataOf } from '../../api/client.js';
import {
  RemoveCredentials,
  TestCredentials,
  useSaveCredentials,
} from '../../components/actions/credentials.js';
import { Panel } from '../../components/page/panel.js';
import { Loaded } from '../../components/states/loaded.js';
import { Problem } from '../../components/states/problem.js';
import { TextField } from '../../forms/fields.js';
import { SchemaFields, useSchemaForm } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

/** Null where none is stored. */
const chatModelKeyQuery = queryOptions({
  queryKey: ['chat-model-key'],
  queryFn: async ({ signal }) => (await dataOf(getChatModelKey({ signal, throwOnError: true }))).data,
  refetchOnWindowFocus: false,
});

/** The key that assistants of the account are answered with, in place of the installation's. */
export function ChatModelKey() {
  const t = useTexts('settings').chatModelKey;
  const stored = useQuery(chatModelKeyQuery);
  return (
    <Panel title={t.title} subtitle={t.text}>
      <Loaded query={stored} lines={3}>
        {(key) => <KeyForm key={key?.updated_at} stored={key} />}
      </Loaded>
    </Panel>
  );
}

interface Props {
  readonly stored: ChatModelKeyResponse | null;
}

function KeyForm({ stored }: Props) {
  const t = useTexts('settings').chatModelKey;
  const schemaForm = useSchemaForm(PutChatModelKeyRequestSchema, {
    base_url: stored?.base_url ?? null,
    // It is never told; an empty one stays.
    api_key: '',
    model: stored?.model ?? null,
  });
  const { form } = schemaForm;
  const save = useSaveCredentials(schemaForm, {
    secret: 'api_key',
    save: (values) => dataOf(putChatModelKey({ body: values, throwOnError: true })),
    queryKey: chatModelKeyQuery.queryKey,
    saved: t.saved,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!form.validate().hasErrors) save.mutate(form.values);
  };
  return (
    <SchemaFields schemaForm={schemaForm} texts={t.fields}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {stored && stored.status !== 'active' && <Trouble stored={stored} />}
          <TextField name="api_key" type="password" />
          {stored && (
            <Text size="sm" c="dimmed" mt={-8}>
              {t.stored(stored.api_key)}
            </Text>
          )}
          <TextField name="base_url" type="url" />
          <TextField name="model" mono />
          {save.error && Object.keys(form.errors).length === 0 && <Problem error={save.error} />}
          {stored && (
            <TestCredentials
              texts={t}
              test={async () => (await dataOf(testChatModelKey({ throwOnError: true }))).data.result}
              // Whether it is refused is known anew.
              queryKey={chatModelKeyQuery.queryKey}
            />
          )}
        </Stack>
        <Group justify="space-between" mt="lg">
          {stored ? (
            <RemoveCredentials
              texts={t}
              remove={() => dataOf(deleteChatModelKey({ throwOnError: true }))}
              queryKey={chatModelKeyQuery.queryKey}
            />
          ) : (
            <span />
          )}
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {t.submit}
          </Button>
        </Group>
      </form>
    </SchemaFields>
  );
}

function Trouble({ stored: { status, refused_at: since } }: { readonly stored: ChatModelKeyResponse }) {
  const t = useTexts('settings').chatModelKey;
  const { dateTime } = useFormat();
  return (
    <Alert color="red" role="status">
      {status === 'refused' && since ? t.refusedSince(dateTime(since)) : t.unreadable}
    </Alert>
  );
}
