import { Badge, Text } from '@mantine/core';
import { Headphones } from 'lucide-react';
import { useTexts } from '../../../texts/texts.js';
import { Clock } from '../clock.js';
import type { LiveCall } from '../live-calls.js';
import classes from './desk.module.css';
import { type DeskState, isTalking } from './session/desk-session.js';

const COLORS = { assistant: 'green', agent: 'iris', queue: 'amber', transfer: 'iris' } as const;

/** Who has the customer, what the assistant does, how many listen, and for how long the call has lasted. */
export function DeskFacts({ call, desk }: { readonly call: LiveCall; readonly desk: DeskState }) {
  const { desk: t, holders, duration } = useTexts('live');
  const { holder, memberName, activity, listeners, phase } = desk;
  const isHolding = isTalking(desk);
  const isKnown = phase === 'running' || phase === 'reconnecting';
  return (
    <div className={classes.facts}>
      {isKnown && (
        <Badge color={COLORS[isHolding ? 'agent' : holder]}>
          {isHolding ? t.withYou : holder === 'agent' ? t.heldBy(memberName) : holders[holder]}
        </Badge>
      )}
      {isKnown && holder === 'assistant' && !isHolding && (
        <Text component="span" size="sm" c="dimmed">
          {t.activities[activity]}
        </Text>
      )}
      <Clock name={duration} since={call.live.since} />
      <span className={classes.space} />
      {listeners > 0 && (
        <Text component="span" size="sm" c="dimmed" className={classes.listeners}>
          <Headphones size={14} aria-hidden="true" />
          {t.listeners(listeners)}
        </Text>
      )}
    </div>
  );
}
