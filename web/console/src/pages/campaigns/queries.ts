import { queryOptions } from '@tanstack/react-query';
import { getCampaign, getCampaignProgress, listCampaigns } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';

export const campaignsQuery = queryOptions({
  queryKey: ['campaigns'],
  queryFn: ({ signal }) => dataOf(listCampaigns, { signal }),
});

export const campaignQuery = (id: number) =>
  queryOptions({
    queryKey: ['campaigns', id],
    queryFn: ({ signal }) => dataOf(getCampaign, { path: { id }, signal }),
  });

export const progressQuery = (id: number) =>
  queryOptions({
    queryKey: ['campaigns', id, 'progress'],
    queryFn: ({ signal }) => dataOf(getCampaignProgress, { path: { id }, signal }),
  });
