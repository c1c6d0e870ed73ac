import { Button, Select, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { updateSettings } from '#client/sdk.gen.js';
import type { AccountSettingsResponse } from '#client/types.gen.js';
import { LOCALES } from '#web/shared/languages.js';
import { dataOf } from '../../api/client.js';
import { Facts } from '../../components/facts.js';
import { Form } from '../../components/inputs/form.js';
import { Loaded } from '../../components/states/loaded.js';
import { Panel } from '../../components/page/panel.js';
import { Problem } from '../../components/states/problem.js';
import { settingsQuery } from '../../session/me.js';
import { useIsAllowed } from '../../session/rights.js';
import { useLanguage, useTexts } from '../../texts/texts.js';
import { useFieldErrors } from '../../texts/use-error-text.js';
import { COUNTRIES } from './countries.js';

const ZONES = Intl.supportedValuesOf('timeZone');

/** Country and time zone of the account. Read-only without the right to change them. */
export function RegionForm() {
  const t = useTexts('settings').region;
  const mayChange = useIsAllowed('admin');
  const settings = useQuery(settingsQuery);
  return (
    <Panel title={t.title} subtitle={t.text}>
      <Loaded query={settings} lines={2}>
        {(stored) => (mayChange ? <EditForm stored={stored} /> : <Read stored={stored} />)}
      </Loaded>
    </Panel>
  );
}

interface Props {
  readonly stored: AccountSettingsResponse;
}

function useCountryName(): (code: string) => string {
  const { language } = useLanguage();
  return useMemo(() => {
    const names = new Intl.DisplayNames(LOCALES[language], { type: 'region' });
    return (code: string) => names.of(code) ?? code;
  }, [language]);
}

function Read({ stored: { country, timezone } }: Props) {
  const t = useTexts('settings').region;
  const nameOf = useCountryName();
  return (
    <Facts
      facts={[
        [t.country, nameOf(country)],
        [t.timezone, timezone],
      ]}
    />
  );
}

function EditForm({ stored }: Props) {
  const t = useTexts('settings').region;
  const { actions } = useTexts('common');
  const { notFound } = useTexts('forms');
  const fieldErrors = useFieldErrors();
  const queries = useQueryClient();
  const nameOf = useCountryName();
  const [country, setCountry] = useState(stored.country);
  const [timezone, setTimezone] = useState(stored.timezone);
  const save = useMutation({
    mutationFn: () => dataOf(updateSettings, { body: { country, timezone } }),
    meta: { saved: t.saved },
    onSuccess: async ({ data }) => {
      queries.setQueryData(settingsQuery.queryKey, data);
      // All days and times are shown in the zone.
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' });
    },
  });
  const errors = fieldErrors(save.error);
  const countries = withOwn(COUNTRIES, stored.country)
    .map((value) => ({ value, label: nameOf(value) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <Form onSubmit={() => save.mutate()}>
      <Stack maw="24rem">
        <Select
          label={t.country}
          description={t.countryText}
          data={countries}
          value={country}
          searchable
          allowDeselect={false}
          nothingFoundMessage={notFound}
          error={errors.country}
          onChange={(value) => value !== null && setCountry(value)}
        />
        <Select
          label={t.timezone}
          description={t.timezoneText}
          data={withOwn(ZONES, stored.timezone)}
          value={timezone}
          searchable
          allowDeselect={false}
          nothingFoundMessage={notFound}
          error={errors.timezone}
          onChange={(value) => value !== null && setTimezone(value)}
        />
        {save.error && Object.keys(errors).length === 0 && <Problem error={save.error} />}
        <div>
          <Button
            type="submit"
            loading={save.isPending}
            disabled={country === stored.country && timezone === stored.timezone}
          >
            {actions.save}
          </Button>
        </div>
      </Stack>
    </Form>
  );
}

/** Includes the stored value even if the browser does not know it. */
function withOwn(all: readonly string[], own: string): string[] {
  return all.includes(own) ? [...all] : [own, ...all];
}
