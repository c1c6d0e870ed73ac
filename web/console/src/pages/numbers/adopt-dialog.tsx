import { Badge, Modal, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adoptPhoneNumber, listAdoptableNumbers } from '#client/sdk.gen.js';
import type { AdoptableNumberResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { Loaded } from '../../components/states/loaded.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';
import { NumberChoice } from './number-choice.js';
import classes from './numbers.module.css';

const QUERY_KEY = ['adoptable-numbers'];

/** Imports numbers that were rented in Twilio's own console. */
export function AdoptDialog({ onClose }: { readonly onClose: () => void }) {
  const { adopt: t } = useTexts('numbers');
  const numbers = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async ({ signal }) => (await dataOf(listAdoptableNumbers, { signal })).data,
    retry: false,
    staleTime: 0,
  });
  return (
    <Modal opened onClose={onClose} size="lg" title={t.title}>
      <Dimmed mb="md">{t.text}</Dimmed>
      <Loaded query={numbers}>{(all) => <Adoptable numbers={all} />}</Loaded>
    </Modal>
  );
}

/** Stays open, since people often import several numbers. */
function Adoptable({ numbers }: { readonly numbers: readonly AdoptableNumberResponse[] }) {
  const { adopt: t } = useTexts('numbers');
  const queries = useQueryClient();
  const adopt = useMutation({
    mutationFn: (phoneNumber: string) => dataOf(adoptPhoneNumber, { body: { phone_number: phoneNumber } }),
    meta: { saved: t.done },
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: QUERY_KEY }),
        queries.invalidateQueries({ queryKey: ['phone-numbers'] }),
      ]);
    },
  });
  if (numbers.length === 0) return <Text c="dimmed">{t.none}</Text>;
  return (
    <>
      {adopt.error && <Problem error={adopt.error} />}
      <ul className={classes.offers}>
        {numbers.map(({ sid, phone_number: number, phone_number_formatted: shown, ...rest }) => (
          <NumberChoice
            key={sid}
            shown={shown}
            name={rest.friendly_name === shown ? null : rest.friendly_name}
            note={rest.country_code}
            label={t.adopt}
            fullLabel={t.adoptNumber(shown)}
            onChoose={() => adopt.mutate(number)}
            isPending={adopt.isPending && adopt.variables === number}
            isDisabled={adopt.isPending}
            obstacle={rest.is_bound && <Badge color="gray">{t.bound}</Badge>}
          />
        ))}
      </ul>
      {numbers.some(({ is_bound: isBound }) => isBound) && <Dimmed mt="md">{t.boundText}</Dimmed>}
    </>
  );
}
