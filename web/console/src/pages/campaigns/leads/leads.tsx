import '@mantine/core/styles/Table.layer.css';
import { Button, Select, Table, Text, TextInput } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Search, Upload, Users } from 'lucide-react';
import { exportLeads, listLeads } from '#client/sdk.gen.js';
import type { LeadResponse } from '#client/types.gen.js';
import { dataOf } from '../../../api/client.js';
import { EmptyState } from '../../../components/states/empty-state.js';
import { ExportButton } from '../../../components/actions/export-button.js';
import table from '../../../components/tables/list-table.module.css';
import { Pager } from '../../../components/tables/pager.js';
import { useLastPage } from '../../../components/tables/use-last-page.js';
import { Loaded } from '../../../components/states/loaded.js';
import { IfAllowed } from '../../../components/if-allowed.js';
import { Panel } from '../../../components/page/panel.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import classes from '../campaigns.module.css';
import { LeadBadge } from './lead-badge.js';
import { LeadDrawer } from './lead-drawer.js';
import { LEAD_STATUSES } from './lead-statuses.js';

const route = getRouteApi('/shell/campaigns/$id');
const PER_PAGE = 25;

interface Filters {
  readonly status?: LeadResponse['status'];
  readonly phone?: string;
  readonly page?: number;
}

export const leadsQuery = (campaignId: number, { status, phone, page = 1 }: Filters) =>
  queryOptions({
    queryKey: ['leads', campaignId, { status, phone, page }],
    queryFn: ({ signal }) =>
      dataOf(
        listLeads({
          query: {
            campaign_id: campaignId,
            page,
            per_page: PER_PAGE,
            ...(status && { status }),
            ...(phone && { phone_number: phone }),
          },
          signal,
          throwOnError: true,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export function Leads({ campaignId, onAdd }: { readonly campaignId: number; readonly onAdd: () => void }) {
  const { leads: t, actions } = useTexts('campaigns');
  const { status, phone, page = 1, lead: open } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = { ...(status && { status }), ...(phone && { phone }) };
  const leads = useQuery(leadsQuery(campaignId, { ...filters, page }));
  const showPage = (next: number) => void navigate({ search: { ...filters, page: next } });
  const isGone = useLastPage(leads.data, showPage);
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
              <LeadRows leads={found.data} />
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
          load={() => exportLeads({ path: { id: campaignId }, query, parseAs: 'blob', throwOnError: true })}
        />
      )}
    </div>
  );
}

function LeadFilters() {
  const { leads: t } = useTexts('campaigns');
  const { status, phone } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = (next: Filters) => void navigate({ search: next, replace: true });
  return (
    <>
      <TextInput
        aria-label={t.search}
        placeholder={t.search}
        leftSection={<Search size={16} />}
        value={phone ?? ''}
        maxLength={40}
        onChange={(event) =>
          filter({
            ...(status && { status }),
            ...(event.currentTarget.value !== '' && { phone: event.currentTarget.value }),
          })
        }
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

function LeadRows({ leads }: { readonly leads: readonly LeadResponse[] }) {
  const { leads: t } = useTexts('campaigns');
  const format = useFormat();
  return (
    <div className={table.scroll}>
      <Table className={table.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.columns.phone}</Table.Th>
            <Table.Th className={table.wideOnly}>{t.columns.variables}</Table.Th>
            <Table.Th>{t.columns.status}</Table.Th>
            <Table.Th className={table.wideOnly}>{t.columns.updated}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {leads.map((lead) => (
            <Table.Tr key={lead.id} className={table.row}>
              <Table.Td>
                <Link
                  from="/campaigns/$id"
                  to="."
                  search={(now) => ({ ...now, lead: lead.id })}
                  resetScroll={false}
                  className={`${table.rowLink} tabular`}
                >
                  {lead.phone_number}
                </Link>
              </Table.Td>
              <Table.Td className={table.wideOnly}>
                <Text size="sm" c="dimmed" lineClamp={1}>
                  {summaryOf(lead.variables)}
                </Text>
              </Table.Td>
              <Table.Td>
                <LeadBadge {...lead} />
              </Table.Td>
              <Table.Td className={table.wideOnly}>
                <Text size="sm" c="dimmed">
                  {format.ago(lead.updated_at)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function summaryOf(variables: Readonly<Record<string, unknown>>): string {
  return Object.entries(variables)
    .slice(0, 4)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}
