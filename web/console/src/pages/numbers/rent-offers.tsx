import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AssistantResponse, OfferedNumberResponse } from '#client/types.gen.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { meQuery } from '../../session/me.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { NumberChoice } from './number-choice.js';
import classes from './numbers.module.css';
import { useFreeAnswerers, useRent } from './use-rent.js';

interface OffersProps {
  readonly offers: readonly OfferedNumberResponse[];
  readonly onClose: () => void;
}

/** Numbers that can be rented. One that is chosen asks for a confirmation, and who answers it. */
export function Offers({ offers, onClose }: OffersProps) {
  const { search: t } = useTexts('numbers');
  const format = useFormat();
  const answerers = useFreeAnswerers();
  const [chosen, setChosen] = useState<OfferedNumberResponse | null>(null);
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
      {chosen && answerers && (
        <RentQuestion
          offer={chosen}
          answerers={answerers}
          onClose={() => setChosen(null)}
          onRented={onClose}
        />
      )}
    </>
  );
}

interface QuestionProps {
  readonly offer: OfferedNumberResponse;
  readonly answerers: readonly AssistantResponse[];
  readonly onClose: () => void;
  readonly onRented: () => void;
}

/** Confirmation with price and balance, and the assistant that answers from then on. */
function RentQuestion({ offer, answerers, onClose, onRented }: QuestionProps) {
  const { search: t } = useTexts('numbers');
  const format = useFormat();
  const { data: me } = useQuery(meQuery);
  const [picked, setPicked] = useState<string | null>(null);
  const answering = picked ?? String(answerers[0]?.id ?? '');
  const rent = useRent(offer.phone_number, answering === '' ? null : Number(answering), onRented);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.rentNumber(offer.phone_number_formatted)}
      action={t.rent}
      color="blue"
      mutation={rent}
    >
      <Text>{t.question(format.money(offer.price))}</Text>
      {me && (
        <Text c={me.total_balance < offer.price ? 'red' : 'dimmed'} mt="xs">
          {t.balance(format.money(me.total_balance))}
        </Text>
      )}
      {answerers.length > 0 && (
        <Select
          mt="md"
          label={t.answering}
          data={[
            ...answerers.map(({ id, name }) => ({ value: String(id), label: name })),
            { value: '', label: t.noAnswering },
          ]}
          value={answering}
          allowDeselect={false}
          onChange={setPicked}
        />
      )}
    </ConfirmDialog>
  );
}
