import { Link } from '@tanstack/react-router';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getChatModelSource } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';
import { IfAllowed } from '../components/if-allowed.js';
import { useTexts } from '../texts/texts.js';
import classes from './shell.module.css';

/** Refetched when the account's key changes: its query key has the same prefix. */
const chatModelSourceQuery = queryOptions({
  queryKey: ['chat-model-key', 'source'],
  queryFn: ({ signal }) => dataOf(getChatModelSource, { signal }),
  staleTime: Infinity,
});

/** Bar over every page while the demo model answers, with a link to the form for a real one. */
export function DemoModelBar() {
  const t = useTexts('shell').demoModel;
  const { data } = useQuery(chatModelSourceQuery);
  if (data?.answers_from !== 'demo') return null;
  return (
    <p className={classes.demoBar} role="note">
      {t.text}{' '}
      <IfAllowed scope="admin">
        <Link to="/settings" hash="chat-model">
          {t.connect}
        </Link>
      </IfAllowed>
    </p>
  );
}
