import { until } from '../../support/until.js';
import { equal, type PhoneRow } from '../row.js';
import type { Prosa } from '../software/prosa.js';
import type { SharedProduct } from '../software/shared-product.js';
import { SippOperator } from '../software/sipp-operator.js';

const LEADS = 50;
/** Last two digits, which mean the same to the sandbox and to sipp: answers, busy, no answer, fails, hangs up. */
const ENDINGS = ['00', '01', '02', '04', '05'] as const;
const CAMPAIGN_MS = 240_000;

interface Tables {
  /** By ending, and by what became of the leads. */
  readonly leads: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly attempts: Readonly<Record<string, number>>;
}

interface Progress {
  readonly leads: { readonly running: number };
  readonly attempts: Readonly<Record<string, number>>;
}

interface Lead {
  readonly phone_number: string;
  readonly status: string;
}

export function campaignRows(product: SharedProduct): PhoneRow[] {
  return [
    {
      title: `product, sipp udp: a campaign calls its ${LEADS} leads, and they end as on the sandbox`,
      needs: 'sipp',
      isLong: true,
      run: async () => campaignOverSip(await product.get()),
    },
  ];
}

async function campaignOverSip(prosa: Prosa): Promise<string> {
  const operator = SippOperator.start();
  try {
    const trunk = await prosa.addTrunk(operator.port);
    const overSip = await run(prosa, trunk.id, '+5511922');
    equal(
      operator.rung.length,
      new Set(operator.rung).size,
      'different numbers among those that sipp was called for',
    );
    equal(operator.rung.length, LEADS, 'calls that reached sipp');
    const onSandbox = await run(prosa, await prosa.rentNumber(), '+5511933');
    equal(overSip, onSandbox, 'tables over SIP');
    return JSON.stringify(overSip.attempts);
  } finally {
    await operator.stop();
  }
}

/** The first round of a campaign: everybody is called once. @param prefix of the numbers, seven digits after the plus */
async function run(prosa: Prosa, phoneNumberId: number, prefix: string): Promise<Tables> {
  const assistant = await prosa.addAssistant({ id: phoneNumberId }, 'outbound', {
    ringing_time: 5,
    max_silence_duration: 20,
  });
  const { data: campaign } = await prosa.api<{ data: { id: number } }>('POST', 'campaign', {
    name: 'Renovação',
    assistant_id: assistant,
    phone_number_ids: [phoneNumberId],
    max_calls_in_parallel: 10,
    max_retries: 1,
    // Over SIP ten minutes are the least. The sandbox is quicker by its speed, and shall not come to it either.
    retry_interval: 4_320,
  });
  for (let lead = 0; lead < LEADS; lead++) {
    const ending = ENDINGS[lead % ENDINGS.length];
    const phone = `${prefix}${String(1_000 + lead)}${ending}`;
    await prosa.api('POST', 'lead', { campaign_id: campaign.id, phone_number: phone, variables: {} });
  }
  await prosa.api('POST', 'campaigns/update-status', { campaign_id: campaign.id, action: 'start' });
  const progress = () => prosa.api<Progress>('GET', `campaigns/${campaign.id}/progress`);
  const isOver = ({ leads, attempts }: Progress) => attempts.total === LEADS && leads.running === 0;
  await until(async () => isOver(await progress()), CAMPAIGN_MS).catch(async () => {
    throw new Error(`not over after ${CAMPAIGN_MS} ms: ${JSON.stringify(await progress())}`);
  });
  const { data } = await prosa.api<{ data: Lead[] }>('GET', `leads?campaign_id=${campaign.id}&per_page=100`);
  return { leads: byEnding(data), attempts: (await progress()).attempts };
}

function byEnding(leads: readonly Lead[]): Tables['leads'] {
  const table: Record<string, Record<string, number>> = {};
  for (const ending of ENDINGS) {
    const counts: Record<string, number> = {};
    for (const { phone_number: phone, status } of leads)
      if (phone.endsWith(ending)) counts[status] = (counts[status] ?? 0) + 1;
    table[ending] = counts;
  }
  return table;
}
