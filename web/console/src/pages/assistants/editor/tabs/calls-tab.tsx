import { useQuery } from '@tanstack/react-query';
import type { AssistantResponse } from '#client/types.gen.js';
import { phoneNumbersQuery } from '#web/console/src/catalog/queries.js';
import {
  AreaField,
  ChoiceField,
  ItemField,
  NumberField,
  SliderField,
  SwitchField,
} from '#web/console/src/forms/fields.jsx';
import { useField } from '#web/console/src/forms/schema-form.jsx';
import { FieldGrid, FormSection } from '#web/console/src/forms/section.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { isInMode } from '../values.js';
import { MonitoringSection } from './monitoring-section.js';
import { PhoneState } from './phone-state.js';

export function CallsTab({ assistant }: { readonly assistant: AssistantResponse }) {
  const t = useTexts('assistants').sections;
  const mode = useField('mode').value;
  const { data: numbers } = useQuery(phoneNumbersQuery);
  const items = numbers?.map(({ id, phone_number: number, nickname }) => ({
    id,
    name: nickname ? `${nickname} · ${number}` : number,
  }));
  return (
    <>
      <FormSection title={t.phone.title}>
        <PhoneState assistant={assistant} />
        <ItemField name="phone_number_id" items={items} />
        <FieldGrid>
          <NumberField name="ringing_time" unit="seconds" />
          <NumberField name="max_duration" unit="seconds" />
        </FieldGrid>
      </FormSection>
      <FormSection title={t.turns.title}>
        {isInMode('allow_interruptions', mode) && <SwitchField name="allow_interruptions" />}
        {isInMode('ignore_backchannels', mode) && <SwitchField name="ignore_backchannels" />}
        <FieldGrid>
          <NumberField name="min_interrupt_words" />
          <SliderField name="interrupt_sensitivity" step={0.1} />
        </FieldGrid>
        <FieldGrid>
          <ChoiceField name="endpoint_type" />
          <SliderField name="endpoint_sensitivity" step={0.1} />
          {isInMode('turn_detection_threshold', mode) && (
            <NumberField name="turn_detection_threshold" step={0.05} />
          )}
        </FieldGrid>
      </FormSection>
      <FormSection title={t.silence.title}>
        <FieldGrid>
          <NumberField name="max_silence_duration" unit="seconds" />
          <NumberField name="max_initial_silence_duration" unit="seconds" />
          <NumberField name="reengagement_interval" unit="seconds" />
        </FieldGrid>
        <AreaField name="reengagement_prompt" />
      </FormSection>
      <FormSection title={t.voicemail.title}>
        <SwitchField name="end_call_on_voicemail" />
        <AreaField name="voice_mail_message" />
        <SwitchField name="record" />
      </FormSection>
      <MonitoringSection />
    </>
  );
}
