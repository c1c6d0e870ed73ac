import { Button, Select } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Search, Upload, Users } from 'lucide-react';
import { exportLeads, listLeads } from '#client/sdk.gen.js';
import type { LeadResponse } from '#client/types.gen.js';
import { Dimmed } from '../../../components/dimmed.js';
import { dataOf, fileOf } from '../../../api/client.js';
import { SearchInput } from '../../../components/inputs/search-input.js';
import { EmptyState } from '../../../components/states/empty-state.js';
import { ExportButton } from '../../../components/actions/export-button.js';
import { type Column, DataTable } from '../../../components/tables/data-table.js';
import table from '../../../components/tables/data-table.module.css';
import { type Selection, useSelection } from '../../../components/tables/use-selection.js';
import { Pager } from '../../../components/tables/pager.js';
import { useLastPage } from '../../../components/tables/use-last-page.js';
import { Loaded } from '../../../components/states/loaded.js';
import { IfAllowed } from '../../../components/if-allowed.js';
import { Panel } from '../../../components/page/panel.js';
import { useIsAllowed } from '../../../session/rights.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import classes from '../campaigns.module.css';
import { LeadBulk } from './lead-bulk.js';
import { LeadBadge } from './lead-badge.js';
import { LeadDrawer } from './lead-drawer.js';
import { LEAD_STATUSES } from './lead-statuses.js';

const route = getRouteApi('/shell/campaigns/$id');
const PER_PAGE = 25;

interface Filters {
  readonly status?: LeadResponse['status'];
  readonly phone?: string;
  readonly page?: number;
  readonly sort?: 'oldest' | undefined;
}

export const leadsQuery = (campaignId: number, { status, phone, sort, page = 1 }: Filters) =>
  queryOptions({
    queryKey: ['leads', campaignId, { status, phone, sort, page }],
    queryFn: ({ signal }) =>
      dataOf(listLeads, {
        query: {
          campaign_id: campaignId,
          page,
          per_page: PER_PAGE,
          ...(status && { status }),
          ...(phone && { phone_number: phone }),
          ...(sort && { sort }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export function Leads({ campaignId, onAdd }: { readonly campaignId: number; readonly onAdd: () => void }) {
  const { leads: t, actions } = useTexts('campaigns');
  const { status, phone, sort, page = 1, lead: open } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = { ...(status && { status }), ...(phone && { phone }), ...(sort && { sort }) };
  const leads = useQuery(leadsQuery(campaignId, { ...filters, page }));
  const showPage = (next: number) => void navigate({ search: { ...filters, page: next } });
  const isGone = useLastPage(leads.data, showPage);
  const isAllowed = useIsAllowed('campaigns');
  const selection = useSelection(leads.data?.data.map(({ id }) => id) ?? []);
  const isFiltered = status !== undefined || phone !== undefined;
  return (
    <Panel
      flush
      title={t.title}
      actions={<LeadActions campaignId={campaignId} hasLeads={(leads.data?.total ?? 0) > 0} />}
    >
      <Loaded query={leads}>
        {(found) =>
          isGone ? null : found.data.length === 0 ? (
            <EmptyState
              icon={isFiltered ? Search : Users}
              title={isFiltered ? t.noneFiltered : t.none}
              action={
                !isFiltered && (
                  <IfAllowed scope="campaigns">
                    <Button variant="default" leftSection={<Upload size={16} />} onClick={onAdd}>
                      {actions.addLeads}
                    </Button>
                  </IfAllowed>
                )
              }
            >
              {!isFiltered && t.noneText}
            </EmptyState>
          ) : (
            <>
              <LeadBulk campaignId={campaignId} selection={selection} />
              <LeadRows leads={found.data} selection={isAllowed ? selection : undefined} />
              <Pager page={found} onPage={showPage} />
            </>
          )
        }
      </Loaded>
      {open !== undefined && (
        <LeadDrawer
          id={open}
          campaignId={campaignId}
          onClose={() => void navigate({ search: { ...filters, page } })}
        />
      )}
    </Panel>
  );
}

function LeadActions({ campaignId, hasLeads }: { readonly campaignId: number; readonly hasLeads: boolean }) {
  const { status, phone } = route.useSearch();
  const query = { ...(status && { status }), ...(phone && { phone_number: phone }) };
  return (
    <div className={classes.leadFilters}>
      <LeadFilters />
      {hasLeads && (
        <ExportButton
          fileName={`campaign-${campaignId}-leads.csv`}
          load={() => fileOf(exportLeads, { path: { id: campaignId }, query })}
        />
      )}
    </div>
  );
}

function LeadFilters() {
  const { leads: t } = useTexts('campaigns');
  const { status, phone, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = (next: Filters) =>
    void navigate({ search: { ...next, ...(sort && { sort }) }, replace: true });
  return (
    <>
      <SearchInput
        aria-label={t.search}
        placeholder={t.search}
        leftSection={<Search size={16} />}
        value={phone ?? ''}
        maxLength={40}
        onChange={(typed) => filter({ ...(status && { status }), ...(typed !== '' && { phone: typed }) })}
      />
      <Select
        aria-label={t.filter}
        placeholder={t.all}
        data={LEAD_STATUSES.map((value) => ({ value, label: t.status[value] }))}
        value={status ?? null}
        clearable
        w="11rem"
        onChange={(value) => filter({ ...(value && { status: value }), ...(phone && { phone }) })}
      />
    </>
  );
}

interface LeadRowsProps {
  readonly leads: readonly LeadResponse[];
  readonly selection: Selection | undefined;
}

function LeadRows({ leads, selection }: LeadRowsProps) {
  const { leads: t } = useTexts('campaigns');
  const format = useFormat();
  const columns: readonly Column<LeadResponse>[] = [
    {
      key: 'phone',
      head: t.columns.phone,
      cell: ({ id, phone_number }) => (
        <Link
          from="/campaigns/$id"
          to="."
          search={(now) => ({ ...now, lead: id })}
          resetScroll={false}
          className={`${table.rowLink} tabular`}
        >
          {phone_number}
        </Link>
      ),
    },
    {
      key: 'variables',
      head: t.columns.variables,
      kind: 'text',
      isWideOnly: true,
      cell: ({ variables }) => <Dimmed lineClamp={1}>{summaryOf(variables)}</Dimmed>,
    },
    { key: 'status', head: t.columns.status, cell: (lead) => <LeadBadge {...lead} /> },
    {
      key: 'created',
      head: t.columns.created,
      isWideOnly: true,
      cell: (lead) => <Dimmed>{format.ago(lead.created_at)}</Dimmed>,
      sort: { asc: 'oldest', desc: 'newest' },
    },
    {
      key: 'updated',
      head: t.columns.updated,
      isWideOnly: true,
      cell: (lead) => <Dimmed>{format.ago(lead.updated_at)}</Dimmed>,
    },
  ];
  return (
    <DataTable
      name={t.title}
      columns={columns}
      rows={leads}
      keyOf={({ id }) => id}
      initial="newest"
      isLinked
      selection={selection}
      rowName={({ phone_number }) => phone_number}
    />
  );
}

function summaryOf(variables: Readonly<Record<string, unknown>>): string {
  return Object.entries(variables)
    .slice(0, 4)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}
