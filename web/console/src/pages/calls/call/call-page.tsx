import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { CallDetailsResponse } from '#client/types.gen.js';
import { Loaded } from '../../../components/states/loaded.js';
import { Page } from '../../../components/page/page.js';
import { useTexts } from '../../../texts/texts.js';
import { callQuery } from '../call-query.js';
import { CallActions } from './actions/call-actions.js';
import { CallHeading } from './call-heading.js';
import { Conversation } from './conversation.js';
import { customerOf } from './customer.js';
import classes from './call.module.css';
import { CallFacts } from './panels/call-facts.js';

const route = getRouteApi('/shell/calls/$id');

/** A call, live or past, with a URL of its own. */
export function CallPage() {
  const id = Number(route.useParams().id);
  const call = useQuery(callQuery(id));
  return (
    <Loaded query={call} lines={10}>
      {(data) => <Call key={id} call={data} />}
    </Loaded>
  );
}

function Call({ call }: { readonly call: CallDetailsResponse }) {
  const t = useTexts('callPage');
  const { web } = useTexts('calls');
  return (
    <Page
      title={t.title(customerOf(call, web))}
      subtitle={<CallHeading call={call} />}
      actions={<CallActions call={call} />}
      wide
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          <Conversation call={call} />
        </div>
        <aside className={classes.side} aria-label={t.details.title}>
          <CallFacts call={call} />
        </aside>
      </div>
    </Page>
  );
}
