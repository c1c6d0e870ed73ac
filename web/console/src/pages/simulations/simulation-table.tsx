import { Badge } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { SimulationSummaryResponse } from '#client/types.gen.js';
import table from '../../components/tables/data-table.module.css';
import { TableScroll } from '../../components/tables/table-scroll.js';
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
  return (
    <TableScroll name={t.title}>
      <table className={table.table} data-cards>
        <thead>
          <tr>
            <th scope="col">{t.columns.name}</th>
            <th scope="col">{t.columns.result}</th>
            <th scope="col">{t.columns.created}</th>
          </tr>
        </thead>
        <tbody>
          {simulations.map((simulation) => (
            <tr key={simulation.id}>
              <td className={table.wrap}>
                <Link to="/simulations" search={{ ...search, simulation: simulation.id }}>
                  {simulation.name ?? t.unnamed(simulation.id)}
                </Link>
              </td>
              <td>
                <Result simulation={simulation} />
              </td>
              <td>{format.dateTime(simulation.created_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
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
