import '@mantine/core/styles/Drawer.layer.css';
import { Alert, Button, Drawer, Group, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { getWebhookDelivery, replayWebhookDelivery } from '#client/sdk.gen.js';
import type { WebhookAttemptResponse, WebhookDeliveryDetailsResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { Copyable } from '../../components/actions/copyable.js';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { DeliveryBadge } from './delivery-badge.js';
import { eventName } from './events.js';
import classes from './webhooks.module.css';

const POLL_MS = 2_000;

/** One delivery: payload, attempts, and a button to resend it. */
export function DeliveryDrawer({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const t = useTexts('webhooks');
  const delivery = useQuery({
    queryKey: ['webhook-deliveries', 'one', id],
    queryFn: ({ signal }) => dataOf(getWebhookDelivery, { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? POLL_MS : false),
  });
  return (
    <Drawer opened onClose={onClose} title={t.details} size="lg">
      <Loaded query={delivery}>{(data) => <Details delivery={data} />}</Loaded>
    </Drawer>
  );
}

function Details({ delivery }: { readonly delivery: WebhookDeliveryDetailsResponse }) {
  const t = useTexts('webhooks');
  const format = useFormat();
  const replay = useMutation({
    mutationFn: () => dataOf(replayWebhookDelivery, { path: { id: delivery.id } }),
    meta: { saved: t.replayed, changes: [['webhook-deliveries']] },
  });
  const { endpoint, failure_reason: reason, next_attempt_at: next } = delivery;
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Group gap="sm">
          <Text fw={600}>{eventName(t.kinds, delivery.kind)}</Text>
          <DeliveryBadge status={delivery.status} />
        </Group>
        <IfAllowed scope="admin">
          <Button
            variant="default"
            size="xs"
            leftSection={<RotateCw size={14} />}
            loading={replay.isPending}
            disabled={delivery.status === 'pending'}
            onClick={() => replay.mutate()}
          >
            {t.replay}
          </Button>
        </IfAllowed>
      </Group>
      <Dimmed className={classes.url}>{delivery.url}</Dimmed>
      {replay.error && <Problem error={replay.error} />}
      {reason && (
        <Alert color="red" mt="sm">
          {t.reasons[reason]}
        </Alert>
      )}
      {endpoint.status !== 'active' && (
        <Alert color="amber" mt="sm">
          {t.endpoint[endpoint.status]}
        </Alert>
      )}
      <Title order={3} mt="lg" mb="xs">
        {t.attempts}
      </Title>
      {next && <Dimmed mb="xs">{t.next(format.dateTime(next))}</Dimmed>}
      {delivery.attempts.map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
      <Title order={3} mt="lg" mb="xs">
        {t.payload}
      </Title>
      <Copyable text={JSON.stringify(delivery.payload, null, 2)} label={t.payload} />
    </>
  );
}

function Attempt({ attempt }: { readonly attempt: WebhookAttemptResponse }) {
  const t = useTexts('webhooks');
  const format = useFormat();
  const {
    number,
    started_at: startedAt,
    duration_ms: duration,
    status_code: code,
    error,
    response_body: body,
  } = attempt;
  return (
    <div className={classes.attempt}>
      <Group justify="space-between">
        <Text size="sm">
          {t.attempt(format.number(number))} · {format.dateTime(startedAt)}
        </Text>
        <Dimmed className="tabular">
          {code ?? (error === null ? t.running : t.noAnswer)}
          {duration !== null && ` · ${format.number(duration)} ms`}
        </Dimmed>
      </Group>
      {error && (
        <Text size="sm" c="red">
          {error}
        </Text>
      )}
      {body && (
        <details>
          <summary>{t.response}</summary>
          <pre className={classes.body}>{body}</pre>
        </details>
      )}
    </div>
  );
}
