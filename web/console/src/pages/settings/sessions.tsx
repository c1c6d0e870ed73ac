import { Badge, Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor } from 'lucide-react';
import { endOtherSessions, endSession, listSessions } from '#client/sdk.gen.js';
import type { ListedSessionResponse } from '#client/types.gen.js';
import { ConfirmButton } from '../../components/actions/confirm-button.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { Loaded } from '../../components/states/loaded.js';
import { Panel } from '../../components/page/panel.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { browserName } from './browser-name.js';
import classes from './settings.module.css';

const KEY = ['sessions'];

/** Sessions of the person, each with a button to end it. */
export function Sessions() {
  const t = useTexts('settings').sessions;
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => dataOf(listSessions, { signal }),
  });
  const others = query.data?.sessions.filter(({ current }) => !current).length ?? 0;
  return (
    <Panel
      title={t.title}
      flush
      actions={
        others > 0 && (
          <ConfirmButton
            label={t.endOthers}
            variant="default"
            size="xs"
            action={() => dataOf(endOtherSessions, {})}
            onDone={() => queries.invalidateQueries({ queryKey: KEY })}
          >
            {t.endOthersQuestion}
          </ConfirmButton>
        )
      }
    >
      <Loaded query={query}>
        {({ sessions }) => (
          <ul className={classes.sessions}>
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function SessionRow({ session }: { readonly session: ListedSessionResponse }) {
  const t = useTexts('settings').sessions;
  const format = useFormat();
  const end = useMutation({
    mutationFn: () => dataOf(endSession, { path: { id: session.id } }),
    meta: { changes: [KEY] },
  });
  const name = session.user_agent ? browserName(session.user_agent) : t.unknown;
  return (
    <li>
      <Monitor size={18} aria-hidden="true" />
      <div className={classes.session}>
        <Text size="sm" fw={500} lineClamp={1}>
          {name}
        </Text>
        <Dimmed>
          {t.began(format.dateTime(session.created_at))}
          {session.ip_address && ` ${t.from(session.ip_address)}`}
        </Dimmed>
        {end.error && <Problem error={end.error} />}
      </div>
      {session.current ? (
        <Badge color="green">{t.current}</Badge>
      ) : (
        <Button
          variant="default"
          size="xs"
          loading={end.isPending}
          aria-label={t.endOf(name)}
          onClick={() => end.mutate()}
        >
          {t.end}
        </Button>
      )}
    </li>
  );
}
