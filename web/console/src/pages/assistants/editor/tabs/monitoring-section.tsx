import { Switch } from '@mantine/core';
import { AreaField, SwitchField } from '#web/console/src/forms/fields.jsx';
import { useField } from '#web/console/src/forms/schema-form.jsx';
import { FormSection } from '#web/console/src/forms/section.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { MONITORING_ANNOUNCEMENT } from '../values.js';

const { text, tone } = MONITORING_ANNOUNCEMENT.properties ?? {};
const NAME = 'monitoring_announcement';

/** What the customer hears before a person listens to the call. */
export function MonitoringSection() {
  const t = useTexts('assistants').sections;
  const { value, error, set, words } = useField(NAME);
  const isOn = value !== null && value !== undefined;
  return (
    <FormSection title={t.monitoring.title}>
      <Switch
        label={words.label}
        description={words.hint}
        checked={isOn}
        error={error}
        onChange={({ currentTarget: { checked } }) =>
          set(checked ? { text: t.monitoring.text, tone: false } : null)
        }
      />
      {isOn && (
        <>
          <AreaField name={`${NAME}.text`} schema={text ?? {}} />
          <SwitchField name={`${NAME}.tone`} schema={tone ?? {}} />
        </>
      )}
    </FormSection>
  );
}
