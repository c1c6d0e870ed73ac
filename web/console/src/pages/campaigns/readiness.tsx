import { Button, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { CampaignResponse } from '#client/types.gen.js';
import { stateOf } from '../../catalog/assistant-state.js';
import { assistantsQuery } from '../../catalog/queries.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { lazyNamed } from '../../components/states/lazy-named.js';
import { Panel } from '../../components/page/panel.js';
import { meQuery } from '../../session/me.js';
import { useTexts } from '../../texts/texts.js';
import classes from './campaigns.module.css';
import { progressQuery } from './queries.js';

const EditDialog = lazyNamed(async () => (await import('./edit-dialog.js')).EditDialog);

interface Props {
  readonly campaign: CampaignResponse;
  readonly onAddLeads: () => void;
}

/** Checklist of what a campaign needs before it can start, with a way to each thing that is missing. */
export function Readiness({ campaign, onAddLeads }: Props) {
  const { ready: t, actions } = useTexts('campaigns');
  const { data: assistants } = useQuery(assistantsQuery);
  const { data: progress } = useQuery(progressQuery(campaign.id));
  const { data: me } = useQuery(meQuery);
  const [isEditing, editing] = useDisclosure(false);
  if (!assistants || !progress || !me) return null;
  const assistant = assistants.find(({ id }) => id === campaign.assistant_id);
  const edit = { label: t.cures.edit, onClick: editing.open };
  const checks = [
    { name: t.assistant, isOk: assistant !== undefined, cure: edit },
    {
      name: t.active,
      cure: assistant && {
        label: t.cures.assistant,
        renderRoot: toPage({ to: '/assistants/$id', params: { id: String(assistant.id) } }),
      },
      isOk: assistant !== undefined && stateOf(assistant) !== 'deactivated',
    },
    {
      name: t.number,
      cure: edit,
      isOk: campaign.phone_number_ids.length > 0 || typeof assistant?.phone_number_id === 'number',
    },
    {
      name: t.leads,
      isOk: progress.leads.waiting + progress.leads.running > 0,
      cure: { label: actions.addLeads, onClick: onAddLeads },
    },
    {
      name: t.balance,
      isOk: me.total_balance > 0,
      cure: { label: t.cures.balance, renderRoot: toPage({ to: '/billing' }) },
    },
  ];
  if (checks.every(({ isOk }) => isOk)) return null;
  return (
    <div className={classes.ready}>
      <Panel title={t.title}>
        <ul className={classes.checks}>
          {checks.map(({ name, isOk, cure }) => (
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
              {!isOk && cure && (
                <IfAllowed scope="campaigns">
                  <Button variant="default" size="compact-xs" {...cure}>
                    {cure.label}
                  </Button>
                </IfAllowed>
              )}
            </li>
          ))}
        </ul>
      </Panel>
      {isEditing && <EditDialog campaign={campaign} onClose={editing.close} />}
    </div>
  );
}

function toPage(link: LinkProps) {
  return (props: object) => <Link {...link} {...props} />;
}
