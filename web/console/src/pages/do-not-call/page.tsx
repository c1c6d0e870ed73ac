import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PhoneOff, Plus, SearchX } from 'lucide-react';
import { listDoNotCall } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { SearchInput } from '../../components/inputs/search-input.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { Loaded } from '../../components/states/loaded.js';
import list from '../../components/tables/list-filters.module.css';
import { Pager } from '../../components/tables/pager.js';
import { useSelection } from '../../components/tables/use-selection.js';
import { useLastPage } from '../../components/tables/use-last-page.js';
import { useIsAllowed } from '../../session/rights.js';
import { useTexts } from '../../texts/texts.js';
import { AddDialog } from './add-dialog.js';
import { EntryBulk } from './entry-bulk.js';
import { EntryTable } from './entry-table.js';
import { type DoNotCallFilters, toQuery } from './filters.js';

const route = getRouteApi('/shell/do-not-call');

/** Numbers that the account never calls. */
export function DoNotCallPage() {
  const t = useTexts('doNotCall');
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const [isAdding, adding] = useDisclosure(false);
  const show = (search: DoNotCallFilters) => void navigate({ search, replace: true });
  const query = useQuery({
    queryKey: ['do-not-call', filters],
    queryFn: ({ signal }) => dataOf(listDoNotCall, { query: toQuery(filters), signal }),
    placeholderData: keepPreviousData,
  });
  const showPage = (page: number) => show({ ...filters, page });
  const isAllowed = useIsAllowed('calls');
  const selection = useSelection(query.data?.data.map(({ id }) => id) ?? []);
  const isGone = useLastPage(query.data, showPage);
  const add = (
    <IfAllowed scope="calls">
      <Button leftSection={<Plus size={16} />} onClick={adding.open}>
        {t.add}
      </Button>
    </IfAllowed>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <search aria-label={t.search} className={list.filters} data-labelled>
        <SearchInput
          type="tel"
          label={t.search}
          placeholder="+55 11…"
          value={filters.phone ?? ''}
          maxLength={64}
          className={list.search}
          onChange={(phone) => show({ ...filters, page: undefined, phone: phone || undefined })}
        />
      </search>
      <Panel flush>
        <Loaded query={query}>
          {(page) =>
            isGone ? null : page.data.length === 0 ? (
              <NoEntries isFiltered={filters.phone !== undefined} onClear={() => show({})} />
            ) : (
              <>
                <EntryBulk selection={selection} />
                <EntryTable entries={page.data} selection={isAllowed ? selection : undefined} />
                <Pager page={page} onPage={showPage} />
              </>
            )
          }
        </Loaded>
      </Panel>
      {isAdding && <AddDialog onClose={adding.close} />}
    </Page>
  );
}

interface NoEntriesProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function NoEntries({ isFiltered, onClear }: NoEntriesProps) {
  const t = useTexts('doNotCall');
  if (!isFiltered) {
    return (
      <EmptyState icon={PhoneOff} title={t.empty.title}>
        {t.empty.text}
      </EmptyState>
    );
  }
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t.clear}
    </Button>
  );
  return <EmptyState icon={SearchX} title={t.empty.filtered} action={clear} />;
}
