import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Globe, PhoneIncoming, PhoneOutgoing } from 'lucide-react';
import type { CallResponse } from '#client/types.gen.js';
import { CallStatus } from '../../components/call-status.js';
import table from '../../components/tables/data-table.module.css';
import { TableScroll } from '../../components/tables/table-scroll.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './calls.module.css';

const ICONS = { inbound: PhoneIncoming, outbound: PhoneOutgoing, web: Globe };

export function CallTable({ calls }: { readonly calls: readonly CallResponse[] }) {
  const t = useTexts('calls');
  return (
    <TableScroll name={t.title}>
      <table className={table.table}>
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
            <Row key={call.id} call={call} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function Row({ call }: { readonly call: CallResponse }) {
  const t = useTexts('calls');
  const format = useFormat();
  const Icon = ICONS[call.type];
  return (
    <tr data-link>
      <td>
        <span className={classes.customer}>
          <Icon size={16} aria-label={t.types[call.type]} />
          <Link
            from="/calls"
            to="/calls"
            search={(search) => ({ ...search, call: call.id })}
            className={table.rowLink}
          >
            {call.client_phone_number || t.web}
          </Link>
        </span>
      </td>
      <td>
        {call.assistant_name}
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
      <td className={table.number}>{format.duration(call.duration)}</td>
      <td className={table.number}>{format.money(call.total_cost)}</td>
    </tr>
  );
}
