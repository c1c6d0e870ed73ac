import { Button, Group } from '@mantine/core';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { Problem } from '../../components/states/problem.js';
import { lazyNamed } from '../../components/states/lazy-named.js';
import { useTexts } from '../../texts/texts.js';
import classes from './campaigns.module.css';
import { useStatusChange } from './use-status-change.js';

const LeadImport = lazyNamed(async () => (await import('./leads/lead-import.js')).LeadImport);

interface Props {
  readonly campaignId: number;
  /** To the page of the campaign. */
  readonly onDone: () => void;
}

/** The last step of a new campaign: its contacts, and its start. */
export function LeadsStep({ campaignId, onDone }: Props) {
  const { form: t } = useTexts('campaigns');
  const [isImported, setImported] = useState(false);
  const change = useStatusChange(campaignId);
  return (
    <div className={classes.leadsStep}>
      <LeadImport campaignId={campaignId} onDone={({ imported }) => setImported(imported > 0)} />
      {change.error && <Problem error={change.error} />}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onDone}>
          {isImported ? t.finish : t.later}
        </Button>
        {isImported && (
          <Button
            leftSection={<Play size={16} aria-hidden="true" />}
            loading={change.isPending}
            onClick={() => change.mutate('start', { onSuccess: onDone })}
          >
            {t.start}
          </Button>
        )}
      </Group>
    </div>
  );
}
