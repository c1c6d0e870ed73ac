import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Megaphone, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import type { CampaignResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { assistantsQuery } from '../../catalog/queries.js';
import { SearchInput } from '../../components/inputs/search-input.js';
import { ListPage } from '../../components/page/list-page.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { SavedFilters } from '../../components/saved-filters/saved-filters.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import table from '../../components/tables/data-table.module.css';
import list from '../../components/tables/list-filters.module.css';
import { IfAllowed } from '../../components/if-allowed.js';
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
    <ListPage texts={t} icon={Megaphone} query={campaigns} actions={add}>
      {(all) => <Campaigns all={all} />}
    </ListPage>
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
  const search = (next: string) =>
    void navigate({ search: (now) => ({ ...now, q: next || undefined }), replace: true });
  return (
    <>
      <div className={list.filters}>
        <SearchInput
          className={list.search}
          aria-label={t.search}
          placeholder={t.search}
          leftSection={<Search size={16} />}
          value={q}
          onChange={search}
        />
        <SavedFilters page="campaigns" />
      </div>
      <Panel flush>
        {found.length === 0 ? (
          <EmptyState icon={Search} title={t.none.filtered} />
        ) : (
          <Rows campaigns={found} most={most} />
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

interface RowsProps {
  readonly campaigns: readonly CampaignResponse[];
  readonly most: number;
}

function Rows({ campaigns, most }: RowsProps) {
  const t = useTexts('campaigns');
  const { columns: heads } = t;
  const format = useFormat();
  const assistantOf = useAssistantNames();
  const columns: readonly Column<CampaignResponse>[] = [
    {
      key: 'name',
      head: heads.name,
      kind: 'text',
      cell: ({ id, name }) => (
        <Link to="/campaigns/$id" params={{ id: String(id) }} className={table.rowLink}>
          {name}
        </Link>
      ),
      sort: ({ name }) => name,
    },
    {
      key: 'status',
      head: heads.status,
      cell: ({ status }) => <CampaignBadge status={status} />,
      sort: ({ status }) => t.status[status],
    },
    { key: 'progress', head: heads.progress, cell: (campaign) => <RowProgress campaign={campaign} /> },
    {
      key: 'assistant',
      head: heads.assistant,
      kind: 'text',
      isWideOnly: true,
      cell: (campaign) => assistantOf(campaign) ?? '—',
      sort: (campaign) => assistantOf(campaign) ?? '',
    },
    {
      key: 'created',
      head: heads.created,
      isWideOnly: true,
      cell: (campaign) => <Dimmed>{format.recent(campaign.created_at)}</Dimmed>,
      sort: (campaign) => campaign.created_at,
    },
  ];
  return (
    <DataTable
      name={t.title}
      columns={columns}
      rows={campaigns}
      keyOf={({ id }) => id}
      isLinked
      most={most}
    />
  );
}

function useAssistantNames(): (campaign: CampaignResponse) => string | undefined {
  const { data: assistants } = useQuery(assistantsQuery);
  return (campaign) => assistants?.find(({ id }) => id === campaign.assistant_id)?.name;
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
