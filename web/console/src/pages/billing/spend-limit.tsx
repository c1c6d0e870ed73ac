import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getSpendLimits, updateSpendLimits } from '#client/sdk.gen.js';
import type { SpendLimitsResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { Form } from '../../components/inputs/form.js';
import { Loaded } from '../../components/states/loaded.js';
import { Panel } from '../../components/page/panel.js';
import { useIsAllowed } from '../../session/rights.js';
import { useTexts } from '../../texts/texts.js';
import { useErrorText, useFieldErrors } from '../../texts/use-error-text.js';
import classes from './billing.module.css';

const KEY = ['billing', 'limits'];

/** What visitors may spend a day. */
export function SpendLimit() {
  const t = useTexts('billing').limits;
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => dataOf(getSpendLimits, { signal }),
  });
  return (
    <Panel title={t.title}>
      <Dimmed>{t.text}</Dimmed>
      <Loaded query={query} lines={1}>
        {(limits) => <LimitForm key={limits.visitor_daily_spend} limits={limits} />}
      </Loaded>
    </Panel>
  );
}

function LimitForm({ limits }: { readonly limits: SpendLimitsResponse }) {
  const t = useTexts('billing').limits;
  const errorText = useErrorText();
  const fieldErrors = useFieldErrors();
  const queries = useQueryClient();
  const mayChange = useIsAllowed('admin');
  const [value, setValue] = useState(String(limits.visitor_daily_spend));
  const save = useMutation({
    mutationFn: (visitor_daily_spend: number | null) =>
      dataOf(updateSpendLimits, { body: { visitor_daily_spend } }),
    meta: { saved: t.saved },
    onSuccess: ({ data }) => queries.setQueryData(KEY, data),
  });
  return (
    <>
      <Form className={classes.limit} onSubmit={() => save.mutate(Number(value))}>
        <TextInput
          type="number"
          min={0}
          max={1_000_000}
          step="any"
          label={t.field}
          value={value}
          required
          withAsterisk={false}
          readOnly={!mayChange}
          error={save.error && (fieldErrors(save.error).visitor_daily_spend ?? errorText(save.error))}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
        />
        {mayChange && (
          <>
            <Button type="submit" loading={save.isPending}>
              {t.save}
            </Button>
            {!limits.is_default && (
              <Button variant="subtle" color="gray" onClick={() => save.mutate(null)}>
                {t.reset}
              </Button>
            )}
          </>
        )}
      </Form>
      {limits.is_default && <Dimmed mt="xs">{t.isDefault}</Dimmed>}
    </>
  );
}
