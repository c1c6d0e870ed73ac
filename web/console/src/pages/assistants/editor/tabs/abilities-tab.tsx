import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AssistantResponse } from '#client/types.gen.js';
import { knowledgebasesQuery, toolsQuery } from '#web/console/src/catalog/queries.js';
import { lazyNamed } from '#web/console/src/components/states/lazy-named.jsx';
import {
  ChoiceField,
  ItemField,
  ItemsField,
  NumberField,
  SwitchField,
  TextField,
} from '#web/console/src/forms/fields.jsx';
import { useField } from '#web/console/src/forms/schema-form.jsx';
import { FieldGrid, FormSection } from '#web/console/src/forms/section.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { BuiltInToolsField } from './built-in-tools-field.js';
import { InboundWebhook } from './inbound-webhook.js';
import { PostCallField } from './post-call-field.js';

const McpTools = lazyNamed(async () => (await import('./mcp-tools.js')).McpTools);

export function AbilitiesTab({ assistant }: { readonly assistant: AssistantResponse }) {
  const t = useTexts('assistants').sections;
  const { links } = useTexts('shell');
  const { data: knowledgebases } = useQuery(knowledgebasesQuery);
  const { data: tools } = useQuery(toolsQuery);
  const isNotifying = useField('is_webhook_active').value === true;
  const hasLookup = Boolean(useField('lookup_url').value);
  return (
    <>
      <FormSection title={t.knowledge.title}>
        <FieldGrid>
          <ItemField name="knowledgebase_id" items={knowledgebases} />
          <ChoiceField name="knowledgebase_mode" />
        </FieldGrid>
        <Text size="sm">
          <Anchor component={Link} to="/knowledge">
            {links.knowledge}
          </Anchor>
        </Text>
      </FormSection>
      <FormSection title={t.tools.title}>
        <ItemsField name="tool_ids" items={tools} />
        <Text size="sm">
          <Anchor component={Link} to="/tools">
            {links.tools}
          </Anchor>
        </Text>
        <BuiltInToolsField />
      </FormSection>
      <McpTools assistantId={assistant.id} />
      <FormSection title={t.evaluation.title} hint={t.evaluation.hint}>
        <SwitchField name="post_call_evaluation" />
        <PostCallField />
      </FormSection>
      <FormSection title={t.webhooks.title}>
        <SwitchField name="is_webhook_active" />
        <TextField name="webhook_url" type="url" />
        {isNotifying && (
          <FieldGrid>
            <SwitchField name="send_webhook_only_on_completed" />
            <SwitchField name="include_recording_in_webhook" />
          </FieldGrid>
        )}
        <TextField name="conversation_ended_webhook_url" type="url" />
        <FieldGrid>
          <NumberField name="conversation_inactivity_timeout" unit="minutes" />
          <SwitchField name="conversation_ended_retrigger" />
        </FieldGrid>
      </FormSection>
      <FormSection title={t.lookup.title} hint={t.lookup.hint}>
        <TextField name="lookup_url" type="url" />
        {hasLookup && <NumberField name="lookup_timeout_ms" unit="milliseconds" step={500} />}
      </FormSection>
      <FormSection title={t.inbound.title} hint={t.inbound.hint}>
        <InboundWebhook assistant={assistant} />
      </FormSection>
    </>
  );
}
