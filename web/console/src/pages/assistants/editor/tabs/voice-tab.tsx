import { useQuery } from '@tanstack/react-query';
import { synthesizersQuery, transcribersQuery } from '#web/console/src/catalog/queries.js';
import {
  ChoiceField,
  ItemField,
  SliderField,
  SwitchField,
  TagsField,
} from '#web/console/src/forms/fields.jsx';
import { useField } from '#web/console/src/forms/schema-form.jsx';
import { FieldGrid, FormSection } from '#web/console/src/forms/section.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { isInMode } from '../values.js';
import { VoiceField } from '../../voices/voice-field.js';

const PHRASES = ['positive', 'negative', 'question', 'neutral'] as const;

export function VoiceTab() {
  const t = useTexts('assistants').sections;
  const mode = useField('mode').value as 'pipeline' | 'multimodal' | 'dualplex';
  const languageId = useField('language_id').value as number;
  const hasFillers = useField('fillers').value === true;
  const { data: synthesizers } = useQuery(synthesizersQuery(languageId));
  const { data: transcribers } = useQuery(transcribersQuery(languageId));
  return (
    <>
      <FormSection title={t.voice.title}>
        <VoiceField mode={mode} languageId={languageId} />
        <FieldGrid>
          {isInMode('synthesizer_provider_id', mode) && (
            <ItemField name="synthesizer_provider_id" items={synthesizers} />
          )}
          {isInMode('transcriber_provider_id', mode) && (
            <ItemField name="transcriber_provider_id" items={transcribers} />
          )}
        </FieldGrid>
        <FieldGrid>
          <SliderField name="speech_speed" />
          <SliderField name="voice_stability" />
          <SliderField name="voice_similarity" />
        </FieldGrid>
        <SwitchField name="tts_emotion_enabled" />
      </FormSection>
      {isInMode('fillers', mode) && (
        <FormSection title={t.fillers.title}>
          <SwitchField name="fillers" />
          {hasFillers && (
            <FieldGrid>
              {PHRASES.map((kind) => (
                <TagsField key={kind} name={`filler_config.${kind}`} />
              ))}
            </FieldGrid>
          )}
        </FormSection>
      )}
      <FormSection title={t.sound.title}>
        <FieldGrid>
          <ChoiceField name="ambient_sound" />
          <SliderField name="ambient_sound_volume" />
        </FieldGrid>
        <SwitchField name="enable_noise_cancellation" />
      </FormSection>
    </>
  );
}
