import type { routingPt } from './routing.pt.js';

export const routingEn = {
  now: (isOpen: boolean, target: string) => `Now: ${isOpen ? 'open' : 'closed'} → ${target}`,
  targets: {
    assistant: 'assistant',
    forward: 'forwarded',
    message: 'message',
    busy: 'busy tone',
    reject: 'turned away',
  },
  noOne: 'no one',
  branches: { open: 'Open', closed: 'Closed', lookup: 'Caller lookup', unavailable: 'No one could answer' },
  reasons: {
    hours: 'outside opening hours',
    closed_date: 'closed date',
    no_assistant: 'no assistant available',
    account_full: 'all lines of the plan in use',
    platform_full: 'all lines of the server in use',
    trunk_full: 'all lines of the trunk in use',
    balance: 'insufficient balance',
    no_voice: 'voice service unavailable',
    queue_full: 'queue full',
    queue_timeout: 'longest wait reached',
    lookup: 'decision of the caller lookup',
  },
} satisfies typeof routingPt;
