import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDINGS, makeCampaign, outcomesOf, redraw, rentNumbers } from './demo-leads.mjs';
import { demonstrate } from './demo-prosa.mjs';

// Much faster, and the people on the line lose patience before the assistant has its words.
const SPEED = 100;
const BAR_WIDTH = 36;
const DELIVERY_MS = 20_000;
const PROMPT = `Você liga para clientes da Padaria Central e oferece a renovação da assinatura de pães.
A sua assinatura de pães termina no fim deste mês.
A renovação custa 49 reais por mês, com entrega todas as manhãs.`;
const received = new Map();
const receiver = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const id = request.headers['webhook-id'];
    received.set(id, JSON.parse(Buffer.concat(chunks).toString('utf8')));
    response.writeHead(200).end();
  });
});

/** A campaign on the sandbox carrier, in words. */
export async function demonstrateCampaign({ leads }) {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const environment = {
    PROSA_ROLES: 'api,worker',
    SANDBOX_SPEED: String(SPEED),
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
  };
  await demonstrate(environment, 'Model ', async (api) => {
    const campaign = await prepare(api, leads);
    await api('POST', 'campaigns/update-status', { campaign_id: campaign, action: 'start' });
    console.log(`Calling ${leads} leads, at ${SPEED} times the speed of life:\n`);
    await follow(api, campaign);
    await showOutcomes(api, campaign);
    await showTranscripts(api);
    await showDeliveries(api);
  });
  receiver.close();
  receiver.closeAllConnections();
}

async function prepare(api, leads) {
  const endings = Object.keys(ENDINGS);
  return makeCampaign(api, {
    assistant: {
      initial_message:
        'Olá, {{nome}}! Aqui é a Padaria Central. Posso falar um minuto sobre a sua assinatura?',
      system_prompt: PROMPT,
      is_webhook_active: true,
      webhook_url: `http://127.0.0.1:${receiver.address().port}/`,
      send_webhook_only_on_completed: false,
    },
    campaign: { phone_number_ids: await rentNumbers(api, 2), max_retries: 2, retry_interval: 10 },
    leads,
    leadOf: (n) => ({
      phone_number: `+551191${String(10_000 + n)}${endings[n % endings.length]}`,
      variables: { nome: ['Ana', 'Bruno', 'Carla', 'Davi', 'Elisa'][n % 5] },
    }),
  });
}

/** Draws the bar from the campaign's own events. */
async function follow(api, campaign) {
  const response = await api('GET', `campaigns/${campaign}/progress`, undefined, 'text/event-stream');
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const data = /^event: progress\ndata: (.*)$/m.exec(event)?.[1];
      if (data) draw(JSON.parse(data));
    }
  }
  process.stdout.write('\n');
}

function draw({ leads, attempts, rate_per_minute: rate, estimated_end: end }) {
  const done = leads.total - leads.waiting - leads.running;
  const filled = Math.round((BAR_WIDTH * done) / Math.max(1, leads.total));
  const bar = '█'.repeat(filled).padEnd(BAR_WIDTH, '░');
  const left =
    end === null ? '' : `, about ${Math.max(0, Math.round((new Date(end) - Date.now()) / 1_000))} s left`;
  redraw(
    `${bar} ${done}/${leads.total} done, ${leads.running} talking, ${attempts.total} calls, ${rate} a minute${left}`,
  );
}

async function showOutcomes(api, campaign) {
  const { status, attempts } = await api('GET', `campaigns/${campaign}/progress`);
  console.log(`\nThe campaign is ${status}. What became of the leads:\n`);
  console.table(await outcomesOf(api, campaign, Object.keys(ENDINGS), ['completed', 'reached-max-retries']));
  console.log('Outcomes of their calls:');
  console.table([attempts]);
}

async function showTranscripts(api) {
  const calls = (await api('GET', 'calls?per_page=100&status=completed')).data;
  const turns = ({ transcript }) => transcript.split('\n').length;
  const talks = calls.toSorted((a, b) => turns(b) - turns(a)).slice(0, 2);
  for (const call of talks) {
    console.log(
      `\nCall ${call.id} to ${call.client_phone_number}, ${call.duration} s, ${call.total_cost} USD:\n`,
    );
    console.log(call.transcript.replace(/^/gm, '  '));
    console.log(`  → ${JSON.stringify(call.evaluation)}`);
  }
}

async function showDeliveries(api) {
  const deadline = Date.now() + DELIVERY_MS;
  let page;
  do {
    await sleep(250);
    page = await api('GET', 'webhook-deliveries?per_page=100&status=pending');
  } while (page.data.length > 0 && Date.now() < deadline);
  console.log(
    `\nThe webhook receiver got ${received.size} events, each the whole call as JSON; the last ones:\n`,
  );
  console.table(
    [...received].slice(-5).map(([id, { id: call, customer_phone: phone, status, duration }]) => ({
      'webhook-id': id,
      call,
      phone,
      status,
      seconds: duration,
    })),
  );
}
