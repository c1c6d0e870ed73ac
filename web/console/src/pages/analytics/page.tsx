import { useNavigate, getRouteApi } from '@tanstack/react-router';
import { Segments } from '../../components/inputs/segments.js';
import { Page } from '../../components/page/page.js';
import { useTexts } from '../../texts/texts.js';
import classes from './analytics.module.css';
import { ByDay } from './by-day.js';
import { Groups } from './groups.js';
import { Inbound } from './inbound.js';
import { Outcomes } from './outcomes.js';
import { Totals } from './totals.js';
import { type AnalyticsView, analyticsViewFrom, DAYS, DEFAULT_DAYS } from './view.js';

const route = getRouteApi('/shell/analytics');

/** The outcomes of calls and conversations, their costs, and how long customers waited. */
export function AnalyticsPage() {
  const t = useTexts('analytics');
  const view = route.useSearch();
  const navigate = useNavigate();
  const show = (changed: AnalyticsView) =>
    void navigate({ to: '/analytics', search: analyticsViewFrom({ ...view, ...changed }), replace: true });
  const days = view.days ?? DEFAULT_DAYS;
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      wide
      actions={
        <div className={classes.period}>
          <Segments
            label={t.period}
            value={String(days)}
            options={DAYS.map((value) => ({ value: String(value), label: t.days(value) }))}
            onChange={(value) => show({ days: Number(value) as (typeof DAYS)[number] })}
          />
        </div>
      }
    >
      <div className={classes.page}>
        <Totals days={days} />
        <div className={classes.columns}>
          <ByDay days={days} measure={view.measure ?? 'calls'} onMeasure={(measure) => show({ measure })} />
          <Outcomes days={days} />
        </div>
        <Inbound days={days} />
        <Groups days={days} by={view.by ?? 'assistant'} onBy={(by) => show({ by })} />
      </div>
    </Page>
  );
}
