import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listCalls } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { CallStatus } from '../../components/call-status.js';
import { Loaded } from '../../components/states/loaded.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './overview.module.css';

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
    <Panel
      title={t.title}
      flush
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link to="/calls" {...props} />}>
          {t.all}
        </Anchor>
      }
    >
      <Loaded query={query}>
        {({ data }) => (
          <ul className={classes.list}>
            {data.map((call) => (
              <li key={call.id}>
                <Link to="/calls/$id" params={{ id: String(call.id) }} className={classes.item}>
                  <span className={classes.itemText}>
                    <Text size="sm" fw={500} truncate className="tabular">
                      {call.client_phone_number || web}
                    </Text>
                    <Text size="sm" c="dimmed" truncate>
                      {call.assistant_name} · {format.recent(call.created_at)}
                    </Text>
                  </span>
                  <CallStatus status={call.status} />
                </Link>
              </li>
            ))}
            {data.length === 0 && (
              <li>
                <Text size="sm" c="dimmed" className={classes.nothing}>
                  {t.none}
                </Text>
              </li>
            )}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
