import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listCalls } from '#client/sdk.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { CallStatus } from '../../components/call-status.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './overview.module.css';
import { ShortList } from './short-list.js';

const SHOWN = 6;

export function RecentCalls() {
  const t = useTexts('overview').calls;
  const { web } = useTexts('calls');
  const format = useFormat();
  const query = useQuery({
    queryKey: ['calls', 'recent'],
    queryFn: ({ signal }) => dataOf(listCalls, { query: { per_page: SHOWN }, signal }),
  });
  return (
    <ShortList texts={t} all={{ to: '/calls' }} query={query}>
      {(call) => (
        <Link to="/calls/$id" params={{ id: String(call.id) }} className={classes.item}>
          <span className={classes.itemText}>
            <Text size="sm" fw={500} truncate className="tabular">
              {call.client_phone_number || web}
            </Text>
            <Dimmed truncate>
              {call.assistant_name} · {format.recent(call.created_at)}
            </Dimmed>
          </span>
          <CallStatus status={call.status} />
        </Link>
      )}
    </ShortList>
  );
}
