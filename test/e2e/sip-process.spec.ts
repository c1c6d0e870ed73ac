import { mkdtemp, rm } from 'node:fs/promises';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TEST_ENCRYPTION_KEY, type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { nextEvent, SipOperator } from '@prosa/sip/testing';
import { operatorTrunk } from '../support/sip-voice-processes.js';
import { until } from '../support/until.js';

const CUSTOMER = '+5511987650000';

/** As `npm start` runs it: the API and the worker in one process, the calls with sound in another. */
describe('SIP trunks next to a voice process', () => {
  let api: TestApp;
  let account: TestAccount;
  let operator: SipOperator;
  let folder: string;
  let sipPort: number;
  const running: ProsaProcess[] = [];

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-sip-'));
    sipPort = await freeUdpPort();
    operator = await SipOperator.open(42_400);
    api = await TestApp.start(settings());
    account = await api.account({ balanceUsd: 50 });
    await start({ PROSA_ROLES: 'api,worker' }).ready();
    await start({ PROSA_ROLES: 'voice' }).says(/Voice is ready/);
    operator.connect(sipPort);
  }, 180_000);
  afterAll(async () => {
    for (const one of running) one.kill('SIGKILL');
    await Promise.all(running.map((one) => one.exit()));
    await operator.close();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  /** The same for all of them. */
  function settings(): Record<string, string> {
    return {
      SIP_LISTEN: `127.0.0.1:${sipPort}`,
      RTP_PORTS: '42500-42598',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      CALLING_HOURS: 'off',
    };
  }

  function start(environment: Record<string, string>): ProsaProcess {
    const process = ProsaProcess.start({
      DATABASE_URL: api.database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      DATA_DIR: folder,
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...settings(),
      ...environment,
    });
    running.push(process);
    return process;
  }

  async function addTrunk(): Promise<{ id: number; number: string }> {
    const { body } = await api
      .as(account)
      .post('/api/user/phone-numbers/sip-trunks')
      .send(operatorTrunk('+551130000001', operator.port))
      .expect(201);
    // The voice process has heard of it.
    await until(async () => (await api.query('SELECT FROM sip_trunk_states')).length > 0);
    return { id: body.data.id as number, number: body.data.phone_number as string };
  }

  it('are served by the voice process: calls go out that the worker claims, and calls come in', async () => {
    const { id, number } = await addTrunk();
    const outbound = await createAssistant(api, account, { type: 'outbound', phone_number_id: id });
    const { body } = await api
      .as(account)
      .post('/api/user/make_call')
      .send({ phone_number: '+5511987650001', assistant_id: outbound.id })
      .expect(200);
    const statusOf = async () =>
      (await api.as(account).get(`/api/user/calls/${body.call_id}`).expect(200)).body.status as string;
    await until(async () => (await statusOf()) === 'busy', 30_000);
    expect(operator.dialled).toEqual(['+5511987650001']);

    const inbound = await createAssistant(api, account, { phone_number_id: id });
    await api.as(account).put(`/api/user/assistant/${inbound.id}`).send({ status: 'active' }).expect(200);
    const call = operator.call(CUSTOMER, number);
    await nextEvent(call, 'answered', 30_000);
    call.hangUp();
    await until(async () => {
      const { body: calls } = await api.as(account).get('/api/user/calls?type=inbound').expect(200);
      return calls.data[0]?.status === 'completed' || calls.data[0]?.status === 'ended_by_customer';
    }, 30_000);
  }, 120_000);
});

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}
