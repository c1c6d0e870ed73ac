import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEventHandler, useState } from 'react';
import { hangUpCall } from '#client/sdk.gen.js';
import { dataOf } from '../../../api/client.js';
import { ConfirmDialog } from '../../../components/actions/confirm-dialog.js';
import { useTexts } from '../../../texts/texts.js';
import { Ticking } from '../../../components/ticking.js';
import classes from '../live.module.css';
import { customerOf, type LiveCall } from '../live-calls.js';
import { LiveItem } from './live-item.js';

interface Props {
  readonly calls: readonly LiveCall[];
  /** The call whose desk is open. */
  readonly openId: number | undefined;
  /** Null where the person may not listen. */
  readonly onListen: ((id: number) => void) | null;
  readonly onKeyDown: KeyboardEventHandler;
}

export function LiveList({ calls, openId, onListen, onKeyDown }: Props) {
  const t = useTexts('live');
  // The call can end while the dialog is open or closes. The dialog must not name another one.
  const [asked, setAsked] = useState<LiveCall | null>(null);
  const [isAsking, question] = useDisclosure(false);
  const queries = useQueryClient();
  const hangUp = useMutation({
    mutationFn: (id: number) => dataOf(hangUpCall, { path: { id } }),
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
      <ul className={classes.list} aria-label={t.list} onKeyDown={onKeyDown}>
        {calls.map((call) => (
          <LiveItem
            key={call.id}
            call={call}
            isOpen={call.id === openId}
            onListen={onListen}
            onHangUp={ask}
          />
        ))}
      </ul>
      <ConfirmDialog
        opened={isAsking && isThere}
        onClose={question.close}
        title={t.hangUp}
        mutation={{ ...hangUp, mutate: () => asked && hangUp.mutate(asked.id) }}
      >
        {asked ? t.hangUpQuestion(customerOf(asked, t.visitor)) : ''}
      </ConfirmDialog>
    </Ticking>
  );
}
