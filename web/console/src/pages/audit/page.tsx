import '@mantine/core/styles/Table.layer.css';
import { Button, Group, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ScrollText, Search } from 'lucide-react';
import { exportAuditLog, listAuditLog } from '#client/sdk.gen.js';
import { dataOf, fileOf } from '../../api/client.js';
import { ExportButton } from '../../components/actions/export-button.js';
import { DateRange } from '../../components/inputs/date-range.js';
import { EmptyState } from '../../components/states/empty-state.js';
import list from '../../components/tables/list-filters.module.css';
import { Loaded } from '../../components/states/loaded.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';
import { Entries } from './entries.js';
import type { AuditFilters } from './filters.js';

const route = getRouteApi('/shell/audit');

/** Who signed in and who changed what, newest first. */
export function AuditPage() {
  const t = useTexts('audit');
  const { actions } = useTexts('common');
  const filters = route.useSearch();
  const isFiltered = Object.keys(filters).length > 0;
  const log = useLog(filters);
  const shown = { ...log, data: log.data?.pages.flatMap(({ data }) => data) };
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      wide
      actions={
        shown.data &&
        shown.data.length > 0 && (
          <ExportButton
            fileName="audit-log.csv"
            load={() => fileOf(exportAuditLog, { query: toQuery(filters) })}
          />
        )
      }
    >
      <Filters filters={filters} isFiltered={isFiltered} />
      <Panel flush>
        <Loaded query={shown}>
          {(entries) =>
            entries.length === 0 ? (
              <EmptyState
                icon={isFiltered ? Search : ScrollText}
                title={isFiltered ? t.none.filtered : t.none.title}
              >
                {isFiltered ? t.none.filteredText : t.none.text}
              </EmptyState>
            ) : (
              <Entries entries={entries} />
            )
          }
        </Loaded>
        {log.isFetchNextPageError && <Problem error={log.error} onRetry={() => void log.fetchNextPage()} />}
        {log.hasNextPage && !log.isFetchNextPageError && (
          <Group justify="center" p="sm">
            <Button
              variant="subtle"
              size="xs"
              loading={log.isFetchingNextPage}
              onClick={() => void log.fetchNextPage()}
            >
              {actions.loadMore}
            </Button>
          </Group>
        )}
      </Panel>
    </Page>
  );
}

function toQuery({ action, from, to }: AuditFilters) {
  return {
    ...(action && { action }),
    ...(from && { date_from: from }),
    ...(to && { date_to: to }),
  };
}

function useLog({ action, from, to }: AuditFilters) {
  return useInfiniteQuery({
    queryKey: ['audit-log', { action, from, to }],
    queryFn: ({ signal, pageParam: cursor }) =>
      dataOf(listAuditLog, {
        query: {
          ...toQuery({ action, from, to }),
          ...(cursor && { cursor }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
  });
}

interface FiltersProps {
  readonly filters: AuditFilters;
  readonly isFiltered: boolean;
}

function Filters({ filters, isFiltered }: FiltersProps) {
  const t = useTexts('audit');
  const { notFound } = useTexts('forms');
  const navigate = route.useNavigate();
  const set = (changed: { readonly [Name in keyof AuditFilters]: string | undefined }) => {
    const next = Object.entries({ ...filters, ...changed }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(next) as AuditFilters });
  };
  const { action } = filters;
  const known = Object.entries(t.actions).map(([value, label]) => ({ value, label }));
  const options = known.sort((one, other) => one.label.localeCompare(other.label));
  return (
    <search aria-label={t.filters.label} className={list.filters} data-labelled>
      <Select
        label={t.filters.action}
        placeholder={t.filters.all}
        data={
          action && !Object.hasOwn(t.actions, action)
            ? [{ value: action, label: action }, ...options]
            : options
        }
        value={action ?? null}
        searchable
        clearable
        nothingFoundMessage={notFound}
        className={list.search}
        onChange={(value) => set({ action: value ?? undefined })}
      />
      <DateRange texts={t.filters} value={filters} onChange={set} />
      {isFiltered && (
        <Button variant="subtle" color="gray" onClick={() => void navigate({ search: {} })}>
          {t.filters.clear}
        </Button>
      )}
    </search>
  );
}
