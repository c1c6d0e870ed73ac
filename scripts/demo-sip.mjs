import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCampaign, outcomesOf, redraw, rentNumbers } from './demo-leads.mjs';
import { demonstrate } from './demo-prosa.mjs';

const LEADS = 50;
const ROUND_MS = 300_000;
const LOOK_MS = 1_000;
/** What the far end does with a number as well, by its last two digits. */
const BOTH = ['00', '01', '02', '04', '05'];
const STATUSES = ['created', 'completed', 'reached-max-retries'];
const FAR_ENDS = {
  sipp: 'sipp, as the operator',
  own: 'our own SIP stack, as sipp is not installed',
};

/** One campaign over SIP, and the same on the sandbox carrier: the first calls to all leads, and their outcomes. */
export async function demonstrateSip() {
  const farEnd = await startFarEnd();
  const environment = {
    PROSA_ROLES: 'api,worker,voice',
    SIP_LISTEN: '127.0.0.1:0',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    CALLING_HOURS: 'off',
    // Of the calls that do not go by SIP.
    SANDBOX_SPEED: '100',
    LOG_LEVEL: 'info',
  };
  try {
    await demonstrate(environment, 'voice and ears are loaded', async (api) => {
      console.log(`\nThe far end of the SIP trunk is ${FAR_ENDS[farEnd.kind]}.`);
      console.log(`Calling ${LEADS} leads over SIP, in real time:\n`);
      const overSip = await round(api, await addTrunk(api, farEnd.port), '+5511922');
      show('Over SIP', overSip);
      console.log(`\nCalling ${LEADS} leads on the sandbox carrier:\n`);
      const [rented] = await rentNumbers(api, 1);
      const onSandbox = await round(api, rented, '+5511933');
      show('On the sandbox carrier', onSandbox);
      const rung = await farEnd.stop();
      const twice = rung.length - new Set(rung).size;
      console.log(
        `\nThe far end was called ${rung.length} times, ${twice} of them for a number it had before.`,
      );
      if (!isDeepStrictEqual(overSip, onSandbox)) throw new Error('the tables differ');
      if (twice > 0 || rung.length !== LEADS) throw new Error('not each number was called once');
      console.log('The tables of both carriers are the same.');
    });
  } finally {
    await farEnd.stop();
  }
}

/** In a process of its own, because it is a program of the tests. */
async function startFarEnd() {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/phone/far-end.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) throw new Error('the far end did not start');
  let last = null;
  const stop = async () => {
    child.stdin.end();
    const { value } = await lines.next();
    if (child.exitCode === null) await once(child, 'exit');
    return JSON.parse(value ?? '[]');
  };
  return { ...JSON.parse(first.value), stop: () => (last ??= stop()) };
}

async function addTrunk(api, port) {
  const { data } = await api('POST', 'phone-numbers/sip-trunks', {
    sip_trunk_type: 'number',
    phone_number: '+551130000001',
    sip_username: 'prosa',
    sip_password: 'secret',
    sip_address: `127.0.0.1:${port};transport=udp`,
    sip_calling_format: 'e164',
    inbound_authorization_type: 'ip',
    allowed_inbound_ips: ['127.0.0.1'],
    country_code: 'BR',
  });
  // A process serves the trunk within seconds.
  for (;;) {
    const trunk = await api('GET', `phone-numbers/sip-trunks/${data.id}`);
    if (trunk.data.outbound_trunk_id !== null) return data.id;
    await sleep(LOOK_MS);
  }
}

/** Everybody is called once. @param prefix of the numbers, seven digits after the plus */
async function round(api, phoneNumberId, prefix) {
  const campaign = await prepare(api, phoneNumberId, prefix);
  await api('POST', 'campaigns/update-status', { campaign_id: campaign, action: 'start' });
  const deadline = Date.now() + ROUND_MS;
  let progress;
  do {
    if (Date.now() > deadline) throw new Error(`the calls are not over after ${ROUND_MS / 1_000} s`);
    await sleep(LOOK_MS);
    progress = await api('GET', `campaigns/${campaign}/progress`);
    draw(progress);
  } while (progress.attempts.total < LEADS || progress.leads.running > 0);
  process.stdout.write('\n');
  await api('POST', 'campaigns/update-status', { campaign_id: campaign, action: 'stop' });
  const { attempts } = await api('GET', `campaigns/${campaign}/progress`);
  return { leads: await outcomesOf(api, campaign, BOTH, STATUSES), attempts };
}

function prepare(api, phoneNumberId, prefix) {
  return makeCampaign(api, {
    assistant: {
      initial_message: 'Olá! Aqui é a Padaria Central. Posso falar um minuto sobre a sua assinatura?',
      system_prompt:
        'Você liga para clientes da Padaria Central e oferece a renovação da assinatura de pães.',
      phone_number_id: phoneNumberId,
      ringing_time: 5,
    },
    campaign: {
      phone_number_ids: [phoneNumberId],
      max_retries: 1,
      // Over SIP ten minutes are the least: no lead is called a second time here, nor on the sandbox.
      retry_interval: 4_320,
    },
    leads: LEADS,
    leadOf: (n) => ({ phone_number: `${prefix}${1_000 + n}${BOTH[n % BOTH.length]}`, variables: {} }),
  });
}

function draw({ leads, attempts }) {
  redraw(`${attempts.total}/${LEADS} called, ${leads.running} talking`);
}

function show(title, { leads, attempts }) {
  console.log(`\n${title}: what became of the leads, and of their calls.\n`);
  console.table(leads);
  console.table([attempts]);
}
