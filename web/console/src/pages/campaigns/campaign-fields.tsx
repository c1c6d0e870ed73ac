import '@mantine/core/styles/Chip.layer.css';
import { Alert, Anchor, Chip, Group, Input, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CreateCampaignRequestSchema } from '#client/rules.gen.js';
import type { CampaignResponse } from '#client/types.gen.js';
import { stateOf } from '../../catalog/assistant-state.js';
import { assistantsQuery, phoneNumbersQuery } from '../../catalog/queries.js';
import { TimeInput } from '../../components/inputs/time-input.js';
import { ItemField, ItemsField, NumberField, SwitchField, TextField } from '../../forms/fields.js';
import type { Schema } from '../../forms/rules.js';
import { useField, useSchemaForm, type Values } from '../../forms/schema-form.js';
import { FieldGrid, FormSection } from '../../forms/section.js';
import { TimeZoneField } from '../../forms/time-zone-field.js';
import { useTexts } from '../../texts/texts.js';

const CAMPAIGN: Schema = CreateCampaignRequestSchema;
const DAYS = CreateCampaignRequestSchema.properties.allowed_days.items.enum;

/** Fields of the first step. */
export const WHO_FIELDS: readonly string[] = [
  'name',
  'assistant_id',
  'phone_number_ids',
  'max_calls_in_parallel',
];

export function useCampaignForm(campaign?: CampaignResponse) {
  const { form: t } = useTexts('campaigns');
  return useSchemaForm(CAMPAIGN, campaign ? valuesOf(campaign) : newValues(), {
    extra: ({ allowed_hours_start_time: start, allowed_hours_end_time: end }): Record<string, string> =>
      String(end) <= String(start) ? { allowed_hours_end_time: t.endBeforeStart } : {},
  });
}

function newValues(): Values {
  return {
    ...Object.fromEntries(
      Object.entries(CAMPAIGN.properties ?? {}).map(([name, schema]) => [name, schema.default ?? null]),
    ),
    name: '',
    phone_number_ids: [],
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    // By default people are not called at night.
    allowed_hours_start_time: '09:00',
    allowed_hours_end_time: '18:00',
    allowed_days: DAYS.slice(0, 5),
  };
}

function valuesOf(campaign: CampaignResponse): Values {
  const all = campaign as unknown as Values;
  return {
    ...Object.fromEntries(Object.keys(CAMPAIGN.properties ?? {}).map((name) => [name, all[name] ?? null])),
    allowed_hours_start_time: campaign.allowed_hours_start_time.slice(0, 5),
    allowed_hours_end_time: campaign.allowed_hours_end_time.slice(0, 5),
  };
}

export function WhoFields() {
  const { form: t } = useTexts('campaigns');
  const { data: assistants } = useQuery(assistantsQuery);
  const { data: numbers } = useQuery(phoneNumbersQuery);
  const outbound = assistants
    ?.filter(({ type }) => type === 'outbound')
    .map((assistant) => ({
      ...assistant,
      name: stateOf(assistant) === 'deactivated' ? `${assistant.name} · ${t.deactivated}` : assistant.name,
    }));
  return (
    <FormSection title={t.steps.who}>
      <TextField name="name" autoFocus />
      {outbound?.length === 0 && (
        <Alert color="amber">
          {t.noOutbound}{' '}
          <Anchor component={Link} to="/assistants">
            {t.makeAssistant}
          </Anchor>
        </Alert>
      )}
      <ItemField name="assistant_id" items={outbound} />
      <div>
        <ItemsField
          name="phone_number_ids"
          items={numbers?.map(({ id, phone_number: number, nickname }) => ({
            id,
            name: nickname ? `${nickname} · ${number}` : number,
          }))}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {t.noNumbers}
        </Text>
      </div>
      <FieldGrid>
        <NumberField name="max_calls_in_parallel" />
      </FieldGrid>
    </FormSection>
  );
}

export function WhenFields() {
  const { form: t } = useTexts('campaigns');
  const retriesOnGoal = useField('retry_on_goal_incomplete').value === true;
  return (
    <>
      <FormSection title={t.hours}>
        <DaysField />
        <FieldGrid>
          <TimeField name="allowed_hours_start_time" />
          <TimeField name="allowed_hours_end_time" />
        </FieldGrid>
        <TimeZoneField name="timezone" />
      </FormSection>
      <FormSection title={t.retries}>
        <FieldGrid>
          <NumberField name="max_retries" />
          <NumberField name="retry_interval" unit="minutes" />
        </FieldGrid>
        <SwitchField name="retry_on_voicemail" />
        <SwitchField name="retry_on_goal_incomplete" />
        {retriesOnGoal && <TextField name="goal_completion_variable" mono />}
        <SwitchField name="mark_complete_when_no_leads" />
      </FormSection>
    </>
  );
}

function TimeField({ name }: { readonly name: string }) {
  const { value, error, set, words } = useField(name);
  return (
    <TimeInput
      label={words.label}
      value={typeof value === 'string' ? value : ''}
      error={error}
      onChange={set}
    />
  );
}

function DaysField() {
  const { form: t } = useTexts('campaigns');
  const { value, error, set, words } = useField('allowed_days');
  const days = Array.isArray(value) ? (value as string[]) : [];
  return (
    <Input.Wrapper label={words.label} labelElement="div" error={error}>
      <Chip.Group multiple value={days} onChange={set}>
        <Group gap="xs" role="group" aria-label={words.label} mt={4}>
          {DAYS.map((day) => (
            <Chip key={day} value={day} size="sm" radius="md" variant="light">
              {t.days[day]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
