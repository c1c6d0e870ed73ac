import type { AnalyticsGroupResponse } from '#client/types.gen.js';
import { DayBars } from '../../components/day-bars.js';
import { Segments } from '../../components/inputs/segments.js';
import { Panel } from '../../components/page/panel.js';
import { Loaded } from '../../components/states/loaded.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './analytics.module.css';
import { useAnalytics } from './queries.js';
import { type Measure, MEASURES } from './view.js';

const VALUE_OF: Readonly<Record<Measure, (group: AnalyticsGroupResponse) => number>> = {
  calls: ({ calls }) => calls.count,
  minutes: ({ calls }) => calls.minutes,
  conversations: ({ conversations }) => conversations?.count ?? 0,
  messages: ({ conversations }) => conversations?.messages ?? 0,
  cost: ({ calls, conversations }) => calls.total_cost + (conversations?.total_cost ?? 0),
};

interface Props {
  readonly days: number;
  readonly measure: Measure;
  readonly onMeasure: (measure: Measure) => void;
}

/** One figure of each day, in the time zone of the account. */
export function ByDay({ days, measure, onMeasure }: Props) {
  const t = useTexts('analytics');
  const format = useFormat();
  const query = useAnalytics(days, 'day');
  return (
    <Panel title={t.byDay} subtitle={query.data && t.zone(query.data.timezone)}>
      <div className={classes.measure}>
        <Segments
          label={t.measure}
          value={measure}
          options={MEASURES.map((value) => ({ value, label: t.measures[value] }))}
          onChange={onMeasure}
        />
      </div>
      <Loaded query={query} lines={4}>
        {({ groups }) => (
          <DayBars
            name={t.measures[measure]}
            days={groups.map((group) => ({ day: group.day ?? '', value: VALUE_OF[measure](group) }))}
            shown={measure === 'cost' ? format.money : format.number}
            none={t.none}
          />
        )}
      </Loaded>
    </Panel>
  );
}
