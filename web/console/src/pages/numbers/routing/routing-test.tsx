import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { testNumberRouting } from '#client/sdk.gen.js';
import type { RoutingTestResponse } from '#client/types.gen.js';
import { Dimmed } from '../../../components/dimmed.js';
import { dataOf } from '../../../api/client.js';
import { Facts } from '../../../components/facts.js';
import { Form } from '../../../components/inputs/form.js';
import { Panel } from '../../../components/page/panel.js';
import { Problem } from '../../../components/states/problem.js';
import { FieldGrid } from '../../../forms/section.js';
import { useTexts } from '../../../texts/texts.js';
import { useFieldErrors } from '../../../texts/use-error-text.js';
import { LookupOutcome } from './lookup/lookup-outcome.js';
import { lookupsQuery } from './queries.js';
import classes from './routing.module.css';

interface Props {
  readonly phoneNumberId: number;
  /** The test uses the saved routing. */
  readonly isDirty: boolean;
  readonly hasLookup: boolean;
}

/** Shows what would happen to a call at a moment. No one is called. */
export function RoutingTest({ phoneNumberId, isDirty, hasLookup }: Props) {
  const { test: t } = useTexts('numberRouting');
  const fieldErrors = useFieldErrors();
  const [phone, setPhone] = useState('');
  const [moment, setMoment] = useState('');
  const test = useMutation({
    mutationFn: async () => {
      const at = moment === '' ? null : new Date(moment).toISOString();
      const body = { customer_phone: phone, at };
      return (await dataOf(testNumberRouting, { path: { id: phoneNumberId }, body })).data;
    },
    meta: { changes: [lookupsQuery(phoneNumberId).queryKey] },
  });
  const errors = fieldErrors(test.error);
  return (
    <Panel title={t.title} subtitle={hasLookup ? `${t.subtitle} ${t.asksServer}` : t.subtitle}>
      <Form onSubmit={() => test.mutate()} className={classes.test}>
        <FieldGrid>
          <TextInput
            type="tel"
            label={t.phone}
            placeholder={t.phonePlaceholder}
            value={phone}
            error={errors.customer_phone}
            required
            withAsterisk={false}
            autoComplete="off"
            onChange={(event) => setPhone(event.currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            label={t.at}
            description={t.atHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
            value={moment}
            error={errors.at}
            onChange={(event) => setMoment(event.currentTarget.value)}
          />
        </FieldGrid>
        <Group gap="sm">
          <Button
            type="submit"
            variant="default"
            leftSection={<Play size={15} />}
            loading={test.isPending}
            disabled={isDirty}
          >
            {t.submit}
          </Button>
          {isDirty && <Dimmed>{t.saveFirst}</Dimmed>}
        </Group>
      </Form>
      {test.error && Object.keys(errors).length === 0 && <Problem error={test.error} />}
      <div aria-live="polite">
        {test.data && <Outcome outcome={test.data} />}
        {test.data?.lookup && <LookupOutcome lookup={test.data.lookup} />}
      </div>
    </Panel>
  );
}

function Outcome({
  outcome: { branch, reason, action, ...target },
}: {
  readonly outcome: RoutingTestResponse;
}) {
  const { test: t, actions } = useTexts('numberRouting');
  const { branches, reasons } = useTexts('routing');
  return (
    <div className={classes.outcome}>
      <Facts
        facts={[
          [t.branch, branches[branch]],
          ...(reason ? [[t.reason, reasons[reason]] as const] : []),
          [t.action, actions[action]],
          ...(target.assistant_name === null ? [] : [[t.assistant, target.assistant_name] as const]),
          ...(target.phone_number === null ? [] : [[t.phoneNumber, target.phone_number] as const]),
          ...(target.text === null ? [] : [[t.message, target.text] as const]),
        ]}
      />
    </div>
  );
}
