import '@mantine/core/styles/ColorInput.layer.css';
import '@mantine/core/styles/ColorPicker.layer.css';
import '@mantine/core/styles/ColorSwatch.layer.css';
import { Alert, Anchor, ColorInput, Switch, Text } from '@mantine/core';
import type { CSSProperties } from 'react';
import type { AssistantResponse } from '#client/types.gen.js';
import { Copyable } from '#web/console/src/components/actions/copyable.jsx';
import {
  AreaField,
  ChoiceField,
  NumberField,
  SwitchField,
  TagsField,
  TextField,
} from '#web/console/src/forms/fields.jsx';
import { useField } from '#web/console/src/forms/schema-form.jsx';
import { FieldGrid, FormSection } from '#web/console/src/forms/section.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import classes from '../editor.module.css';

const COLOR = /^#[0-9a-f]{6}$/i;

export function SiteTab({ assistant }: { readonly assistant: AssistantResponse }) {
  const { sections: t, site } = useTexts('assistants');
  const { origin } = globalThis.location;
  const snippet = `<script src="${origin}/widget.js" data-assistant="${assistant.uuid}" async></script>`;
  return (
    <>
      <FormSection title={t.snippet.title} hint={t.snippet.hint}>
        {assistant.web_chat_enabled === false && <Alert color="amber">{site.off}</Alert>}
        <SwitchField name="web_chat_enabled" />
        <Copyable text={snippet} label={site.code} />
        <Text size="sm">
          {site.page}:{' '}
          <Anchor href={`/chat/${assistant.uuid}`} target="_blank" rel="noopener">
            {origin}/chat/{assistant.uuid}
          </Anchor>
        </Text>
      </FormSection>
      <FormSection title={t.look.title}>
        <Preview name={assistant.name} />
        <FieldGrid>
          <TextField name="widget_title" />
          <ColorField />
          <ChoiceField name="widget_position" />
        </FieldGrid>
        <AreaField name="widget_consent" />
      </FormSection>
      <FormSection title={t.limits.title} hint={t.limits.hint}>
        <TagsField name="allowed_origins" />
        <VisitorVariablesField />
        <SwitchField name="challenge_required" />
        <SwitchField name="visitor_calls_enabled" />
        <FieldGrid>
          <NumberField name="visitor_conversations_per_hour" />
          <NumberField name="visitor_conversations_per_address_per_hour" />
          <NumberField name="visitor_messages_per_hour" />
          <NumberField name="visitor_daily_spend" />
        </FieldGrid>
      </FormSection>
    </>
  );
}

function ColorField() {
  const { value, error, set, words } = useField('widget_color');
  return (
    <ColorInput
      label={words.label}
      placeholder={words.placeholder}
      value={typeof value === 'string' ? value : ''}
      error={error}
      fixOnBlur={false}
      withEyeDropper={false}
      popoverProps={{ trapFocus: false }}
      onChange={(color) => set(color === '' ? null : color)}
    />
  );
}

/** A list only where the owner wants one: an empty list is not the same as none. */
function VisitorVariablesField() {
  const { value, set } = useField('visitor_variables');
  const { site: t } = useTexts('assistants');
  return (
    <>
      <Switch
        label={t.visitorVariables}
        description={t.visitorVariablesHint}
        checked={Array.isArray(value)}
        onChange={(event) => set(event.currentTarget.checked ? [] : null)}
      />
      {Array.isArray(value) && <TagsField name="visitor_variables" />}
    </>
  );
}

/** How the box will look, as it is typed. */
function Preview({ name }: { readonly name: string }) {
  const { site } = useTexts('assistants');
  const title = useField('widget_title').value;
  const color = useField('widget_color').value;
  const hello = useField('initial_message').value;
  const isLeft = useField('widget_position').value === 'left';
  const style = typeof color === 'string' && COLOR.test(color) ? { '--prosa-preview': color } : {};
  return (
    <div className={classes.preview} data-left={isLeft || undefined} role="img" aria-label={site.preview}>
      <div className={classes.previewBox}>
        <div className={classes.previewTitle} style={style as CSSProperties}>
          {typeof title === 'string' && title !== '' ? title : name}
        </div>
        <div className={classes.previewText}>{String(hello)}</div>
      </div>
    </div>
  );
}
