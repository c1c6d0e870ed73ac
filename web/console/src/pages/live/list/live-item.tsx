import { ActionIcon, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Globe, Headphones, PhoneIncoming, PhoneOff, PhoneOutgoing } from 'lucide-react';
import { useIsAllowed } from '../../../session/rights.js';
import { useTexts } from '../../../texts/texts.js';
import { Clock } from '../clock.js';
import { Holder } from './holder.js';
import classes from '../live.module.css';
import { customerOf, type LiveCall } from '../live-calls.js';
import { isAudible, linkId } from './use-live-keys.js';

const ICONS = { inbound: PhoneIncoming, outbound: PhoneOutgoing, web: Globe };

interface Props {
  readonly call: LiveCall;
  /** Its desk is open. */
  readonly isOpen: boolean;
  /** Null where the person may not listen. */
  readonly onListen: ((id: number) => void) | null;
  readonly onHangUp: (call: LiveCall) => void;
}

/** A call: a row, or a card on a narrow screen. It leads to the details of the call. */
export function LiveItem({ call, isOpen, onListen, onHangUp }: Props) {
  const t = useTexts('live');
  const { types, web } = useTexts('calls');
  const isAllowed = useIsAllowed('calls');
  const Icon = ICONS[call.type];
  const customer = customerOf(call, web);
  const named = customerOf(call, t.visitor);
  const number = call.client_phone_number === customer ? '' : call.client_phone_number;
  const { last_turn: lastTurn, listeners, since, waiting } = call.live;
  return (
    <li
      className={classes.item}
      data-call={call.id}
      data-open={isOpen || undefined}
      data-waiting={waiting !== null || undefined}
    >
      <Icon className={classes.icon} size={16} aria-label={types[call.type]} />
      <div className={classes.who}>
        <Link id={linkId(call.id)} to="/calls/$id" params={{ id: String(call.id) }} className={classes.link}>
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
        {listeners > 0 && (
          <span className={classes.listeners}>
            <Headphones size={13} aria-hidden="true" />
            {t.desk.listeners(listeners)}
          </span>
        )}
      </div>
      <div className={classes.time}>
        <Clock name={t.duration} since={since} />
      </div>
      {isAllowed && (
        <div className={classes.actions}>
          {onListen && (
            <ActionIcon
              aria-label={t.desk.listen(named)}
              disabled={!isAudible(call)}
              onClick={() => onListen(call.id)}
            >
              <Headphones size={16} />
            </ActionIcon>
          )}
          <ActionIcon color="red" aria-label={t.hangUpOn(named)} onClick={() => onHangUp(call)}>
            <PhoneOff size={16} />
          </ActionIcon>
        </div>
      )}
    </li>
  );
}
