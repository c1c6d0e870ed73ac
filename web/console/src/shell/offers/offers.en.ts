import type { offersPt } from './offers.pt.js';

export const offersEn = {
  title: 'Transfers to you',
  visitor: 'a web visitor',
  from: (customer: string) => `Call from ${customer}`,
  by: (assistant: string) => `Transferred by the assistant ${assistant}`,
  left: (seconds: number) => `${seconds} s`,
  noBriefing: 'No summary of the conversation.',
  spoken: (customer: string, assistant: string, briefing: string) =>
    `New transfer: call from ${customer}, by the assistant ${assistant}. ${briefing}`,
  accept: 'Accept',
  decline: 'Decline',
} satisfies typeof offersPt;
