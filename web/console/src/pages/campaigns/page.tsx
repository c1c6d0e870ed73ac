import '@mantine/core/styles/Table.layer.css';
import { Button, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Megaphone, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import type { CampaignResponse } from '#client/types.gen.js';
import { assistantsQuery } from '../../catalog/queries.js';
import { EmptyState } from '../../components/states/empty-state.js';
import table from '../../components/tables/list-table.module.css';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { CampaignBadge } from './campaign-badge.js';
import { campaignsQuery, progressQuery } from './queries.js';
import { ShareBar } from '../../components/share-bar.js';

const route = getRouteApi('/shell/campaigns');

/** Each row requests its own progress, which limits the size of a page. */
const STEP = 25;
const REFRESH_MS = 5_000;

export function CampaignsPage() {
  const t = useTexts('campaigns');
  const campaigns = useQuery(campaignsQuery);
  const add = (
    <IfAllowed scope="campaigns">
      <Button component={Link} to="/campaigns/new" leftSection={<Plus size={16} />}>
        {t.add}
      </Button>
    </IfAllowed>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <Loaded query={campaigns}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Megaphone} title={t.none.title} action={add}>
              {t.none.text}
            </EmptyState>
          ) : (
            <Campaigns all={all} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Campaigns({ all }: { readonly all: readonly CampaignResponse[] }) {
  const t = useTexts('campaigns');
  const { actions } = useTexts('common');
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [most, setMost] = useState(STEP);
  const words = q.trim().toLowerCase();
  const found = all.filter(({ name }) => name.toLowerCase().includes(words));
  const search = (next: string) => void navigate({ search: next === '' ? {} : { q: next }, replace: true });
  return (
    <>
      <div className={table.filters}>
        <TextInput
          className={table.search}
          aria-label={t.search}
          placeholder={t.search}
          leftSection={<Search size={16} />}
          value={q}
          onChange={(event) => search(event.currentTarget.value)}
        />
      </div>
      <Panel flush>
        {found.length === 0 ? (
          <EmptyState icon={Search} title={t.none.filtered} />
        ) : (
          <Rows campaigns={found.slice(0, most)} />
        )}
      </Panel>
      {found.length > most && (
        <Button variant="default" mt="md" onClick={() => setMost(most + STEP)}>
          {actions.loadMore}
        </Button>
      )}
    </>
  );
}

function Rows({ campaigns }: { readonly campaigns: readonly CampaignResponse[] }) {
  const { columns } = useTexts('campaigns');
  return (
    <div className={table.scroll}>
      <Table className={table.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.name}</Table.Th>
            <Table.Th>{columns.status}</Table.Th>
            <Table.Th>{columns.progress}</Table.Th>
            <Table.Th className={table.wideOnly}>{columns.assistant}</Table.Th>
            <Table.Th className={table.wideOnly}>{columns.created}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {campaigns.map((campaign) => (
            <Row key={campaign.id} campaign={campaign} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Row({ campaign }: { readonly campaign: CampaignResponse }) {
  const format = useFormat();
  const { data: assistants } = useQuery(assistantsQuery);
  return (
    <Table.Tr className={table.row}>
      <Table.Td>
        <Link to="/campaigns/$id" params={{ id: String(campaign.id) }} className={table.rowLink}>
          {campaign.name}
        </Link>
      </Table.Td>
      <Table.Td>
        <CampaignBadge status={campaign.status} />
      </Table.Td>
      <Table.Td>
        <RowProgress campaign={campaign} />
      </Table.Td>
      <Table.Td className={table.wideOnly}>
        <Text size="sm" lineClamp={1}>
          {assistants?.find(({ id }) => id === campaign.assistant_id)?.name ?? '—'}
        </Text>
      </Table.Td>
      <Table.Td className={table.wideOnly}>
        <Text size="sm" c="dimmed">
          {format.recent(campaign.created_at)}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function RowProgress({ campaign: { id, name, status } }: { readonly campaign: CampaignResponse }) {
  const { progress: t } = useTexts('campaigns');
  const format = useFormat();
  const { data } = useQuery({
    ...progressQuery(id),
    refetchInterval: status === 'in-progress' ? REFRESH_MS : false,
  });
  if (!data) return null;
  const { total, completed, reached_max_retries: exhausted } = data.leads;
  if (total === 0) return <Text c="dimmed">—</Text>;
  return (
    <>
      <Text size="sm" className="tabular" mb={4}>
        {t.of(format.number(completed + exhausted), format.number(total))}
      </Text>
      <ShareBar
        label={t.label(name)}
        size="small"
        parts={[
          { name: t.completed, count: completed, color: 'good' },
          { name: t.exhausted, count: exhausted, color: 'quiet' },
        ]}
        total={total}
      />
    </>
  );
}
