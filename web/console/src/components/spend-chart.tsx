import { Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getDailySpend } from '../../../../clients/typescript/src/sdk.gen.js';
import type { SpendDayResponse } from '../../../../clients/typescript/src/types.gen.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useFormat } from '../texts/use-format.js';
import { Loaded } from './states/loaded.js';
import { Panel } from './page/panel.js';
import classes from './spend-chart.module.css';

const DAYS = 30;
/** A bar of a day with little spend is still seen. */
const LEAST_PERCENT = 2;

export function useDailySpend() {
  return useQuery({
    queryKey: ['billing', 'spend', DAYS],
    queryFn: ({ signal }) => dataOf(getDailySpend({ query: { days: DAYS }, signal, throwOnError: true })),
  });
}

/** What was spent on each of the last days, as bars; as a table for whoever cannot see them. */
export function SpendChart() {
  const t = useTexts('billing').spend;
  const format = useFormat();
  const query = useDailySpend();
  const total = query.data?.data.reduce((sum, day) => sum + day.total, 0) ?? 0;
  return (
    <Panel
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <Text size="sm" c="dimmed" className="tabular">
          {t.total(format.money(total))}
        </Text>
      }
    >
      <Loaded query={query} lines={3}>
        {({ data }) =>
          total === 0 ? (
            <Text size="sm" c="dimmed" py="lg">
              {t.none}
            </Text>
          ) : (
            <Bars days={data} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function Bars({ days }: { readonly days: readonly SpendDayResponse[] }) {
  const format = useFormat();
  const most = Math.max(...days.map(({ total }) => total));
  const heightOf = (total: number) => (total === 0 ? 0 : Math.max(LEAST_PERCENT, (total / most) * 100));
  const [first, last] = [days[0], days.at(-1)];
  return (
    <>
      <div className={classes.chart} aria-hidden="true">
        {days.map(({ day, total }) => (
          <Tooltip key={day} label={`${format.calendarDay(day)}: ${format.money(total)}`} openDelay={0}>
            <div className={classes.column}>
              <div className={classes.bar} style={{ height: `${heightOf(total)}%` }} />
            </div>
          </Tooltip>
        ))}
      </div>
      <div className={classes.axis} aria-hidden="true">
        <span>{first && format.calendarDay(first.day)}</span>
        <span>{last && format.calendarDay(last.day)}</span>
      </div>
      <VisuallyHidden>
        <SpendTable days={days} />
      </VisuallyHidden>
    </>
  );
}

function SpendTable({ days }: { readonly days: readonly SpendDayResponse[] }) {
  const t = useTexts('billing').spend;
  const format = useFormat();
  return (
    <table>
      <caption>{t.title}</caption>
      <thead>
        <tr>
          <th scope="col">{t.day}</th>
          <th scope="col">{t.amount}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, total }) => (
          <tr key={day}>
            <th scope="row">{format.calendarDay(day)}</th>
            <td>{format.money(total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
