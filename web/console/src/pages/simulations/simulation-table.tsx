import { Badge } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { SimulationSummaryResponse } from '#client/types.gen.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

const route = getRouteApi('/shell/simulations');

interface Props {
  readonly simulations: readonly SimulationSummaryResponse[];
}

export function SimulationTable({ simulations }: Props) {
  const t = useTexts('simulations');
  const format = useFormat();
  const search = route.useSearch();
  const columns: readonly Column<SimulationSummaryResponse>[] = [
    {
      key: 'name',
      head: t.columns.name,
      kind: 'text',
      cell: ({ id, name }) => (
        <Link to="/simulations" search={{ ...search, simulation: id }}>
          {name ?? t.unnamed(id)}
        </Link>
      ),
    },
    {
      key: 'result',
      head: t.columns.result,
      cell: (simulation) => <Result simulation={simulation} />,
    },
    {
      key: 'created',
      head: t.columns.created,
      cell: (simulation) => format.dateTime(simulation.created_at),
    },
  ];
  return <DataTable name={t.title} columns={columns} rows={simulations} keyOf={({ id }) => id} />;
}

function Result({
  simulation: { status, runs, totals },
}: {
  readonly simulation: SimulationSummaryResponse;
}) {
  const t = useTexts('simulations');
  if (status === 'processing') return <Badge color="iris">{t.running(totals.pending)}</Badge>;
  return <Badge color={totals.passed === runs ? 'green' : 'red'}>{t.passed(totals.passed, runs)}</Badge>;
}
