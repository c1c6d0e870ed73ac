import { Button, Modal, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { purchasePhoneNumber, searchPhoneNumbers } from '#client/sdk.gen.js';
import type { OfferedNumberResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { Loaded } from '../../components/states/loaded.js';
import { meQuery } from '../../session/me.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { NumberChoice } from './number-choice.js';
import classes from './numbers.module.css';

interface Search {
  readonly country: string;
  readonly contains: string;
}

/** Searches available numbers and rents one. */
export function RentDialog({ onClose }: { readonly onClose: () => void }) {
  const { search: t } = useTexts('numbers');
  const { actions } = useTexts('common');
  const [search, setSearch] = useState<Search>({ country: '', contains: '' });
  const offers = useQuery({
    queryKey: ['offered-numbers', search],
    queryFn: async ({ signal }) => {
      const query = {
        ...(search.country && { country_code: search.country.toUpperCase() }),
        ...(search.contains && { contains: search.contains }),
      };
      return (await dataOf(searchPhoneNumbers({ query, signal, throwOnError: true }))).data;
    },
    retry: false,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t.title}
      closeButtonProps={{ 'aria-label': actions.close }}
    >
      <SearchForm onSearch={setSearch} />
      <Loaded query={offers}>{(data) => <Offers offers={data} onClose={onClose} />}</Loaded>
      <Text size="sm" c="dimmed" mt="md">
        {t.note}
      </Text>
    </Modal>
  );
}

function SearchForm({ onSearch }: { readonly onSearch: (search: Search) => void }) {
  const { search: t } = useTexts('numbers');
  const [country, setCountry] = useState('');
  const [contains, setContains] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch({ country: country.trim(), contains: contains.trim() });
  };
  return (
    <form onSubmit={submit} className={classes.search}>
      <TextInput
        label={t.country}
        placeholder="BR"
        maxLength={2}
        value={country}
        onChange={(event) => setCountry(event.currentTarget.value)}
      />
      <TextInput
        label={t.contains}
        placeholder="3000"
        inputMode="numeric"
        value={contains}
        data-autofocus
        onChange={(event) => setContains(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t.submit}
      </Button>
    </form>
  );
}

interface OffersProps {
  readonly offers: readonly OfferedNumberResponse[];
  readonly onClose: () => void;
}

function Offers({ offers, onClose }: OffersProps) {
  const { search: t } = useTexts('numbers');
  const format = useFormat();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<OfferedNumberResponse | null>(null);
  const rent = useMutation({
    mutationFn: () =>
      dataOf(purchasePhoneNumber({ body: { phone_number: chosen?.phone_number ?? '' }, throwOnError: true })),
    onSuccess: async () => {
      notifications.show({ message: t.done, color: 'green' });
      await queries.invalidateQueries({ queryKey: ['phone-numbers'] });
      void queries.invalidateQueries({ queryKey: ['me'] });
      onClose();
    },
  });
  if (offers.length === 0) return <Text c="dimmed">{t.none}</Text>;
  return (
    <>
      <ul className={classes.offers}>
        {offers.map((offer) => (
          <NumberChoice
            key={offer.phone_number}
            shown={offer.phone_number_formatted}
            note={`${offer.country_code} · ${t.month(format.money(offer.price))}`}
            label={t.rent}
            fullLabel={t.rentNumber(offer.phone_number_formatted)}
            onChoose={() => setChosen(offer)}
          />
        ))}
      </ul>
      {chosen && (
        <ConfirmDialog
          opened
          onClose={() => setChosen(null)}
          title={t.rentNumber(chosen.phone_number_formatted)}
          action={t.rent}
          color="blue"
          mutation={rent}
        >
          <RentQuestion price={chosen.price} />
        </ConfirmDialog>
      )}
    </>
  );
}

/** Confirmation with price and balance. */
function RentQuestion({ price }: { readonly price: number }) {
  const { search: t } = useTexts('numbers');
  const format = useFormat();
  const { data: me } = useQuery(meQuery);
  return (
    <>
      <Text>{t.question(format.money(price))}</Text>
      {me && (
        <Text c={me.total_balance < price ? 'red' : 'dimmed'} mt="xs">
          {t.balance(format.money(me.total_balance))}
        </Text>
      )}
    </>
  );
}
