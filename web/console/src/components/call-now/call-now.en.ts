import type { callNowPt } from './call-now.pt.js';

export const callNowEn = {
  action: 'Call now',
  phone: 'Number',
  phoneHint: 'For other countries, start with + and the country code.',
  assistant: 'Assistant',
  variables: 'Variables of the assistant',
  cost: (perMinute: string) => `About ${perMinute} a minute, based on this assistant's recent calls.`,
  noAssistant: 'No outbound assistant can call. Create or activate one.',
  toAssistants: 'View assistants',
  submit: 'Call',
} satisfies typeof callNowPt;
