import type { CallResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { Panel } from '../../components/page/panel.js';
import { ShareBar, type Share, ShareLegend } from '../../components/share-bar.js';
import { Loaded } from '../../components/states/loaded.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { useAnalytics } from './queries.js';

type Outcome = 'talked' | 'live' | 'noAnswer' | 'busy' | 'failed';

/** Statuses that count as one outcome. */
const OUTCOMES: Readonly<Record<Outcome, readonly CallResponse['status'][]>> = {
  talked: ['completed', 'ended', 'ended_by_customer', 'ended_by_assistant'],
  live: ['initiated', 'ringing', 'in-progress'],
  noAnswer: ['no-answer'],
  busy: ['busy'],
  failed: ['failed'],
};
const COLORS: Readonly<Record<Outcome, Share['color']>> = {
  talked: 'good',
  live: 'main',
  noAnswer: 'warm',
  busy: 'quiet',
  failed: 'bad',
};

/** The outcomes of the calls. */
export function Outcomes({ days }: { readonly days: number }) {
  const t = useTexts('analytics');
  const format = useFormat();
  const query = useAnalytics(days, 'day');
  return (
    <Panel title={t.outcomes.title}>
      <Loaded query={query} lines={4}>
        {({ totals: { calls } }) => {
          if (calls.count === 0) {
            return <Dimmed>{t.none}</Dimmed>;
          }
          const parts = (Object.keys(OUTCOMES) as Outcome[]).map((outcome) => ({
            name: t.outcomes[outcome],
            count: OUTCOMES[outcome].reduce((sum, status) => sum + (calls.by_status[status] ?? 0), 0),
            color: COLORS[outcome],
          }));
          return (
            <>
              <ShareBar label={t.outcomes.title} parts={parts} total={calls.count} />
              <ShareLegend parts={parts} number={format.number} />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
