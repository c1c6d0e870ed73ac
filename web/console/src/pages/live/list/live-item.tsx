import { ActionIcon, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Globe, PhoneIncoming, PhoneOff, PhoneOutgoing } from 'lucide-react';
import { useIsAllowed } from '../../../session/rights.js';
import { useTexts } from '../../../texts/texts.js';
import { Clock } from '../clock.js';
import { Holder } from './holder.js';
import classes from '../live.module.css';
import { customerOf, type LiveCall } from '../live-calls.js';

const ICONS = { inbound: PhoneIncoming, outbound: PhoneOutgoing, web: Globe };

interface Props {
  readonly call: LiveCall;
  readonly onHangUp: (call: LiveCall) => void;
}

/** A call: a row, or a card on a narrow screen. It leads to the details of the call. */
export function LiveItem({ call, onHangUp }: Props) {
  const t = useTexts('live');
  const { types, web } = useTexts('calls');
  const isAllowed = useIsAllowed('calls');
  const Icon = ICONS[call.type];
  const customer = customerOf(call, web);
  const number = call.client_phone_number === customer ? '' : call.client_phone_number;
  const { last_turn: lastTurn, since, waiting } = call.live;
  return (
    <li className={classes.item} data-waiting={waiting !== null || undefined}>
      <Icon className={classes.icon} size={16} aria-label={types[call.type]} />
      <div className={classes.who}>
        <Link to="/calls/$id" params={{ id: String(call.id) }} className={classes.link}>
          {customer}
        </Link>
        <span className={classes.quiet}>
          {[number, call.assistant_name || call.assistant_phone_number].filter(Boolean).join(' · ')}
        </span>
      </div>
      <Text size="sm" lineClamp={2} className={classes.said}>
        {lastTurn && (
          <>
            <span className={classes.quiet}>{t.speakers[lastTurn.role]}: </span>
            {lastTurn.text}
          </>
        )}
      </Text>
      <div className={classes.state}>
        <Holder call={call} />
      </div>
      <div className={classes.time}>
        <Clock name={t.duration} since={since} />
      </div>
      {isAllowed && (
        <ActionIcon
          className={classes.action}
          color="red"
          aria-label={t.hangUpOn(customer)}
          onClick={() => onHangUp(call)}
        >
          <PhoneOff size={16} />
        </ActionIcon>
      )}
    </li>
  );
}
