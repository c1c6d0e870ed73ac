import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { listCalls, listConversations } from '#client/sdk.gen.js';
import type { CallDetailsResponse } from '#client/types.gen.js';
import { dataOf } from '../../../api/client.js';
import { CallStatus, isLive } from '../../../components/call-status.js';
import { RunningTime } from '../../../components/running-time.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './call.module.css';
import { useEndText } from './use-end-text.js';

interface Props {
  readonly call: CallDetailsResponse;
}

/** Who was called by whom, the state of the call or why it ended, and the person's other calls and chats. */
export function CallHeading({ call }: Props) {
  const t = useTexts('callPage');
  const endText = useEndText(call);
  return (
    <div className={classes.heading}>
      <Anchor size="sm" c="dimmed" renderRoot={(props) => <Link to="/calls" {...props} />}>
        <ChevronLeft size={15} aria-hidden="true" style={{ verticalAlign: '-2px' }} />
        {t.back}
      </Anchor>
      <CallStatus status={call.status} />
      {call.live && isLive(call.status) ? (
        <span>
          {t.running[call.status]} <RunningTime since={call.live.since} />
        </span>
      ) : (
        endText && <span>{endText}</span>
      )}
      <Assistant call={call} />
      {call.client_phone_number && <OtherContacts phone={call.client_phone_number} />}
    </div>
  );
}

function Assistant({ call: { assistant_id: id, assistant_name: name } }: Props) {
  if (name === '') return null;
  if (id === null) return <span>{name}</span>;
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => <Link to="/assistants/$id" params={{ id: String(id) }} {...props} />}
    >
      {name}
    </Anchor>
  );
}

function OtherContacts({ phone }: { readonly phone: string }) {
  const t = useTexts('callPage');
  const calls = useQuery({
    queryKey: ['calls', 'count-of', phone],
    queryFn: ({ signal }) => dataOf(listCalls, { query: { phone_number: phone, per_page: 1 }, signal }),
    staleTime: 30_000,
  });
  const chats = useQuery({
    queryKey: ['conversations', 'of', phone],
    queryFn: ({ signal }) =>
      dataOf(listConversations, { query: { customer_phone: phone, per_page: 20 }, signal }),
    staleTime: 30_000,
  });
  const [newest, ...others] = chats.data?.data ?? [];
  return (
    <>
      <span className="tabular">{phone}</span>
      {calls.data && (
        <Anchor size="sm" renderRoot={(props) => <Link to="/calls" search={{ phone }} {...props} />}>
          {t.allCalls(calls.data.total)}
        </Anchor>
      )}
      {newest && (
        <Anchor size="sm" renderRoot={(props) => <Link to="/inbox" search={{ id: newest.id }} {...props} />}>
          {t.chats(others.length + 1)}
        </Anchor>
      )}
    </>
  );
}
