import { Anchor, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { InboundAnalyticsResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { Panel } from '../../components/page/panel.js';
import { Loaded } from '../../components/states/loaded.js';
import { Problem } from '../../components/states/problem.js';
import { ValueBars } from '../../components/value-bars.js';
import { capitalized } from '../../texts/capitalized.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './analytics.module.css';
import { InboundTable } from './inbound-table.js';
import { InboundWaits } from './inbound-waits.js';
import { useInboundAnalytics } from './queries.js';

interface Props {
  readonly days: number;
}

/** Inbound calls of numbers with a routing: the missed ones, reasons and waits. Without such calls there is no panel. */
export function Inbound({ days }: Props) {
  const { inbound: t } = useTexts('analytics');
  const query = useInboundAnalytics(days, 'number');
  if (query.error && !query.data) {
    return (
      <Panel title={t.title}>
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      </Panel>
    );
  }
  if (!query.data || query.data.totals.count === 0) return null;
  return <InboundPanel days={days} figures={query.data} />;
}

function InboundPanel({ days, figures }: Props & { readonly figures: InboundAnalyticsResponse }) {
  const { inbound: t } = useTexts('analytics');
  const format = useFormat();
  const { totals, groups, from, to } = figures;
  const hasWaits = totals.waited.count > 0;
  return (
    <Panel
      flush
      title={t.title}
      subtitle={t.summary(
        format.number(totals.count),
        totals.count,
        format.number(totals.turned_away),
        totals.turned_away,
      )}
      actions={
        totals.turned_away > 0 && (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link to="/calls" search={{ type: 'inbound', status: 'busy', from, to }} {...props} />
            )}
          >
            {t.show}
          </Anchor>
        )
      }
    >
      <div className={classes.inbound}>
        <MissedByHour days={days} />
        <div className={classes.inboundLists}>
          <Reasons counts={totals.by_reason} />
          {hasWaits && <InboundWaits figures={totals} />}
        </div>
      </div>
      <InboundTable groups={groups} hasWaits={hasWaits} />
    </Panel>
  );
}

function MissedByHour({ days }: Props) {
  const { inbound: t } = useTexts('analytics');
  const format = useFormat();
  const query = useInboundAnalytics(days, 'hour');
  return (
    <section>
      <Title order={3} mb="xs">
        {t.byHour}
      </Title>
      <Loaded query={query} lines={4}>
        {({ groups }) => (
          <ValueBars
            name={t.missed}
            timeName={t.hour}
            bars={groups.map(({ hour, turned_away: value }) => ({ time: t.hourOf(hour ?? 0), value }))}
            shown={format.number}
            none={t.none}
          />
        )}
      </Loaded>
    </section>
  );
}

function Reasons({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const { inbound: t } = useTexts('analytics');
  const { reasons: names } = useTexts('routing');
  const format = useFormat();
  const reasons = (Object.keys(names) as (keyof typeof names)[])
    .map((reason) => ({ reason, count: counts[reason] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
  return (
    <section>
      <Title order={3}>{t.reasons}</Title>
      <Dimmed mb="xs">{t.reasonsHint}</Dimmed>
      {reasons.length === 0 ? (
        <Dimmed>{t.noReasons}</Dimmed>
      ) : (
        <ul className={classes.reasons} aria-label={t.reasons}>
          {reasons.map(({ reason, count }) => (
            <li key={reason}>
              <span>{capitalized(names[reason])}</span>
              <span className="tabular">{format.number(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
