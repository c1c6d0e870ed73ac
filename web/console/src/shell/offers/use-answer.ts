import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { acceptTransferOffer, declineTransferOffer } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { keepAccepted } from '../../live/held-call.js';
import { useErrorText } from '../../texts/use-error-text.js';
import { type Offer, offersQuery } from './offers-query.js';

export interface Answer {
  readonly accept: (offer: Offer) => void;
  readonly decline: (offer: Offer) => void;
  /** Of the offer whose answer is on its way. */
  readonly openId: number | null;
  readonly kind: 'accept' | 'decline';
}

/** Answers offers. An accepted call opens at the desk, which holds it. */
export function useAnswer(): Answer {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const settled = {
    onError: (error: Error) => notifications.show({ message: errorText(error), color: 'red' }),
    onSettled: () => queries.invalidateQueries({ queryKey: offersQuery.queryKey }),
  };
  const accept = useMutation({
    mutationFn: ({ id }: Offer) => dataOf(acceptTransferOffer, { path: { id } }),
    onSuccess: async (_data, { call_id: call }) => {
      keepAccepted(call);
      // A desk that listens to this call is closed first: the one that holds it has a connection of its own.
      await navigate({ to: '/live', search: {} });
      await navigate({ to: '/live', search: { call } });
    },
    ...settled,
  });
  const decline = useMutation({
    mutationFn: ({ id }: Offer) => dataOf(declineTransferOffer, { path: { id } }),
    ...settled,
  });
  const open = accept.isPending ? accept : decline;
  return {
    accept: (offer) => accept.mutate(offer),
    decline: (offer) => decline.mutate(offer),
    openId: open.isPending ? open.variables.id : null,
    kind: accept.isPending ? 'accept' : 'decline',
  };
}
