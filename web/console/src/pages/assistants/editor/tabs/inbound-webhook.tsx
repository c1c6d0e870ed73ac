import { Button, Group, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { disableInboundWebhook, enableInboundWebhook } from '#client/sdk.gen.js';
import type { AssistantResponse } from '#client/types.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { Problem } from '#web/console/src/components/states/problem.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFieldErrors } from '#web/console/src/texts/use-error-text.js';

/** No field of the assistant: the API switches it by requests of its own, at once. */
export function InboundWebhook({ assistant }: { readonly assistant: AssistantResponse }) {
  const t = useTexts('assistants').inbound;
  const fieldErrors = useFieldErrors();
  const queries = useQueryClient();
  const stored = assistant.inbound_webhook_url;
  const [url, setUrl] = useState(stored ?? '');
  const change = useMutation({
    mutationFn: (to: string | null): Promise<unknown> =>
      to === null
        ? dataOf(disableInboundWebhook, { body: { assistant_id: assistant.id } })
        : dataOf(enableInboundWebhook, { body: { assistant_id: assistant.id, webhook_url: to } }),
    onSuccess: async (_answer, to) => {
      if (to === null) setUrl('');
      notifications.show({ message: to === null ? t.stopped : t.saved, color: 'green' });
      await queries.invalidateQueries({ queryKey: ['assistants'] });
    },
  });
  const error = fieldErrors(change.error).webhook_url;
  return (
    <>
      <TextInput
        label={t.url}
        type="url"
        placeholder="https://"
        value={url}
        error={error}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      {change.error && !error && <Problem error={change.error} />}
      <Group gap="sm">
        <Button
          variant="default"
          size="xs"
          loading={change.isPending}
          disabled={url === '' || url === stored}
          onClick={() => change.mutate(url)}
        >
          {t.save}
        </Button>
        {stored !== null && (
          <Button variant="subtle" color="red" size="xs" onClick={() => change.mutate(null)}>
            {t.stop}
          </Button>
        )}
      </Group>
    </>
  );
}
