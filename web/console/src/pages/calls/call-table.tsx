import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Globe, PhoneIncoming, PhoneOutgoing } from 'lucide-react';
import { useState } from 'react';
import type { CallResponse } from '#client/types.gen.js';
import { CallStatus, isLive } from '../../components/call-status.js';
import { useRoutingWords } from '../../components/routing/routing-words.js';
import table from '../../components/tables/data-table.module.css';
import { TableScroll } from '../../components/tables/table-scroll.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { CallBackButton } from './call-back-button.js';
import { CallBackDialog } from './call-back-dialog.js';
import classes from './calls.module.css';

const ICONS = { inbound: PhoneIncoming, outbound: PhoneOutgoing, web: Globe };

export function CallTable({ calls }: { readonly calls: readonly CallResponse[] }) {
  const t = useTexts('calls');
  // Here, not in the row: the new call can push the row off the page.
  const [phone, setPhone] = useState('');
  const [isCallingBack, dialog] = useDisclosure(false);
  const callBack = (to: string) => {
    setPhone(to);
    dialog.open();
  };
  return (
    <>
      <TableScroll name={t.title}>
        <table className={table.table} data-cards>
          <thead>
            <tr>
              <th scope="col">{t.columns.customer}</th>
              <th scope="col">{t.columns.assistant}</th>
              <th scope="col">{t.columns.status}</th>
              <th scope="col">{t.columns.when}</th>
              <th scope="col" className={table.number}>
                {t.columns.duration}
              </th>
              <th scope="col" className={table.number}>
                {t.columns.cost}
              </th>
            </tr>
          </thead>
          <tbody>
            {calls.map((call) => (
              <Row key={call.id} call={call} onCallBack={callBack} />
            ))}
          </tbody>
        </table>
      </TableScroll>
      <CallBackDialog phone={phone} opened={isCallingBack} onClose={dialog.close} />
    </>
  );
}

interface RowProps {
  readonly call: CallResponse;
  readonly onCallBack: (phone: string) => void;
}

function Row({ call, onCallBack }: RowProps) {
  const t = useTexts('calls');
  const format = useFormat();
  const routingWords = useRoutingWords();
  const Icon = ICONS[call.type];
  return (
    <tr data-link>
      <td>
        <span className={classes.customer}>
          <Icon size={16} aria-label={t.types[call.type]} />
          <span className={classes.number}>
            <Link
              from="/calls"
              to="/calls"
              search={(search) => ({ ...search, call: call.id })}
              className={table.rowLink}
            >
              {call.client_phone_number || t.web}
            </Link>
            <CallBackButton
              call={call}
              size="compact-xs"
              className={classes.above}
              onClick={() => onCallBack(call.client_phone_number)}
            />
          </span>
        </span>
      </td>
      <td className={table.wrap}>
        {call.assistant_name || (call.routing && routingWords.call(call.routing, ''))}
        {call.campaign_name && (
          <Text size="xs" c="dimmed">
            {call.campaign_name}
          </Text>
        )}
      </td>
      <td>
        <CallStatus status={call.status} />
      </td>
      <td>{format.dateTime(call.created_at)}</td>
      <td className={table.number}>{isLive(call.status) ? '–' : format.duration(call.duration)}</td>
      <td className={table.number}>{format.money(call.total_cost)}</td>
    </tr>
  );
}
