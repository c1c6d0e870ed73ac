import { Alert, Text } from '@mantine/core';
import { Clock, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type {
  CampaignProgressResponse,
  CampaignResponse,
  DiallingPausedResponse,
} from '#client/types.gen.js';
import { Loaded } from '../../components/states/loaded.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './campaigns.module.css';
import { ShareBar, ShareLegend, type Share } from '../../components/share-bar.js';
import { useLiveProgress } from './use-live-progress.js';

/** Progress of a campaign and outcomes of its calls, live while it runs. */
export function Progress({ campaign }: { readonly campaign: CampaignResponse }) {
  const { progress, isBroken } = useLiveProgress(campaign.id, campaign.status === 'in-progress');
  return (
    <Loaded query={progress}>
      {(data) => (
        <>
          <PausedAlert progress={data} />
          <div className={classes.grid}>
            <div>
              <LeadProgress progress={data} name={campaign.name} isBroken={isBroken} />
            </div>
            <div>
              <Outcomes progress={data} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  );
}

interface Props {
  readonly progress: CampaignProgressResponse;
}

/** Reasons to wait that follow from the settings and are no problem. */
const PLANNED: ReadonlySet<DiallingPausedResponse['reason']> = new Set([
  'outside_allowed_hours',
  'nobody_due',
]);

function PausedAlert({ progress: { dialling_paused: paused } }: Props) {
  const { progress: t } = useTexts('campaigns');
  const format = useFormat();
  if (!paused) return null;
  const isPlanned = PLANNED.has(paused.reason);
  const Icon = isPlanned ? Clock : TriangleAlert;
  return (
    <Alert color={isPlanned ? 'gray' : 'amber'} icon={<Icon size={18} />} mb="md" role="status">
      {t.paused[paused.reason]} {paused.retry_at && t.retryAt(format.dateTime(paused.retry_at))}
    </Alert>
  );
}

function LeadProgress({ progress, name, isBroken }: Props & { name: string; isBroken: boolean }) {
  const { progress: t } = useTexts('campaigns');
  const format = useFormat();
  const { leads, rate_per_minute: rate, estimated_end: end } = progress;
  const parts: readonly Share[] = [
    { name: t.completed, count: leads.completed, color: 'good' },
    { name: t.exhausted, count: leads.reached_max_retries, color: 'quiet' },
    { name: t.running, count: leads.running, color: 'main' },
    { name: t.waiting, count: leads.waiting, color: 'strong' },
  ];
  return (
    <Panel title={t.title} subtitle={isBroken ? t.reconnecting : undefined}>
      {leads.total === 0 ? (
        <Text c="dimmed">{t.noLeads}</Text>
      ) : (
        <>
          <dl className={classes.figures}>
            <Figure name={t.leads}>{format.number(leads.total)}</Figure>
            <Figure name={t.rate}>{format.number(rate)}</Figure>
            {progress.status === 'in-progress' && (
              <Figure name={t.end} isSmall>
                {end === null ? t.unknownEnd : format.dateTime(end)}
              </Figure>
            )}
          </dl>
          <ShareBar label={t.label(name)} parts={parts.slice(0, 3)} total={leads.total} />
          <ShareLegend parts={parts} number={format.number} />
        </>
      )}
    </Panel>
  );
}

function Figure({ name, isSmall, children }: { name: string; isSmall?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-small={isSmall || undefined}>{children}</dd>
    </div>
  );
}

const OUTCOMES = [
  ['answered', 'good'],
  ['voicemail', 'warm'],
  ['no_answer', 'quiet'],
  ['busy', 'main'],
  ['failed', 'bad'],
  ['unknown', 'strong'],
] as const;

function Outcomes({ progress: { attempts } }: Props) {
  const { outcomes: t } = useTexts('campaigns');
  const format = useFormat();
  const parts = OUTCOMES.map(([name, color]) => ({ name: t.names[name], count: attempts[name], color }));
  const settled = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <Panel title={t.title} subtitle={t.total(format.number(attempts.total), attempts.total)}>
      {settled === 0 ? (
        <Text c="dimmed">{t.none}</Text>
      ) : (
        <>
          <ShareBar label={t.title} parts={parts} total={settled} />
          <ShareLegend parts={parts} number={format.number} />
        </>
      )}
    </Panel>
  );
}
