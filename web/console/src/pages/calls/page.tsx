import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { PhoneOff, SearchX } from 'lucide-react';
import { exportCalls, listCalls } from '#client/sdk.gen.js';
import { dataOf, fileOf } from '../../api/client.js';
import { CallNowButton } from '../../components/call-now/call-now-button.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { ExportButton } from '../../components/actions/export-button.js';
import { Loaded } from '../../components/states/loaded.js';
import { Page } from '../../components/page/page.js';
import { Pager } from '../../components/tables/pager.js';
import { useSelection } from '../../components/tables/use-selection.js';
import { SavedFilters } from '../../components/saved-filters/saved-filters.js';
import { useLastPage } from '../../components/tables/use-last-page.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { CallBulk } from './call-bulk.js';
import { CallDrawer } from './call-drawer.js';
import { CallFiltersForm } from './call-filters.js';
import { CallTable } from './call-table.js';
import { type CallFilters, isFiltered, toExportQuery, toQuery } from './filters.js';

const route = getRouteApi('/shell/calls');

export function CallsPage() {
  const t = useTexts('calls');
  const { call, ...filters } = route.useSearch();
  const navigate = useNavigate();
  const show = (search: CallFilters) => void navigate({ to: '/calls', search, replace: true });
  const query = useQuery({
    queryKey: ['calls', 'list', filters],
    queryFn: ({ signal }) => dataOf(listCalls, { query: toQuery(filters), signal }),
    placeholderData: keepPreviousData,
  });
  const selection = useSelection(query.data?.data.map(({ id }) => id) ?? []);
  const showPage = (page: number) => show({ ...filters, page });
  const isGone = useLastPage(query.data, showPage);
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      wide
      actions={
        <>
          <SavedFilters page="calls" />
          {query.data && query.data.data.length > 0 && (
            <ExportButton
              fileName="calls.csv"
              load={() => fileOf(exportCalls, { query: toExportQuery(filters) })}
            />
          )}
          <CallNowButton />
        </>
      }
    >
      <CallFiltersForm
        filters={filters}
        onChange={(changed) => show({ ...changed, sort: filters.sort, page: undefined })}
      />
      <Panel flush>
        <Loaded query={query} lines={8}>
          {(page) =>
            isGone ? null : page.data.length === 0 ? (
              <NoCalls isFiltered={isFiltered(filters)} />
            ) : (
              <>
                <CallBulk selection={selection} />
                <CallTable calls={page.data} selection={selection} />
                <Pager page={page} onPage={showPage} />
              </>
            )
          }
        </Loaded>
      </Panel>
      <CallDrawer id={call} onClose={() => show(filters)} />
    </Page>
  );
}

function NoCalls({ isFiltered: hasFilters }: { readonly isFiltered: boolean }) {
  const t = useTexts('calls');
  if (hasFilters) {
    return (
      <EmptyState
        icon={SearchX}
        title={t.empty.filtered}
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/calls" {...props} />}>
            {t.filters.clear}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={PhoneOff}
      title={t.empty.title}
      action={<Button renderRoot={(props) => <Link to="/numbers" {...props} />}>{t.empty.action}</Button>}
    >
      {t.empty.text}
    </EmptyState>
  );
}
