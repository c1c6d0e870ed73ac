import { useQuery } from '@tanstack/react-query';
import { getDailySpend } from '#client/sdk.gen.js';
import { Dimmed } from './dimmed.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useFormat } from '../texts/use-format.js';
import { DayBars } from './day-bars.js';
import { Loaded } from './states/loaded.js';
import { Panel } from './page/panel.js';

const DAYS = 30;

export function useDailySpend() {
  return useQuery({
    queryKey: ['billing', 'spend', DAYS],
    queryFn: ({ signal }) => dataOf(getDailySpend, { query: { days: DAYS }, signal }),
  });
}

/** Spend of each of the last days. */
export function SpendChart() {
  const t = useTexts('billing').spend;
  const format = useFormat();
  const query = useDailySpend();
  const total = query.data?.data.reduce((sum, day) => sum + day.total, 0) ?? 0;
  return (
    <Panel
      title={t.title}
      subtitle={t.subtitle}
      actions={<Dimmed className="tabular">{t.total(format.money(total))}</Dimmed>}
    >
      <Loaded query={query} lines={3}>
        {({ data }) => (
          <DayBars
            name={t.amount}
            days={data.map(({ day, total: value }) => ({ day, value }))}
            shown={format.money}
            none={t.none}
          />
        )}
      </Loaded>
    </Panel>
  );
}
