// Begins with the files that take longest, so that none of them is left to run alone on one worker at the end. Jest knows
// that from the last run; in a new clone it goes by the size of the files, which says nothing of processes and waits.
import Sequencer from '@jest/test-sequencer';

/** Seconds on two cores, roughly; files that are not listed take less. */
const SECONDS = {
  'test/pages/screens.spec.ts': 300,
  'test/voice/voice-session.spec.ts': 150,
  'test/security/connections.spec.ts': 160,
  'test/faults/sip-takeover.spec.ts': 130,
  'test/security/visitor-lines.spec.ts': 120,
  'test/voice/vendors.spec.ts': 105,
  'test/voice/voice-sessions.conformance.spec.ts': 100,
  'test/pages/assistants.spec.ts': 100,
  'test/voice/provider-faults.spec.ts': 100,
  'test/e2e/supervisor.spec.ts': 95,
  'test/voice/sandbox-calls.spec.ts': 90,
  'test/e2e/start.spec.ts': 80,
  'test/voice/sip-calls.spec.ts': 80,
  'test/pages/members.spec.ts': 80,
  'test/voice/sip-transfers.spec.ts': 80,
  'test/pages/campaigns.spec.ts': 70,
  'test/voice/browser-calls.spec.ts': 70,
  'test/e2e/plugins.spec.ts': 65,
  'test/faults/first-start.spec.ts': 65,
  'test/faults/dialler.spec.ts': 65,
  'test/pages/console.spec.ts': 60,
  'test/e2e/voice-process.spec.ts': 60,
  'test/faults/ingestion-kill.spec.ts': 55,
  'test/faults/database-outage.spec.ts': 55,
  'test/faults/voice-kill.spec.ts': 55,
  'test/pages/widget.spec.ts': 50,
  'test/e2e/backup.spec.ts': 45,
  'test/contract/assistants-accepted-fields.contract.spec.ts': 20,
  'test/faults/call-adoption.spec.ts': 40,
  'test/e2e/plugins-unusable.spec.ts': 40,
  'test/pages/widget-in-pages.spec.ts': 40,
  'test/integration/campaign-refusals.spec.ts': 35,
  'test/e2e/embedded-postgres.spec.ts': 35,
  'test/e2e/account-command.spec.ts': 30,
  'test/e2e/contract-command.spec.ts': 30,
  'test/faults/webhook-kill.spec.ts': 25,
  'test/e2e/server-account.spec.ts': 25,
  'test/contract/calls.contract.spec.ts': 25,
  'test/integration/call-edges.spec.ts': 25,
  'test/integration/webhook-delivery.spec.ts': 25,
  'src/modules/knowledgebases/extraction/extraction-process.spec.ts': 25,
  'test/integration/message-billing.spec.ts': 25,
  'test/faults/idempotent-requests.spec.ts': 25,
  'test/integration/idempotent-routes.spec.ts': 25,
  'test/e2e/operations.spec.ts': 25,
  'test/e2e/docs.spec.ts': 25,
  'test/contract/webhooks.contract.spec.ts': 20,
  'test/integration/ingestion.spec.ts': 20,
  'test/integration/hostile-documents.spec.ts': 20,
  'test/integration/vector-search.spec.ts': 20,
  'src/common/egress/egress-client.hostile.spec.ts': 20,
  'test/integration/connections.spec.ts': 20,
  'test/integration/carrier-outage.spec.ts': 20,
  'test/faults/queue-outage.spec.ts': 20,
  'test/contract/fuzz.contract.spec.ts': 20,
  'test/integration/dialler-tenants.spec.ts': 20,
  'test/integration/inbound-lease.spec.ts': 20,
  'src/providers/speech/sandbox/espeak-process.spec.ts': 20,
  'src/providers/speech/sandbox/phrase-book.spec.ts': 20,
  'test/e2e/operator-files.spec.ts': 20,
  'test/e2e/simulate-command.spec.ts': 15,
  'test/integration/call-life.spec.ts': 15,
  'src/providers/speech/openai/openai-realtime.spec.ts': 15,
  'test/integration/inbox-size.spec.ts': 15,
  'src/providers/speech/speech-provider-registry.spec.ts': 15,
};

const secondsOf = ({ path }) => Object.entries(SECONDS).find(([file]) => path.endsWith(`/${file}`))?.[1] ?? 0;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    return sorted.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}
