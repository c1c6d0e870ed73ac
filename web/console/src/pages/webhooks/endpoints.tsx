import { Badge, Button, Group, Menu, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, ListFilter, Pencil, Plus, Send, Webhook } from 'lucide-react';
import { useState } from 'react';
import { deleteWebhookEndpoint, listWebhookEndpoints, testWebhookEndpoint } from '#client/sdk.gen.js';
import type { WebhookEndpointResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { DeleteMenu } from '../../components/actions/delete-menu.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Panel } from '../../components/page/panel.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';
import { EndpointDialog } from './endpoint-dialog.js';
import { EndpointSecretDialog } from './endpoint-secret.js';
import { eventName } from './events.js';
import classes from './webhooks.module.css';

export const endpointsQuery = queryOptions({
  queryKey: ['webhook-endpoints'],
  queryFn: ({ signal }) => dataOf(listWebhookEndpoints, { signal }),
});

/** The open dialog. */
type Dialog =
  | { readonly kind: 'new' }
  | { readonly kind: 'edit'; readonly endpoint: WebhookEndpointResponse }
  | { readonly kind: 'secret'; readonly endpoint: WebhookEndpointResponse; readonly isNew: boolean };

interface Props {
  /** Shows a delivery. */
  readonly onDelivery: (id: number) => void;
  /** Shows only the deliveries of an endpoint. */
  readonly onDeliveries: (endpointId: number) => void;
}

/** Webhook endpoints of the account. */
export function Endpoints(props: Props) {
  const { endpoints: t } = useTexts('webhooks');
  const endpoints = useQuery(endpointsQuery);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const add = (
    <IfAllowed scope="admin">
      <Button size="xs" leftSection={<Plus size={15} />} onClick={() => setDialog({ kind: 'new' })}>
        {t.add}
      </Button>
    </IfAllowed>
  );
  const isEmpty = endpoints.data?.length === 0;
  return (
    <Panel title={t.title} subtitle={t.text} actions={!isEmpty && add} flush>
      <Loaded query={endpoints} lines={2}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Webhook} title={t.none} action={add}>
              {t.noneText}
            </EmptyState>
          ) : (
            <ul className={classes.endpoints}>
              {all.map((endpoint) => (
                <Endpoint key={endpoint.id} endpoint={endpoint} onOpen={setDialog} {...props} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {dialog && <Open dialog={dialog} onOpen={setDialog} onClose={() => setDialog(null)} />}
    </Panel>
  );
}

interface OpenProps {
  readonly dialog: Dialog;
  readonly onOpen: (dialog: Dialog) => void;
  readonly onClose: () => void;
}

function Open({ dialog, onOpen, onClose }: OpenProps) {
  switch (dialog.kind) {
    case 'new':
      return (
        <EndpointDialog
          endpoint={null}
          onClose={onClose}
          onMade={(endpoint) => onOpen({ kind: 'secret', endpoint, isNew: true })}
        />
      );
    case 'edit':
      return <EndpointDialog endpoint={dialog.endpoint} onClose={onClose} onMade={onClose} />;
    case 'secret':
      return <EndpointSecretDialog {...dialog} onClose={onClose} />;
  }
}

interface EndpointProps extends Props {
  readonly endpoint: WebhookEndpointResponse;
  readonly onOpen: (dialog: Dialog) => void;
}

function Endpoint({ endpoint, onOpen, onDelivery, onDeliveries }: EndpointProps) {
  const { endpoints: t, endpoint: health } = useTexts('webhooks');
  const test = useTest(endpoint.id, onDelivery);
  const { url, description, enabled } = endpoint;
  return (
    <li>
      <div className={classes.endpoint}>
        <Group gap="xs">
          <Text fw={500} className={classes.url}>
            {description || url}
          </Text>
          {!enabled && <Badge color="gray">{t.off}</Badge>}
          {endpoint.health.status !== 'active' && (
            <Badge color={endpoint.health.status === 'paused' ? 'amber' : 'red'}>
              {t.health[endpoint.health.status]}
            </Badge>
          )}
        </Group>
        {description && <Dimmed className={classes.url}>{url}</Dimmed>}
        <Events events={endpoint.events} />
        {endpoint.health.status !== 'active' && <Dimmed>{health[endpoint.health.status]}</Dimmed>}
        {test.error && <Problem error={test.error} />}
      </div>
      <Group gap="xs" wrap="nowrap">
        <IfAllowed scope="admin">
          <Button
            variant="default"
            size="xs"
            leftSection={<Send size={14} aria-hidden="true" />}
            loading={test.isPending}
            aria-label={`${t.test}: ${description || url}`}
            onClick={() => test.mutate()}
          >
            {t.test}
          </Button>
          <EndpointMenu endpoint={endpoint} onOpen={onOpen} onDeliveries={onDeliveries} />
        </IfAllowed>
      </Group>
    </li>
  );
}

function Events({ events }: Pick<WebhookEndpointResponse, 'events'>) {
  const { endpoints: t } = useTexts('webhooks');
  return (
    <Group gap={4} mt={4}>
      {(events ?? [null]).map((event) => (
        <Badge key={event} color="gray">
          {event === null ? t.all : eventName(t.events, event)}
        </Badge>
      ))}
    </Group>
  );
}

function EndpointMenu({ endpoint, onOpen, onDeliveries }: Omit<EndpointProps, 'onDelivery'>) {
  const { endpoints: t } = useTexts('webhooks');
  const { actions } = useTexts('common');
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: endpointsQuery.queryKey }),
      queries.invalidateQueries({ queryKey: ['webhook-deliveries'] }),
    ]);
  return (
    <DeleteMenu
      label={t.more(endpoint.description || endpoint.url)}
      title={t.deleteTitle}
      text={
        <>
          <strong className={classes.url}>{endpoint.url}</strong>
          <br />
          {t.deleteText}
        </>
      }
      action={t.delete}
      remove={() => dataOf(deleteWebhookEndpoint, { path: { id: endpoint.id } })}
      onDone={refresh}
    >
      <Menu.Item leftSection={<ListFilter size={16} />} onClick={() => onDeliveries(endpoint.id)}>
        {t.deliveries}
      </Menu.Item>
      <Menu.Item leftSection={<Pencil size={16} />} onClick={() => onOpen({ kind: 'edit', endpoint })}>
        {actions.edit}
      </Menu.Item>
      <Menu.Item
        leftSection={<KeyRound size={16} />}
        onClick={() => onOpen({ kind: 'secret', endpoint, isNew: false })}
      >
        {t.secret}
      </Menu.Item>
    </DeleteMenu>
  );
}

/** Sends the test event and shows its delivery. */
function useTest(id: number, onDelivery: (id: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => dataOf(testWebhookEndpoint, { path: { id } }),
    onSuccess: async ({ data }) => {
      onDelivery(data.id);
      await queries.invalidateQueries({ queryKey: ['webhook-deliveries'] });
    },
  });
}
