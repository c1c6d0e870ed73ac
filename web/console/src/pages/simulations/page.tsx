import { Button, NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Bot, FlaskConical, Plus } from 'lucide-react';
import { listAssistants, listSimulations } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { Loaded } from '../../components/states/loaded.js';
import list from '../../components/tables/list-filters.module.css';
import { Pager } from '../../components/tables/pager.js';
import { useLastPage } from '../../components/tables/use-last-page.js';
import { useTexts } from '../../texts/texts.js';
import { BeginDialog } from './begin-dialog.js';
import type { SimulationFilters } from './filters.js';
import { SimulationDrawer } from './simulation-drawer.js';
import { SimulationTable } from './simulation-table.js';

const route = getRouteApi('/shell/simulations');
/** Runs send no hints. */
const RUNNING_EVERY_MS = 2_000;

/** Scripted conversations with an assistant, and what came of them. */
export function SimulationsPage() {
  const t = useTexts('simulations');
  const { assistant } = route.useSearch();
  const navigate = route.useNavigate();
  const assistants = useQuery({
    queryKey: ['assistants', 'names'],
    queryFn: ({ signal }) => dataOf(listAssistants, { signal }),
  });
  const [isBeginning, beginning] = useDisclosure(false);
  const chosen = assistants.data?.find(({ id }) => id === assistant) ?? assistants.data?.[0];
  const begin = chosen && (
    <IfAllowed scope="admin">
      <Button leftSection={<Plus size={16} />} onClick={beginning.open}>
        {t.begin}
      </Button>
    </IfAllowed>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={begin}>
      <Loaded query={assistants}>
        {(all) =>
          chosen === undefined ? (
            <NoAssistants />
          ) : (
            <>
              <search aria-label={t.title} className={list.filters} data-labelled>
                <NativeSelect
                  label={t.assistant}
                  className={list.search}
                  value={String(chosen.id)}
                  data={all.map(({ id, name }) => ({ value: String(id), label: name }))}
                  onChange={({ currentTarget }) =>
                    void navigate({ search: { assistant: Number(currentTarget.value) }, replace: true })
                  }
                />
              </search>
              <Simulations assistant={chosen.id} />
              {isBeginning && <BeginDialog assistant={chosen.id} onClose={beginning.close} />}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Simulations({ assistant }: { readonly assistant: number }) {
  const t = useTexts('simulations');
  const { page, simulation, ...others } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (search: SimulationFilters) => void navigate({ search, replace: true });
  const query = useQuery({
    queryKey: ['simulations', 'list', assistant, page],
    queryFn: ({ signal }) =>
      dataOf(listSimulations, {
        path: { id: assistant },
        query: { per_page: 25, ...(page && { page }) },
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'processing') ? RUNNING_EVERY_MS : false,
  });
  const showPage = (next: number) => show({ ...others, page: next });
  const isGone = useLastPage(query.data, showPage);
  return (
    <Panel flush>
      <Loaded query={query}>
        {(found) =>
          isGone ? null : found.data.length === 0 ? (
            <EmptyState icon={FlaskConical} title={t.empty.title}>
              {t.empty.text}
            </EmptyState>
          ) : (
            <>
              <SimulationTable simulations={found.data} />
              <Pager page={found} onPage={showPage} />
            </>
          )
        }
      </Loaded>
      <SimulationDrawer id={simulation} onClose={() => show({ ...others, ...(page && { page }) })} />
    </Panel>
  );
}

function NoAssistants() {
  const t = useTexts('simulations').noAssistants;
  return (
    <EmptyState
      icon={Bot}
      title={t.title}
      action={<Button renderRoot={(props) => <Link to="/assistants" {...props} />}>{t.action}</Button>}
    >
      {t.text}
    </EmptyState>
  );
}
