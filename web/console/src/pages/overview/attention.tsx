import { Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { listAlerts, listConversations } from '#client/sdk.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { customerName } from '../../components/customer-name.js';
import { ownText } from '../../texts/own-text.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './overview.module.css';
import { ShortList } from './short-list.js';

const SHOWN = 6;

/** Waiting conversations, and limits that turn visitors away. */
export function Attention() {
  const t = useTexts('overview').attention;
  const conversations = useQuery({
    queryKey: ['conversations', 'list', 'attention'],
    queryFn: ({ signal }) =>
      dataOf(listConversations, { query: { state: 'waiting', sort: 'activity', per_page: SHOWN }, signal }),
  });
  return (
    <ShortList
      texts={t}
      all={{ to: '/inbox', search: { state: 'waiting' } }}
      query={conversations}
      first={<Alerts />}
    >
      {(conversation) => <Waiting conversation={conversation} />}
    </ShortList>
  );
}

type Conversation = Awaited<ReturnType<typeof listConversations<true>>>['data']['data'][number];

function Waiting({ conversation }: { readonly conversation: Conversation }) {
  const t = useTexts('overview').attention;
  const { visitor } = useTexts('inbox');
  const format = useFormat();
  return (
    <Link to="/inbox" search={{ id: conversation.id }} className={classes.item}>
      <span className={classes.itemText}>
        <Text size="sm" fw={500} truncate>
          {customerName(conversation, visitor)}
        </Text>
        <Dimmed truncate>{conversation.last_message}</Dimmed>
      </span>
      {conversation.waiting_since && (
        <Badge color="amber">{t.since(format.recent(conversation.waiting_since))}</Badge>
      )}
    </Link>
  );
}

/** Limits that refuse visitors now. */
function Alerts() {
  const t = useTexts('overview').attention;
  const { data } = useQuery({
    queryKey: ['alerts'],
    queryFn: ({ signal }) => dataOf(listAlerts, { query: { per_page: SHOWN }, signal }),
  });
  const current = data?.data.filter(({ resets_at }) => new Date(resets_at) > new Date()) ?? [];
  return current.map(({ id, assistant_name, limit }) => (
    <li key={id} className={classes.item}>
      <ShieldAlert size={17} aria-hidden="true" className={classes.warn} />
      <span className={classes.itemText}>
        <Text size="sm">{t.alert(assistant_name ?? t.account)}</Text>
        <Text size="xs" c="dimmed">
          {ownText(t.limits, limit)}
        </Text>
      </span>
    </li>
  ));
}
