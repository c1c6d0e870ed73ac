import { useQuery } from '@tanstack/react-query';
import { modelsQuery, useSpokenLanguages } from '#web/console/src/catalog/queries.js';
import {
  ChoiceField,
  ItemField,
  ItemsField,
  SliderField,
  SwitchField,
  TextField,
} from '#web/console/src/forms/fields.jsx';
import { useField } from '#web/console/src/forms/schema-form.jsx';
import { FieldGrid, FormSection } from '#web/console/src/forms/section.jsx';
import { TimeZoneField } from '#web/console/src/forms/time-zone-field.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { PlaceholderArea } from '../../prompt/placeholder-area.js';
import { PromptField } from '../../prompt/prompt-field.js';
import { foldersQuery } from '../../queries.js';
import { VariablesField } from './variables-field.js';

export function ConversationTab() {
  const t = useTexts('assistants').sections;
  const { data: folders } = useQuery(foldersQuery);
  const languages = useSpokenLanguages();
  return (
    <>
      <FormSection title={t.identity.title}>
        <TextField name="name" />
        <FieldGrid>
          <ChoiceField name="type" />
          <ItemField name="folder_id" items={folders} />
        </FieldGrid>
      </FormSection>
      <FormSection title={t.instructions.title}>
        <PlaceholderArea name="initial_message" />
        <PromptField />
        <VariablesField />
        <SwitchField name="wait_for_customer" />
      </FormSection>
      <FormSection title={t.brain.title}>
        <ModelFields />
      </FormSection>
      <FormSection title={t.language.title}>
        <FieldGrid>
          <ItemField name="language_id" items={languages} />
          <TimeZoneField name="timezone" />
        </FieldGrid>
        <ItemsField name="secondary_language_ids" items={languages} />
      </FormSection>
    </>
  );
}

function ModelFields() {
  const mode = useField('mode').value;
  const isPipeline = mode === 'pipeline';
  const { data: llms } = useQuery(modelsQuery('llm'));
  const { data: speaking } = useQuery({
    ...modelsQuery(mode === 'dualplex' ? 'dualplex' : 'multimodal'),
    enabled: !isPipeline,
  });
  return (
    <>
      <FieldGrid>
        <ChoiceField name="mode" />
        {isPipeline ? (
          <ItemField name="llm_model_id" items={llms} />
        ) : (
          <ItemField name="multimodal_model_id" items={speaking} />
        )}
      </FieldGrid>
      <FieldGrid>
        {!isPipeline && <ItemField name="chat_llm_fallback_id" items={llms} />}
        <SliderField name="llm_temperature" />
      </FieldGrid>
    </>
  );
}
