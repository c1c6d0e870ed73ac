import { queryOptions } from '@tanstack/react-query';
import { listTransferOffers } from '#client/sdk.gen.js';
import type { TransferOfferResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';

export type Offer = TransferOfferResponse;

/** While one rings it is read again this often, so that it stops ringing without a hint as well. */
const RINGING_POLL_MS = 5_000;

export const offersQuery = queryOptions({
  queryKey: ['transfer-offers'],
  queryFn: async ({ signal }) => (await dataOf(listTransferOffers, { signal })).data,
  refetchInterval: ({ state }) => (state.data?.length ? RINGING_POLL_MS : false),
});
