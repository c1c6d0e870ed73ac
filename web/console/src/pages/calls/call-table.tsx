import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Globe, PhoneIncoming, PhoneOutgoing } from 'lucide-react';
import { useState } from 'react';
import type { CallResponse } from '#client/types.gen.js';
import { CallStatus, isLive } from '../../components/call-status.js';
import { useRoutingWords } from '../../components/routing/routing-words.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import table from '../../components/tables/data-table.module.css';
import type { Selection } from '../../components/tables/use-selection.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { CallBackButton } from './call-back-button.js';
import { CallBackDialog } from './call-back-dialog.js';
import classes from './calls.module.css';

const ICONS = { inbound: PhoneIncoming, outbound: PhoneOutgoing, web: Globe };

interface Props {
  readonly calls: readonly CallResponse[];
  readonly selection: Selection;
}

export function CallTable({ calls, selection }: Props) {
  const t = useTexts('calls');
  const format = useFormat();
  // Here, not in the row: the new call can push the row off the page.
  const [phone, setPhone] = useState('');
  const [isCallingBack, dialog] = useDisclosure(false);
  const callBack = (to: string) => {
    setPhone(to);
    dialog.open();
  };
  const columns: readonly Column<CallResponse>[] = [
    {
      key: 'customer',
      head: t.columns.customer,
      cell: (call) => <Customer call={call} onCallBack={callBack} />,
    },
    {
      key: 'assistant',
      head: t.columns.assistant,
      kind: 'text',
      cell: (call) => <Assistant call={call} />,
    },
    { key: 'status', head: t.columns.status, cell: ({ status }) => <CallStatus status={status} /> },
    {
      key: 'when',
      head: t.columns.when,
      cell: (call) => format.dateTime(call.created_at),
      sort: { asc: 'oldest', desc: 'newest' },
    },
    {
      key: 'duration',
      head: t.columns.duration,
      kind: 'number',
      cell: ({ status, duration }) => (isLive(status) ? '–' : format.duration(duration)),
    },
    {
      key: 'cost',
      head: t.columns.cost,
      kind: 'number',
      cell: (call) => format.money(call.total_cost),
    },
  ];
  return (
    <>
      <DataTable
        name={t.title}
        columns={columns}
        rows={calls}
        keyOf={({ id }) => id}
        initial="newest"
        isLinked
        selection={selection}
        rowName={(call) => `${call.client_phone_number || t.web}, ${format.dateTime(call.created_at)}`}
      />
      <CallBackDialog phone={phone} opened={isCallingBack} onClose={dialog.close} />
    </>
  );
}

interface CustomerProps {
  readonly call: CallResponse;
  readonly onCallBack: (phone: string) => void;
}

function Customer({ call, onCallBack }: CustomerProps) {
  const t = useTexts('calls');
  const Icon = ICONS[call.type];
  return (
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
          className={table.above}
          onClick={() => onCallBack(call.client_phone_number)}
        />
      </span>
    </span>
  );
}

function Assistant({ call }: { readonly call: CallResponse }) {
  const routingWords = useRoutingWords();
  return (
    <>
      {call.assistant_name || (call.routing && routingWords.call(call.routing, ''))}
      {call.campaign_name && (
        <Text size="xs" c="dimmed">
          {call.campaign_name}
        </Text>
      )}
    </>
  );
}
