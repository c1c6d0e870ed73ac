import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { PutChatModelKeyRequestSchema } from '../../../../../clients/typescript/src/schemas.gen.js';
import {
  deleteChatModelKey,
  getChatModelKey,
  putChatModelKey,
  testChatModelKey,
} from '../../../../../clients/typescript/src/sdk.gen.js';
import type {
  ChatModelKeyResponse,
  PutChatModelKeyRequest,
} from '../../../../../clients/typescript/src/types.gen.js';
import { dataOf } from '../../api/client.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { Panel } from '../../components/page/panel.js';
import { Loaded } from '../../components/states/loaded.js';
import { Problem } from '../../components/states/problem.js';
import { TextField } from '../../forms/fields.js';
import { SchemaFields, useSchemaForm, type Values } from '../../forms/schema-form.js';
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
  const save = useSave(schemaForm);
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
          {stored && <Test />}
        </Stack>
        <Group justify="space-between" mt="lg">
          {stored ? <Remove /> : <span />}
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

function Test() {
  const t = useTexts('settings').chatModelKey;
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: async () => (await dataOf(testChatModelKey({ throwOnError: true }))).data.result,
    // Whether it is refused is known anew.
    onSuccess: () => queries.invalidateQueries({ queryKey: chatModelKeyQuery.queryKey }),
  });
  return (
    <>
      <div>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {t.test}
        </Button>
      </div>
      <div role="status">
        {test.data && <Alert color={test.data === 'ok' ? 'green' : 'red'}>{t.results[test.data]}</Alert>}
      </div>
      {test.error && <Problem error={test.error} />}
    </>
  );
}

function Remove() {
  const t = useTexts('settings').chatModelKey;
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => dataOf(deleteChatModelKey({ throwOnError: true })),
    onSuccess: async () => {
      notifications.show({ message: t.removed, color: 'green' });
      await queries.invalidateQueries({ queryKey: chatModelKeyQuery.queryKey });
    },
  });
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setIsAsked(true)}>
        {t.remove}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setIsAsked(false)}
        title={t.title}
        action={t.remove}
        mutation={remove}
      >
        {t.removeText}
      </ConfirmDialog>
    </>
  );
}

function useSave({ showRefusal }: ReturnType<typeof useSchemaForm>) {
  const t = useTexts('settings').chatModelKey;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ api_key: key, ...values }: Values) => {
      const body = { ...values, ...(key !== '' && { api_key: key }) } as PutChatModelKeyRequest;
      return dataOf(putChatModelKey({ body, throwOnError: true }));
    },
    onSuccess: async () => {
      notifications.show({ message: t.saved, color: 'green' });
      await queries.invalidateQueries({ queryKey: chatModelKeyQuery.queryKey });
    },
    onError: (error) => void showRefusal(error),
  });
}
