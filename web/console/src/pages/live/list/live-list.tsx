import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hangUpCall } from '#client/sdk.gen.js';
import { dataOf } from '../../../api/client.js';
import { Confirm } from '../../../components/actions/confirm.js';
import { useTexts } from '../../../texts/texts.js';
import { Ticking } from '../clock.js';
import classes from '../live.module.css';
import { customerOf, type LiveCall } from '../live-calls.js';
import { LiveItem } from './live-item.js';

export function LiveList({ calls }: { readonly calls: readonly LiveCall[] }) {
  const t = useTexts('live');
  const { web } = useTexts('calls');
  const queries = useQueryClient();
  // The call can end while the dialog is open or closes. The dialog must not name another one.
  const [asked, setAsked] = useState<LiveCall | null>(null);
  const [isAsking, question] = useDisclosure(false);
  const hangUp = useMutation({
    mutationFn: (id: number) => dataOf(hangUpCall({ path: { id }, throwOnError: true })),
    onSuccess: () => {
      question.close();
      return queries.invalidateQueries({ queryKey: ['calls'] });
    },
  });
  const ask = (call: LiveCall) => {
    hangUp.reset();
    setAsked(call);
    question.open();
  };
  const isThere = asked !== null && calls.some(({ id }) => id === asked.id);
  return (
    <Ticking>
      <ul className={classes.list} aria-label={t.list}>
        {calls.map((call) => (
          <LiveItem key={call.id} call={call} onHangUp={ask} />
        ))}
      </ul>
      <Confirm
        opened={isAsking && isThere}
        title={t.hangUp}
        question={asked ? t.hangUpQuestion(customerOf(asked, web)) : ''}
        action={t.hangUp}
        isBusy={hangUp.isPending}
        error={hangUp.error}
        onConfirm={() => asked && hangUp.mutate(asked.id)}
        onClose={question.close}
      />
    </Ticking>
  );
}
