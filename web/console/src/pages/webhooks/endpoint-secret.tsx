import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getWebhookEndpointSecret, rotateWebhookEndpointSecret } from '#client/sdk.gen.js';
import type { WebhookEndpointResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';
import { ShownSecret } from './shown-secret.js';

interface Props {
  readonly endpoint: WebhookEndpointResponse;
  /** Whether the endpoint was just added. */
  readonly isNew: boolean;
  readonly onClose: () => void;
}

/** Signing secret of an endpoint: shown once after creation, rotated on request. */
export function EndpointSecretDialog({ endpoint, isNew, onClose }: Props) {
  const { endpoints: t, secret } = useTexts('webhooks');
  const queries = useQueryClient();
  const [isShown, setShown] = useState(isNew);
  const [isAsked, setAsked] = useState(false);
  const key = ['webhook-endpoints', 'secret', endpoint.id];
  const rotate = useMutation({
    mutationFn: () => dataOf(rotateWebhookEndpointSecret, { path: { id: endpoint.id } }),
    onSuccess: ({ data }) => {
      queries.setQueryData(key, data);
      setAsked(false);
      setShown(true);
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      // A click outside the dialog would lose the secret.
      closeOnClickOutside={!isShown}
      title={isNew ? t.made : secret.title}
    >
      <Stack>
        <Text size="sm">{isNew ? t.madeText : secret.text}</Text>
        {isShown && (
          <ShownSecret
            queryKey={key}
            load={(signal) => dataOf(getWebhookEndpointSecret, { path: { id: endpoint.id }, signal })}
          />
        )}
        {isAsked && <Alert color="amber">{secret.rotateText}</Alert>}
        {rotate.error && <Problem error={rotate.error} />}
        <Group justify="flex-end">
          {!isNew && (
            <Button
              variant="subtle"
              color="red"
              loading={rotate.isPending}
              onClick={() => (isAsked ? rotate.mutate() : setAsked(true))}
            >
              {isAsked ? t.rotateNow : secret.rotate}
            </Button>
          )}
          {isShown ? (
            <Button onClick={onClose}>{t.copied}</Button>
          ) : (
            <Button onClick={() => setShown(true)}>{secret.show}</Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
