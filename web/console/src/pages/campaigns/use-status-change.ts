import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateCampaignStatus } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';

/** Starts and stops a campaign. */
export function useStatusChange(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: 'start' | 'stop') =>
      dataOf(updateCampaignStatus, { body: { campaign_id: id, action } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['campaigns'] }),
  });
}
