import { ActionIcon, Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BadgeCheck, Pencil, PhoneForwarded, Trash2 } from 'lucide-react';
import { listNumberRents, listSipTrunks, listVerifiedNumbers } from '#client/sdk.gen.js';
import type { NumberRentResponse, RoutedPhoneNumberResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { phoneNumbersQuery } from '../../catalog/queries.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { useRoutingWords } from '../../components/routing/routing-words.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import table from '../../components/tables/data-table.module.css';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { wideRangesOf } from './wide-ranges.js';

type PhoneNumber = RoutedPhoneNumberResponse;

/** Dialogs for one number. */
export interface NumberDialog {
  readonly kind: 'edit' | 'trunk' | 'verify-number' | 'delete';
  readonly number: PhoneNumber;
}

interface RentProps {
  readonly number: PhoneNumber;
  /** Absent if the number has no monthly price. */
  readonly rent: NumberRentResponse | undefined;
}

function Rent({ number, rent }: RentProps) {
  const t = useTexts('numbers');
  const format = useFormat();
  if (!rent) return number.has_active_subscription ? t.rented : t.notRented;
  return (
    <>
      {t.search.month(format.money(rent.price))}
      {rent.unpaid_since ? (
        <Text size="sm" c="red">
          {t.unpaidSince(format.day(rent.unpaid_since))}
        </Text>
      ) : (
        <Dimmed>{t.nextOn(format.day(rent.due_at))}</Dimmed>
      )}
    </>
  );
}

interface Props {
  readonly numbers: readonly PhoneNumber[];
  readonly onOpen: (dialog: NumberDialog) => void;
}

/** All numbers, with rent and verification. */
export function NumbersTable({ numbers, onOpen }: Props) {
  const t = useTexts('numbers');
  const words = useRoutingWords();
  const rents = useQuery({
    queryKey: [...phoneNumbersQuery.queryKey, 'rents'],
    queryFn: async ({ signal }) => (await dataOf(listNumberRents, { signal })).data,
  });
  const verified = useQuery({
    queryKey: [...phoneNumbersQuery.queryKey, 'verified'],
    queryFn: async ({ signal }) => (await dataOf(listVerifiedNumbers, { signal })).data,
  });
  const trunks = useQuery({
    queryKey: [...phoneNumbersQuery.queryKey, 'trunks'],
    queryFn: async ({ signal }) => (await dataOf(listSipTrunks, { signal })).data,
    enabled: numbers.some(({ type }) => type === 'sip'),
  });
  const isWide = ({ id }: PhoneNumber) =>
    wideRangesOf(trunks.data?.find((trunk) => trunk.id === id)?.allowed_inbound_ips ?? null).length > 0;
  const isVerified = ({ id }: PhoneNumber) =>
    verified.data?.some(({ phone_number_id: verifiedId }) => verifiedId === id) ?? false;
  const nowText = ({ routing }: PhoneNumber) => routing && words.now(routing);
  const columns: readonly Column<PhoneNumber>[] = [
    {
      key: 'number',
      head: t.columns.number,
      cell: (number) => (
        <>
          <Text fw={500} className="tabular">
            {number.phone_number}
          </Text>
          {number.nickname && <Dimmed className={table.second}>{number.nickname}</Dimmed>}
          <Text size="sm" className={`${table.narrowOnly} ${table.second}`}>
            {nowText(number)}
          </Text>
        </>
      ),
      sort: (number) => number.phone_number,
    },
    {
      key: 'kind',
      head: t.columns.kind,
      cell: (number) => (
        <Group gap="xs">
          <Badge color={number.type === 'sip' ? 'iris' : 'gray'}>{t.kinds[number.type]}</Badge>
          {isVerified(number) && <Badge color="green">{t.verify.verified}</Badge>}
          {isWide(number) && <Badge color="amber">{t.trunks.wide}</Badge>}
        </Group>
      ),
      sort: ({ type }) => t.kinds[type],
    },
    { key: 'routing', head: t.columns.routing, kind: 'text', isWideOnly: true, cell: nowText },
    {
      key: 'country',
      head: t.columns.country,
      isWideOnly: true,
      cell: (number) => number.country_code,
      sort: (number) => number.country_code ?? '',
    },
    {
      key: 'rent',
      head: t.columns.rent,
      isWideOnly: true,
      cell: (number) => (
        <Rent number={number} rent={rents.data?.find((rent) => rent.phone_number_id === number.id)} />
      ),
    },
    {
      key: 'actions',
      head: t.editTitle,
      isHeadHidden: true,
      kind: 'number',
      cell: (number) => <NumberActions number={number} onOpen={onOpen} />,
    },
  ];
  return <DataTable name={t.title} columns={columns} rows={numbers} keyOf={({ id }) => id} />;
}

interface ActionsProps {
  readonly number: PhoneNumber;
  readonly onOpen: (dialog: NumberDialog) => void;
}

function NumberActions({ number, onOpen }: ActionsProps) {
  const t = useTexts('numbers');
  return (
    <Group gap={2} justify="flex-end" wrap="nowrap">
      <IfAllowed scope="admin">
        {number.routing && (
          <ActionIcon
            component={Link}
            to={`/numbers/${number.id}`}
            aria-label={t.routing(number.phone_number)}
          >
            <PhoneForwarded size={16} />
          </ActionIcon>
        )}
        {number.type === 'sip' && number.phone_number.startsWith('+') && (
          <ActionIcon
            aria-label={t.verify.openNumber(number.phone_number)}
            onClick={() => onOpen({ kind: 'verify-number', number })}
          >
            <BadgeCheck size={16} />
          </ActionIcon>
        )}
        <ActionIcon
          aria-label={t.edit(number.phone_number)}
          onClick={() => onOpen({ kind: number.type === 'sip' ? 'trunk' : 'edit', number })}
        >
          <Pencil size={16} />
        </ActionIcon>
        <ActionIcon
          aria-label={t.remove(number.phone_number)}
          onClick={() => onOpen({ kind: 'delete', number })}
        >
          <Trash2 size={16} />
        </ActionIcon>
      </IfAllowed>
    </Group>
  );
}
