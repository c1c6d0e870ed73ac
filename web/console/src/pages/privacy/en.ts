import type { privacyPt } from './pt.js';
import { pluralOf } from '../../texts/plural.js';

const plural = pluralOf('en');

export const privacyEn = {
  title: 'Privacy',
  subtitle: 'What this account stores about people, and for how long.',
  person: {
    title: "A person's data",
    text: 'Export or erase everything stored about a phone number.',
    phone: 'Phone number',
    phoneText: "Without a country code, your account's country is assumed.",
    keep: 'When erasing',
    keepDoNotCall: 'Keep the number on the do-not-call list',
    keepDoNotCallText: "So it won't be called if it's imported again.",
    keepDocuments: 'Keep documents that mention the number',
    keepDocumentsText: 'Otherwise they are deleted from the knowledge bases.',
    export: 'Export data',
    exported: 'Data exported',
    fileName: 'personal-data',
    erase: 'Erase data',
    eraseTitle: (phone: string) => `Erase the data of ${phone}?`,
    eraseText:
      "This person's transcripts, recordings, variables, contacts and conversations are permanently erased. Empty call and conversation records remain for billing.",
  },
  erasure: {
    status: {
      processing: 'Erasing…',
      completed: 'Data erased',
      failed: 'Data not completely erased',
    },
    begun: (when: string) => `Requested on ${when}`,
    waiting: 'A call or reply to this person is still in progress. The rest is erased when it ends.',
    failedText: 'Try again. If it fails again, contact the server administrator.',
    nothing: 'No data found for this number.',
    kinds: {
      leads: 'Contacts',
      lead_imports: 'Imports',
      dial_attempts: 'Call attempts',
      calls: 'Calls',
      number_verifications: 'Number verifications',
      conversations: 'Conversations',
      simulations: 'Simulations',
      webhook_deliveries: 'Webhook deliveries',
      idempotency_keys: 'Cached API responses',
      do_not_call_entries: 'Do-not-call entries',
      documents: 'Documents',
    },
  },
  retention: {
    title: 'Data retention',
    text: 'Content is erased automatically after this time.',
    fields: {
      calls_days: 'Calls (days)',
      recordings_days: 'Recordings (days)',
      conversations_days: 'Conversations (days)',
    },
    always: {
      calls_days: 'Currently: forever',
      recordings_days: 'Currently: as long as the call',
      conversations_days: 'Currently: forever',
    },
    inForce: (days: number, shown: string) => `Currently: ${shown} ${plural(days, 'day', 'days')}`,
    placeholder: 'Server default',
    shorter: 'Older data is permanently erased within minutes.',
    empty: "Leave empty to use the server's setting. Values longer than the server's have no effect.",
    saved: 'Retention settings saved',
  },
} satisfies typeof privacyPt;
