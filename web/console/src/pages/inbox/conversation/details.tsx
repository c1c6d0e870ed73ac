import { Anchor, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ConversationItemResponse } from '#client/types.gen.js';
import { Dimmed } from '../../../components/dimmed.js';
import { assistantsQuery } from '../../../catalog/queries.js';
import { CopyText } from '../../../components/actions/copy-text.js';
import { useIsAllowed } from '../../../session/rights.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import { useTokensText } from '../../../texts/use-tokens-text.js';
import classes from '../inbox.module.css';
import { ConversationTags } from './conversation-tags.js';

/** Details of a conversation other than its messages. */
export function Details({ conversation }: { readonly conversation: ConversationItemResponse }) {
  const t = useTexts('inbox').details;
  const { tags, tokens } = useTexts('common');
  const mayChat = useIsAllowed('chat');
  const format = useFormat();
  const tokensText = useTokensText();
  const variables = Object.entries(conversation.variables ?? {});
  const findings = Object.entries(conversation.extracted_variables);
  return (
    <aside className={classes.details} aria-label={t.title}>
      <Title order={3}>{t.variables}</Title>
      {variables.length === 0 ? (
        <Dimmed>{t.noVariables}</Dimmed>
      ) : (
        <dl>
          {variables.map(([name, value]) => (
            <Fact key={name} name={name}>
              {typeof value === 'string' ? value : JSON.stringify(value)}
            </Fact>
          ))}
        </dl>
      )}
      {findings.length > 0 && (
        <>
          <Title order={3}>{t.evaluation}</Title>
          <dl>
            {findings.map(([name, value]) => (
              <Fact key={name} name={name}>
                {findingText(value, t)}
              </Fact>
            ))}
          </dl>
        </>
      )}
      {(mayChat || conversation.tags) && (
        <>
          <Title order={3}>{tags.title}</Title>
          <ConversationTags conversation={conversation} />
        </>
      )}
      <Title order={3}>{t.title}</Title>
      <dl>
        <Fact name={t.assistant}>
          {conversation.assistant_name === null ? (
            t.deleted
          ) : (
            <AssistantLink uuid={conversation.assistant_id} name={conversation.assistant_name} />
          )}
        </Fact>
        <Fact name={t.type}>{t.types[conversation.type]}</Fact>
        <Fact name={t.started}>{format.dateTime(conversation.created_at)}</Fact>
        <Fact name={t.messages}>{format.number(conversation.message_count)}</Fact>
        <Fact name={t.cost}>{format.money(conversation.total_cost)}</Fact>
        {conversation.tokens && <Fact name={tokens.name}>{tokensText(conversation.tokens)}</Fact>}
        <Fact name={t.id}>
          <CopyText value={conversation.id} />
        </Fact>
      </dl>
    </aside>
  );
}

function AssistantLink({ uuid, name }: { readonly uuid: string | null; readonly name: string }) {
  const { data: assistants } = useQuery(assistantsQuery);
  const id = assistants?.find((assistant) => assistant.uuid === uuid)?.id;
  if (id === undefined) return name;
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => <Link to="/assistants/$id" params={{ id: String(id) }} {...props} />}
    >
      {name}
    </Anchor>
  );
}

/** Null: the evaluation found no value. */
function findingText(
  value: unknown,
  { yes, no, unknown }: { readonly yes: string; readonly no: string; readonly unknown: string },
): string {
  if (value === null) return unknown;
  if (typeof value === 'boolean') return value ? yes : no;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
