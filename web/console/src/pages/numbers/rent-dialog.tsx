import { Button, Modal, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchPhoneNumbers } from '#client/sdk.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { Form } from '../../components/inputs/form.js';
import { Loaded } from '../../components/states/loaded.js';
import { useTexts } from '../../texts/texts.js';
import classes from './numbers.module.css';
import { Offers } from './rent-offers.js';

interface Search {
  readonly country: string;
  readonly contains: string;
}

/** Searches available numbers and rents one. */
export function RentDialog({ onClose }: { readonly onClose: () => void }) {
  const { search: t } = useTexts('numbers');
  const [search, setSearch] = useState<Search>({ country: '', contains: '' });
  const offers = useQuery({
    queryKey: ['offered-numbers', search],
    queryFn: async ({ signal }) => {
      const query = {
        ...(search.country && { country_code: search.country.toUpperCase() }),
        ...(search.contains && { contains: search.contains }),
      };
      return (await dataOf(searchPhoneNumbers, { query, signal })).data;
    },
    retry: false,
  });
  return (
    <Modal opened onClose={onClose} size="lg" title={t.title}>
      <SearchForm onSearch={setSearch} />
      <Loaded query={offers}>{(data) => <Offers offers={data} onClose={onClose} />}</Loaded>
      <Dimmed mt="md">{t.note}</Dimmed>
    </Modal>
  );
}

function SearchForm({ onSearch }: { readonly onSearch: (search: Search) => void }) {
  const { search: t } = useTexts('numbers');
  const [country, setCountry] = useState('');
  const [contains, setContains] = useState('');
  return (
    <Form
      onSubmit={() => onSearch({ country: country.trim(), contains: contains.trim() })}
      className={classes.search}
    >
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
    </Form>
  );
}
