import { Badge } from '@mantine/core';
import { CallStatus } from '../../../components/call-status.js';
import { useTexts } from '../../../texts/texts.js';
import { Clock } from '../clock.js';
import classes from '../live.module.css';
import type { LiveCall } from '../live-calls.js';

type HolderName = LiveCall['live']['holder'];

const COLORS: Readonly<Record<HolderName, string>> = {
  assistant: 'green',
  agent: 'iris',
  queue: 'amber',
  transfer: 'iris',
};

/** Who has the customer. Before the call is answered, its status. */
export function Holder({ call: { status, live } }: { readonly call: LiveCall }) {
  const t = useTexts('live');
  const holder: HolderName = live.holder;
  const name = live.member_name === null ? t.holders[holder] : t.heldBy(live.member_name);
  if (holder === 'assistant' && status !== 'in-progress') return <CallStatus status={status} />;
  return (
    <span className={classes.holder}>
      <Badge color={COLORS[holder]}>{live.waiting ? t.position(live.waiting.position) : name}</Badge>
      {live.waiting && (
        <span className={classes.quiet}>
          <Clock name={t.wait} isNameShown since={live.waiting.since} />
        </span>
      )}
    </span>
  );
}
