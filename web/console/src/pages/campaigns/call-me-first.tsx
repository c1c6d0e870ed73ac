import { useQuery } from '@tanstack/react-query';
import type { CampaignResponse } from '#client/types.gen.js';
import { CallNowButton } from '../../components/call-now/call-now-button.js';
import { useTexts } from '../../texts/texts.js';
import { leadsQuery } from './leads/leads.js';

/** Calls a number of one's own as the campaign will call its contacts, with what is known of the first one. */
export function CallMeFirst({ campaign }: { readonly campaign: CampaignResponse }) {
  const { actions: t } = useTexts('campaigns');
  const { data: leads } = useQuery(leadsQuery(campaign.id, {}));
  if (campaign.assistant_id === null) return null;
  return (
    <CallNowButton
      variant="default"
      label={t.callMeFirst}
      assistantId={campaign.assistant_id}
      variables={leads?.data[0]?.variables ?? {}}
    />
  );
}
