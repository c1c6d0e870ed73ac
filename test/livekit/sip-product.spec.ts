import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dispose } from '@livekit/rtc-node';
import { Transactions } from '../../src/database/transactions.js';
import { CallPlacementService } from '../../src/modules/outbound-calls/call-placement.service.js';
import { OutboundCallsService } from '../../src/modules/outbound-calls/outbound-calls.service.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { RealRooms } from '../support/livekit/real-rooms.js';
import { SIP_NUMBERS } from '../support/livekit/sip-carrier.js';
import { FakeSipService } from '../support/livekit/sip-service.js';
import { LiveKitServer } from '../support/livekit-server.js';
import { until } from '../support/until.js';

const PROGRAM = process.env.LIVEKIT_SERVER;
const FROM = '+551130000001';

// Counted as skipped where no server is named; `npm run test:livekit` builds one.
(PROGRAM ? describe : describe.skip)('The product with its trunks behind LiveKit SIP', () => {
  let livekit: LiveKitServer;
  let rooms: RealRooms;
  let service: FakeSipService;
  let api: TestApp;
  let owner: TestAccount;
  let assistantId: number;
  let phoneNumberId: number;

  beforeAll(async () => {
    livekit = await LiveKitServer.start(PROGRAM!);
    rooms = new RealRooms(livekit.config);
    service = await FakeSipService.start(livekit.config, rooms);
    service.forwardRoomsTo(livekit.config);
    api = await TestApp.start({
      ...livekit.environment,
      LIVEKIT_URL: service.config.url,
      SIP_CARRIER: 'livekit',
      PROSA_ROLES: 'api,worker,voice',
      CALLING_HOURS: 'off',
    });
    owner = await api.account({ balanceUsd: 50 });
    await api.app.get(SpeechProviderRegistry, { strict: false }).sandbox.ready();
    const { body } = await api
      .as(owner)
      .post('/api/user/phone-numbers/sip-trunks')
      .send({
        sip_trunk_type: 'number',
        phone_number: FROM,
        country_code: 'BR',
        sip_username: 'prosa',
        sip_password: 'a password of the trunk',
        sip_address: 'sip.operator.example:5080;transport=tls',
        sip_calling_format: 'national',
        inbound_authorization_type: 'auth',
        media_encryption: 'required',
      })
      .expect(201);
    phoneNumberId = (body.data as { id: number }).id;
    const assistant = await createAssistant(api, owner, {
      type: 'outbound',
      phone_number_id: phoneNumberId,
      initial_message: 'Olá! Aqui é a Padaria Central. Hoje temos pão francês e pão de queijo.',
    });
    assistantId = assistant.id;
    await api.as(owner).put(`/api/user/assistant/${assistantId}`).send({ status: 'active' }).expect(200);
  }, 120_000);
  afterAll(async () => {
    await api.stop();
    await service.stop();
    await livekit.stop();
    await dispose();
  }, 60_000);

  const call = async (to: string) => {
    const request = { phone_number: to, assistant_id: assistantId };
    const { body } = await api.as(owner).post('/api/user/make_call').send(request);
    expect(body).toMatchObject({ status: 'initiated' });
    return (body as { call_id: number }).call_id;
  };
  const becomes = (status: string, callId: number) =>
    until(async () => {
      const [row] = await api.query<{ status: string }>('SELECT status FROM calls WHERE id = $1', [callId]);
      return row?.status === status;
    }, 30_000);

  it('calls by the trunk, is heard by who answers, and the call is one like any other', async () => {
    const callId = await call(SIP_NUMBERS.human);
    await until(() => service.answered.size === 1, 30_000);
    const [room = ''] = service.answered.keys();
    const callee = await rooms.callee(room);
    await until(() => callee.soundMs > 1_000, 30_000);
    await callee.leave();
    await becomes('completed', callId);
    const { body } = await api.as(owner).get(`/api/user/calls/${callId}`).expect(200);

    expect(service.created[0]).toMatchObject({
      trunk: {
        hostname: 'sip.operator.example:5080',
        transport: 'SIP_TRANSPORT_TLS',
        auth_username: 'prosa',
        auth_password: 'a password of the trunk',
      },
      sip_number: '1130000001',
      sip_call_to: '11987654300',
      media_encryption: 'SIP_MEDIA_ENCRYPT_REQUIRE',
    });
    expect(body).toMatchObject({
      client_phone_number: SIP_NUMBERS.human,
      turns: [expect.objectContaining({ role: 'assistant', text: expect.stringContaining('Olá!') })],
    });
    expect((body as { total_cost: number }).total_cost).toBeGreaterThan(0);
  }, 90_000);

  it('hangs up a call of a process that died before it could write down that it had placed it', async () => {
    const key = randomUUID();
    const { callId } = await api.app.get(Transactions).run((tx) =>
      api.app.get(OutboundCallsService).reserve(tx, {
        userId: owner.userId,
        assistantId,
        campaign: null,
        attemptId: key,
        leadId: null,
        from: FROM,
        phoneNumberId,
        to: SIP_NUMBERS.human,
        variables: {},
      }),
    );
    await api.query(`UPDATE active_calls SET stage = 'placing', voice_process_id = $1 WHERE call_id = $2`, [
      randomUUID(),
      callId,
    ]);
    const room = service.created[0]!.room_name.replace(/-sip-.*/, `-sip-${key}`);
    const callee = await rooms.enter(room, 'callee', { 'sip.callStatus': 'ringing' });

    expect(await api.app.get(CallPlacementService).send(callId)).toBe('sent');
    await callee.gone;
    await becomes('failed', callId);
    expect(service.created).toHaveLength(1);
  }, 60_000);

  it('tells of a busy line', async () => {
    await becomes('busy', await call(SIP_NUMBERS.busy));

    expect(service.created.at(-1)?.sip_call_to).toBe('11987654301');
  }, 60_000);
});
