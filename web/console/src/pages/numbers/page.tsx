import '@mantine/core/styles/Table.layer.css';
import { ActionIcon, Badge, Button, Group, Table, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Hash, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { listNumberRents } from '../../../../../clients/typescript/src/sdk.gen.js';
import type {
  ListedPhoneNumberResponse,
  NumberRentResponse,
} from '../../../../../clients/typescript/src/types.gen.js';
import { dataOf } from '../../api/client.js';
import { phoneNumbersQuery } from '../../catalog/queries.js';
import { EmptyState } from '../../components/states/empty-state.js';
import table from '../../components/tables/list-table.module.css';
import { Loaded } from '../../components/states/loaded.js';
import { May } from '../../components/may.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { AdoptDialog } from './adopt-dialog.js';
import { DeleteNumber } from './delete-number.js';
import { NicknameDialog } from './nickname-dialog.js';
import { RentDialog } from './rent-dialog.js';
import { TrunkDialog } from './trunk-dialog.js';
import { TwilioDialog } from './twilio-dialog.js';

type PhoneNumber = ListedPhoneNumberResponse;

/** What is open over the list. */
type Dialog =
  | { readonly kind: 'rent' | 'new-trunk' | 'twilio' | 'adopt' }
  | { readonly kind: 'edit' | 'trunk' | 'delete'; readonly number: PhoneNumber };

export function NumbersPage() {
  const t = useTexts('numbers');
  const numbers = useQuery(phoneNumbersQuery);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const actions = (
    <May scope="admin">
      <Button variant="default" onClick={() => setDialog({ kind: 'twilio' })}>
        {t.twilio.open}
      </Button>
      <Button variant="default" onClick={() => setDialog({ kind: 'new-trunk' })}>
        {t.addTrunk}
      </Button>
      <Button leftSection={<Plus size={16} />} onClick={() => setDialog({ kind: 'rent' })}>
        {t.buy}
      </Button>
    </May>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={actions}>
      <Loaded query={numbers}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Hash} title={t.none.title} action={<Group gap="sm">{actions}</Group>}>
              {t.none.text}
            </EmptyState>
          ) : (
            <Panel flush>
              <Numbers numbers={all} onOpen={setDialog} />
            </Panel>
          )
        }
      </Loaded>
      {dialog && <Open dialog={dialog} onOpen={setDialog} onClose={() => setDialog(null)} />}
    </Page>
  );
}

interface OpenProps {
  readonly dialog: Dialog;
  readonly onOpen: (dialog: Dialog) => void;
  readonly onClose: () => void;
}

function Open({ dialog, onOpen, onClose }: OpenProps) {
  switch (dialog.kind) {
    case 'rent':
      return <RentDialog onClose={onClose} />;
    case 'twilio':
      return <TwilioDialog onAdopt={() => onOpen({ kind: 'adopt' })} onClose={onClose} />;
    case 'adopt':
      return <AdoptDialog onClose={onClose} />;
    case 'new-trunk':
      return <TrunkDialog id={null} onClose={onClose} />;
    case 'trunk':
      return <TrunkDialog id={dialog.number.id} onClose={onClose} />;
    case 'edit':
      return <NicknameDialog number={dialog.number} onClose={onClose} />;
    case 'delete':
      return <DeleteNumber number={dialog.number} onClose={onClose} />;
  }
}

interface RentProps {
  readonly number: PhoneNumber;
  /** Left out where nothing is paid by the month. */
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
        <Text size="sm" c="dimmed">
          {t.nextOn(format.day(rent.due_at))}
        </Text>
      )}
    </>
  );
}

interface NumbersProps {
  readonly numbers: readonly PhoneNumber[];
  readonly onOpen: (dialog: Dialog) => void;
}

function Numbers({ numbers, onOpen }: NumbersProps) {
  const t = useTexts('numbers');
  const rents = useQuery({
    queryKey: [...phoneNumbersQuery.queryKey, 'rents'],
    queryFn: async ({ signal }) => (await dataOf(listNumberRents({ signal, throwOnError: true }))).data,
  });
  return (
    <div className={table.scroll}>
      <Table className={table.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.columns.number}</Table.Th>
            <Table.Th>{t.columns.kind}</Table.Th>
            <Table.Th className={table.wideOnly}>{t.columns.country}</Table.Th>
            <Table.Th className={table.wideOnly}>{t.columns.rent}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t.editTitle}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {numbers.map((number) => (
            <Table.Tr key={number.id}>
              <Table.Td>
                <Text fw={500} className="tabular">
                  {number.phone_number}
                </Text>
                {number.nickname && (
                  <Text size="sm" c="dimmed">
                    {number.nickname}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Badge color={number.type === 'sip' ? 'iris' : 'gray'}>{t.kinds[number.type]}</Badge>
              </Table.Td>
              <Table.Td className={table.wideOnly}>{number.country_code}</Table.Td>
              <Table.Td className={table.wideOnly}>
                <Rent number={number} rent={rents.data?.find((rent) => rent.phone_number_id === number.id)} />
              </Table.Td>
              <Table.Td>
                <Group gap={2} justify="flex-end" wrap="nowrap">
                  <May scope="admin">
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
                  </May>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
