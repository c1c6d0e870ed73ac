import { Button, Select, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Search, Webhook } from 'lucide-react';
import { listWebhookDeliveries } from '#client/sdk.gen.js';
import type { WebhookDeliveryResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import table from '../../components/tables/data-table.module.css';
import list from '../../components/tables/list-filters.module.css';
import { Pager } from '../../components/tables/pager.js';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { DeliveryBadge } from './delivery-badge.js';
import { DeliveryDrawer } from './delivery-drawer.js';
import { Endpoints, endpointsQuery } from './endpoints.js';
import { eventName, eventsQuery } from './events.js';
import { type Filters, STATUSES } from './filters.js';
import { Secret } from './secret.js';
import classes from './webhooks.module.css';

const route = getRouteApi('/shell/webhooks');
const PER_PAGE = 25;
const POLL_MS = 5_000;

function useDeliveries({ status, kind, endpoint, page = 1 }: Filters) {
  return useQuery({
    queryKey: ['webhook-deliveries', { status, kind, endpoint, page }],
    queryFn: ({ signal }) =>
      dataOf(listWebhookDeliveries, {
        query: {
          page,
          per_page: PER_PAGE,
          ...(status && { status }),
          ...(kind && { kind }),
          ...(endpoint && { webhook_endpoint_id: endpoint }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((delivery) => delivery.status === 'pending') ? POLL_MS : false,
  });
}

export function WebhooksPage() {
  const t = useTexts('webhooks');
  const { delivery, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const deliveries = useDeliveries(filters);
  const isFiltered =
    filters.status !== undefined || filters.kind !== undefined || filters.endpoint !== undefined;
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <Endpoints
        onDelivery={(id) => void navigate({ search: { ...filters, delivery: id }, resetScroll: false })}
        onDeliveries={(endpoint) => void navigate({ search: { endpoint }, resetScroll: false })}
      />
      <IfAllowed scope="admin">
        <Secret />
      </IfAllowed>
      <section className={classes.deliveries}>
        <Title order={2} id="sent" mb="sm">
          {t.sent}
        </Title>
        <div className={list.filters}>
          <FilterSelects filters={filters} />
        </div>
        <Panel flush>
          <Loaded query={deliveries}>
            {(page) =>
              page.data.length === 0 ? (
                <Nothing isFiltered={isFiltered} />
              ) : (
                <>
                  <Deliveries deliveries={page.data} />
                  <Pager
                    page={page}
                    onPage={(next) => void navigate({ search: { ...filters, page: next } })}
                  />
                </>
              )
            }
          </Loaded>
        </Panel>
      </section>
      {delivery !== undefined && (
        <DeliveryDrawer id={delivery} onClose={() => void navigate({ search: filters })} />
      )}
    </Page>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const { none: t } = useTexts('webhooks');
  if (isFiltered) return <EmptyState icon={Search} title={t.filtered} />;
  return (
    <EmptyState
      icon={Webhook}
      title={t.title}
      action={
        <Button component={Link} to="/assistants" variant="default">
          {t.action}
        </Button>
      }
    >
      {t.text}
    </EmptyState>
  );
}

function FilterSelects({ filters: { status, kind, endpoint } }: { readonly filters: Filters }) {
  const t = useTexts('webhooks');
  const navigate = route.useNavigate();
  const { data: endpoints = [] } = useQuery(endpointsQuery);
  const { data: events = [] } = useQuery(eventsQuery);
  const set = (next: Filters) =>
    void navigate({ search: Object.fromEntries(Object.entries(next).filter(([, value]) => value)) });
  return (
    <>
      <Select
        aria-label={t.filters.status}
        placeholder={`${t.filters.status}: ${t.filters.all}`}
        data={STATUSES.map((value) => ({ value, label: t.status[value] }))}
        value={status ?? null}
        clearable
        onChange={(value) => set({ status: value ?? undefined, kind, endpoint })}
      />
      <Select
        aria-label={t.filters.kind}
        placeholder={`${t.filters.kind}: ${t.filters.all}`}
        data={events.map(({ kind: value }) => ({ value, label: eventName(t.kinds, value) }))}
        value={kind ?? null}
        clearable
        onChange={(value) => set({ status, kind: value ?? undefined, endpoint })}
      />
      {(endpoints.length > 0 || endpoint !== undefined) && (
        <Select
          aria-label={t.filters.endpoint}
          placeholder={`${t.filters.endpoint}: ${t.filters.all}`}
          data={endpoints.map(({ id, url, description }) => ({
            value: String(id),
            label: description || url,
          }))}
          value={endpoint === undefined ? null : String(endpoint)}
          clearable
          onChange={(value) => set({ status, kind, endpoint: value === null ? undefined : Number(value) })}
        />
      )}
    </>
  );
}

function Deliveries({ deliveries }: { readonly deliveries: readonly WebhookDeliveryResponse[] }) {
  const t = useTexts('webhooks');
  const format = useFormat();
  const columns: readonly Column<WebhookDeliveryResponse>[] = [
    {
      key: 'event',
      head: t.columns.event,
      kind: 'text',
      cell: ({ id, kind }) => (
        <Link
          from="/webhooks"
          to="."
          search={(now) => ({ ...now, delivery: id })}
          resetScroll={false}
          className={table.rowLink}
        >
          {eventName(t.kinds, kind)}
        </Link>
      ),
    },
    {
      key: 'url',
      head: t.columns.url,
      kind: 'text',
      isWideOnly: true,
      cell: ({ url }) => <Dimmed lineClamp={1}>{url}</Dimmed>,
    },
    {
      key: 'status',
      head: t.columns.status,
      cell: ({ status }) => <DeliveryBadge status={status} />,
    },
    {
      key: 'tries',
      head: t.columns.tries,
      kind: 'number',
      isWideOnly: true,
      cell: (delivery) => format.number(delivery.attempts_count),
    },
    {
      key: 'when',
      head: t.columns.when,
      cell: (delivery) => <Dimmed>{format.ago(delivery.created_at)}</Dimmed>,
    },
  ];
  return <DataTable name={t.sent} columns={columns} rows={deliveries} keyOf={({ id }) => id} isLinked />;
}
