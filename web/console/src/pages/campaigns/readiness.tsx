import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { CampaignResponse } from '#client/types.gen.js';
import { assistantsQuery } from '../../catalog/queries.js';
import { Panel } from '../../components/page/panel.js';
import { meQuery } from '../../session/me.js';
import { useTexts } from '../../texts/texts.js';
import classes from './campaigns.module.css';
import { progressQuery } from './queries.js';

/** Checklist of what a campaign needs before it can start. */
export function Readiness({ campaign }: { readonly campaign: CampaignResponse }) {
  const { ready: t } = useTexts('campaigns');
  const { data: assistants } = useQuery(assistantsQuery);
  const { data: progress } = useQuery(progressQuery(campaign.id));
  const { data: me } = useQuery(meQuery);
  if (!assistants || !progress || !me) return null;
  const assistant = assistants.find(({ id }) => id === campaign.assistant_id);
  const checks = [
    { name: t.assistant, isOk: assistant !== undefined },
    {
      name: t.active,
      isOk:
        assistant !== undefined && (assistant.status === 'active' || assistant.activates_by_use !== false),
    },
    {
      name: t.number,
      isOk: campaign.phone_number_ids.length > 0 || typeof assistant?.phone_number_id === 'number',
    },
    { name: t.leads, isOk: progress.leads.waiting + progress.leads.running > 0 },
    { name: t.balance, isOk: me.total_balance > 0 },
  ];
  if (checks.every(({ isOk }) => isOk)) return null;
  return (
    <div className={classes.ready}>
      <Panel title={t.title}>
        <ul className={classes.checks}>
          {checks.map(({ name, isOk }) => (
            <li key={name} data-ok={isOk || undefined}>
              {isOk ? (
                <CircleCheck size={17} aria-hidden="true" />
              ) : (
                <CircleAlert size={17} aria-hidden="true" />
              )}
              <span>
                <VisuallyHidden>{isOk ? t.ok : t.missing} </VisuallyHidden>
                {name}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
