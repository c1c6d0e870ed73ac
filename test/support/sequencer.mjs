// Begins with the files that take longest, so that none of them is left to run alone on one worker at the end. Jest knows
// that from the last run; in a new clone it goes by the size of the files, which says nothing of processes and waits.
import Sequencer from '@jest/test-sequencer';

/** Seconds on two cores, roughly; files that are not listed take less. */
const SECONDS = {
  'test/faults/dialler.spec.ts': 70,
  'test/e2e/supervisor.spec.ts': 60,
  'test/e2e/start.spec.ts': 55,
  'test/faults/ingestion-kill.spec.ts': 50,
  'test/faults/first-start.spec.ts': 50,
  'test/faults/call-adoption.spec.ts': 50,
  'test/faults/database-outage.spec.ts': 45,
  'test/integration/campaign-refusals.spec.ts': 45,
  'src/database/embedded-postgres.spec.ts': 40,
  'test/faults/webhook-kill.spec.ts': 35,
  'test/pages/console.spec.ts': 40,
  'test/pages/widget.spec.ts': 35,
  'test/integration/ingestion.spec.ts': 35,
  'src/database/embedded/server-account.spec.ts': 30,
  'test/integration/webhook-delivery.spec.ts': 30,
  'test/contract/assistants.contract.spec.ts': 30,
  'test/integration/hostile-documents.spec.ts': 30,
  'test/integration/call-edges.spec.ts': 30,
  'test/integration/vector-search.spec.ts': 25,
  'src/modules/knowledgebases/extraction/extraction-process.spec.ts': 25,
  'test/faults/queue-outage.spec.ts': 25,
  'test/integration/dialler-window.spec.ts': 25,
  'test/integration/carrier-outage.spec.ts': 20,
  'test/integration/inbound-lease.spec.ts': 20,
  'test/integration/connections.spec.ts': 20,
  'test/contract/fuzz.contract.spec.ts': 20,
  'test/contract/webhooks.contract.spec.ts': 20,
  'test/faults/idempotent-requests.spec.ts': 20,
  'test/faults/chat-kill.spec.ts': 15,
};

const secondsOf = ({ path }) => Object.entries(SECONDS).find(([file]) => path.endsWith(`/${file}`))?.[1] ?? 0;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    return sorted.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}
