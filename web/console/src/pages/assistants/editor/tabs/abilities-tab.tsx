import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AssistantResponse } from '../../../../../../../clients/typescript/src/types.gen.js';
import { knowledgebasesQuery, toolsQuery } from '../../../../catalog/queries.js';
import { lazyNamed } from '../../../../components/states/lazy-named.js';
import {
  ChoiceField,
  ItemField,
  ItemsField,
  NumberField,
  SwitchField,
  TextField,
} from '../../../../forms/fields.js';
import { useField } from '../../../../forms/schema-form.js';
import { FieldGrid, FormSection } from '../../../../forms/section.js';
import { useTexts } from '../../../../texts/texts.js';
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
      <FormSection title={t.inbound.title} hint={t.inbound.hint}>
        <InboundWebhook assistant={assistant} />
      </FormSection>
    </>
  );
}
