import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { SipCallCarrier } from '../../src/providers/telephony/sip/carrier/sip-call-carrier.js';
import type { TestAccount, TestApp } from '../support/app.js';
import { SipOperator, loopbackTrunk, nextEvent, openScriptedPeer, seededRandom } from '@prosa/sip/testing';
import { createAssistant } from '../support/builders.js';
import { SipProduct } from '../support/sip-product.js';
import { SipTelephone } from '../support/sip-telephone.js';
import { makeCertificate, type TestCertificate, tone } from '@prosa/testing';
import { until } from '../support/until.js';

/** Lines that the sandbox's ears know. */
const QUESTION = 'Qual é o horário de atendimento?';
const WISH = 'Eu gostaria de marcar uma consulta para amanhã às três horas.';
const CUSTOMER = '+5511987650000';

const OUR_CERTIFICATE = makeCertificate();
/** Of an operator that the platform is configured to trust. */
const KNOWN_CERTIFICATE = makeCertificate();

/** Says nothing by itself while a slow machine thinks. */
const PATIENT = { max_silence_duration: 300, reengagement_interval: 300 };

// The voice and the ears take a minute to be there on a busy machine.
jest.setTimeout(240_000);

describe('calls over SIP trunks', () => {
  let product: SipProduct;
  let app: TestApp;
  let operator: SipOperator;
  let carrier: SipCallCarrier;
  let account: TestAccount;

  const folder = mkdtempSync(join(tmpdir(), 'prosa-sip-'));
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
  const installs = ({ key, cert }: TestCertificate) => {
    writeFileSync(files.key, key);
    writeFileSync(files.cert, cert);
  };

  beforeAll(async () => {
    installs(OUR_CERTIFICATE);
    product = await SipProduct.open(42_000, {
      SIP_TLS_PORT: '0',
      SIP_TLS_KEY: files.key,
      SIP_TLS_CERT: files.cert,
      SIP_TLS_CA: KNOWN_CERTIFICATE.ca,
    });
    ({ app, operator, carrier, account } = product);
  }, 240_000);
  afterAll(async () => {
    await product.close();
    rmSync(folder, { recursive: true });
  });

  it('end as the far end says: busy, and no answer after the ringing time', async () => {
    const { id } = await product.addTrunk();
    const assistant = await product.addAssistant(id, { type: 'outbound', ringing_time: 5 });
    const [busy, unanswered, failed] = await Promise.all(
      ['01', '02', '04'].map((ending) => product.makeCall(assistant.id, `+55119876500${ending}`)),
    );
    expect((await product.finished(busy!)).status).toBe('busy');
    expect((await product.finished(failed!)).status).toBe('failed');
    expect(await product.finished(unanswered!)).toMatchObject({
      status: 'no-answer',
      duration: 0,
      total_cost: 0,
    });
    expect(operator.dialled).toContain('+5511987650001');
  });

  it('use TLS in both directions with an operator whose certificate is known, and with no other', async () => {
    const known = await openTlsOperator(42_400, KNOWN_CERTIFICATE);
    const unknown = await openTlsOperator(42_600, makeCertificate());
    const addressOf = ({ agent }: SipOperator) =>
      `127.0.0.1:${agent.transport.localPort('tls')};transport=tls`;
    for (const { agent } of [known, unknown])
      agent.addTrunk(loopbackTrunk(carrier.tlsPort, { id: 'platform' }, 'tls'));
    try {
      const trusted = await product.addTrunk(account, { sip_address: addressOf(known) });
      const assistant = await product.addAssistant(trusted.id, { type: 'outbound' });
      expect((await product.finished(await product.makeCall(assistant.id, '+5511987652301'))).status).toBe(
        'busy',
      );
      expect(known.dialled).toEqual(['+5511987652301']);

      const called = await product.addTrunk(account, { sip_address: addressOf(known) });
      await product.addAssistant(called.id);
      const call = known.call(CUSTOMER, called.number);
      await nextEvent(call, 'answered', 20_000);
      call.hangUp();

      const distrusted = await product.addTrunk(account, { sip_address: addressOf(unknown) });
      const other = await product.addAssistant(distrusted.id, { type: 'outbound' });
      expect((await product.finished(await product.makeCall(other.id, '+5511987652401'))).status).toBe(
        'failed',
      );
      expect(unknown.dialled).toEqual([]);
    } finally {
      await Promise.all([known.close(), unknown.close()]);
    }
  });

  it('write numbers as the operator of the trunk wants them', async () => {
    const { id } = await product.addTrunk(account, { sip_calling_format: 'national' });
    const assistant = await product.addAssistant(id, { type: 'outbound' });
    await product.finished(await product.makeCall(assistant.id, '+5511987651101'));
    expect(operator.dialled).toContain('11987651101');
  });

  it('are refused to strangers and to unassigned numbers, without a record', async () => {
    const { number } = await product.addTrunk();
    const [before] = await app.query<{ count: string }>('SELECT count(*) FROM calls');
    const stranger = await SipOperator.open(42_300, { listen: { host: '127.0.0.2', port: 0 } });
    stranger.connect(carrier.port);
    try {
      const [refused] = await nextEvent(stranger.call(CUSTOMER, number), 'ended', 10_000);
      expect(refused).toMatchObject({ outcome: 'declined', status: 403 });
    } finally {
      await stranger.close();
    }
    const [unknown] = await nextEvent(operator.call(CUSTOMER, '+551139999999'), 'ended', 10_000);
    expect(unknown).toMatchObject({ outcome: 'unassigned', status: 404 });
    // No assistant answers at this number, though it exists.
    const [unanswered] = await nextEvent(operator.call(CUSTOMER, number), 'ended', 10_000);
    expect(unanswered).toMatchObject({ outcome: 'unassigned', status: 404 });
    expect(await app.query('SELECT count(*) FROM calls')).toEqual([before]);
  });

  it('belong to the account whose number is called, not to another that is called by the same operator', async () => {
    const other = await app.account({ balanceUsd: 1 });
    const { number } = await product.addTrunk(other, { allowed_inbound_ips: ['127.0.0.9'] });
    const [end] = await nextEvent(operator.call(CUSTOMER, number), 'ended', 10_000);
    expect(end).toMatchObject({ outcome: 'unassigned', status: 404 });
  });

  it('come in by password where the trunk says so, from any address, and not by a wrong one', async () => {
    const registrar = await openScriptedPeer();
    const login = { sip_username: 'linha7', sip_password: 'correct horse' };
    const { id, number } = await product.addTrunk(account, {
      ...login,
      sip_address: `127.0.0.1:${registrar.port};transport=udp`,
      inbound_authorization_type: 'auth',
      allowed_inbound_ips: null,
    });
    await product.addAssistant(id);
    const caller = await SipOperator.open(42_300, { listen: { host: '127.0.0.3', port: 0 } });
    const connectWith = (password: string) =>
      caller.agent.addTrunk(
        loopbackTrunk(carrier.port, { id: 'platform', credentials: { username: 'linha7', password } }),
      );
    try {
      connectWith('wrong');
      const [refused] = await nextEvent(caller.call(CUSTOMER, number), 'ended', 10_000);
      expect(refused).toMatchObject({ outcome: 'failed', status: 401 });
      connectWith('correct horse');
      const call = caller.call(CUSTOMER, number);
      await nextEvent(call, 'answered', 20_000);
      call.hangUp();
      expect(await product.finished(await product.latestCallId())).toMatchObject({
        assistant_phone_number: number,
      });
    } finally {
      await caller.close();
      registrar.close();
    }
  });

  it('are those of the first account with the number, although a later one lists the address of the caller', async () => {
    const registrar = await openScriptedPeer();
    const { id, number } = await product.addTrunk(account, {
      sip_username: 'linha9',
      sip_address: `127.0.0.1:${registrar.port};transport=udp`,
      inbound_authorization_type: 'auth',
      allowed_inbound_ips: null,
    });
    await product.addAssistant(id);
    const other = await app.account({ balanceUsd: 1 });
    const taken = { phone_number: number, allowed_inbound_ips: ['127.0.0.0/24'] };
    const { id: later } = await product.addTrunk(other, taken);
    const assistant = await createAssistant(app, other, { phone_number_id: later });
    await app.as(other).put(`/api/user/assistant/${assistant.id}`).send({ status: 'active' }).expect(200);
    const caller = await SipOperator.open(42_300, { listen: { host: '127.0.0.3', port: 0 } });
    const connectWith = (credentials: { username: string; password: string } | null) =>
      caller.agent.addTrunk(loopbackTrunk(carrier.port, { id: 'platform', credentials }));
    try {
      connectWith(null);
      const [refused] = await nextEvent(caller.call(CUSTOMER, number), 'ended', 10_000);
      expect(refused).toMatchObject({ status: 401 });
      connectWith({ username: 'linha9', password: 'secret' });
      const call = caller.call(CUSTOMER, number);
      await nextEvent(call, 'answered', 20_000);
      call.hangUp();
      expect(await product.finished(await product.latestCallId())).toMatchObject({
        assistant_phone_number: number,
      });
      expect(await app.query('SELECT id FROM calls WHERE user_id = $1', [other.userId])).toEqual([]);
    } finally {
      await caller.close();
      registrar.close();
    }
  });

  it('show the state of their trunk: registered, refused, changed, and unregistered when it is deleted', async () => {
    const registrar = await openScriptedPeer();
    const trunk = async (id: number) => {
      const { body } = await app.as(account).get(`/api/user/phone-numbers/sip-trunks/${id}`).expect(200);
      return body.data as Record<string, unknown>;
    };
    try {
      const { id } = await product.addTrunk(account, {
        sip_username: 'linha8',
        sip_address: `127.0.0.1:${registrar.port};transport=udp`,
        inbound_authorization_type: 'auth',
        allowed_inbound_ips: null,
      });
      registrar.reply(await registrar.next('REGISTER'), 200, { expires: '300' });
      await until(async () => (await trunk(id)).registration_status === 'registered');
      const registered = await trunk(id);
      expect(registered).toMatchObject({
        registration_error: null,
        inbound_trunk_id: expect.stringMatching(/^ST_\w{12}$/),
        outbound_trunk_id: expect.stringMatching(/^ST_\w{12}$/),
      });

      await app
        .as(account)
        .put(`/api/user/phone-numbers/sip-trunks/${id}`)
        .send({ sip_password: 'another one' })
        .expect(200);
      // The old registration is removed first, so that the registrar cannot process its removal last.
      const left = await registrar.next('REGISTER');
      expect(left.headers.get('expires')).toBe('0');
      registrar.reply(left, 200);
      registrar.reply(await registrar.next('REGISTER'), 403);
      await until(async () => (await trunk(id)).registration_status === 'failed');
      const refused = await trunk(id);
      expect(refused.registration_error).toMatch(/^403/);
      expect(refused.inbound_trunk_id).not.toBe(registered.inbound_trunk_id);

      await app.as(account).delete(`/api/user/phone-numbers/${id}`).expect(200);
      await until(() => carrier.trunkStatus(id) === null);
      expect(await app.query('SELECT FROM sip_trunk_states WHERE trunk_id = $1', [id])).toEqual([]);
    } finally {
      registrar.close();
    }
  });

  it('that come in are greeted, understood and answered, listed with what was said, and end with the caller', async () => {
    const { id, number } = await product.addTrunk();
    await product.addAssistant(id, { ...PATIENT, tools: [{ type: 'collect_keypad' }] });
    const call = operator.call(CUSTOMER, number);
    await nextEvent(call, 'answered', 20_000);
    const telephone = new SipTelephone(call);
    await telephone.heardSpeech();
    await telephone.say(QUESTION);
    await telephone.heardSpeech();
    telephone.press('42#');
    const callId = await product.latestCallId();
    await until(
      async () => (await product.read(callId)).turns.some(({ text }) => text === '[Keypad: 42]'),
      20_000,
    );
    call.hangUp();
    telephone.close();

    const listed = await product.finished(callId);
    expect(listed).toMatchObject({
      status: 'completed',
      type: 'inbound',
      client_phone_number: CUSTOMER,
      assistant_phone_number: number,
    });
    expect(listed.transcript).toContain('AI: Olá! Como posso ajudar?');
    expect(listed.transcript).toContain(`Customer: ${QUESTION}`);
    expect(listed.turns.length).toBeGreaterThanOrEqual(3);
    expect(listed.duration).toBeGreaterThan(2);
    expect(listed.total_cost).toBeGreaterThan(0);
  });

  it('are understood though every twentieth packet of the customer is lost', async () => {
    const { id, number } = await product.addTrunk();
    await product.addAssistant(id, PATIENT);
    const call = operator.call(CUSTOMER, number);
    await nextEvent(call, 'answered', 20_000);
    const { sender } = call.media!.rtp;
    const packets = sender.nextPackets.bind(sender);
    const random = seededRandom(20);
    let lost = 0;
    jest.spyOn(sender, 'nextPackets').mockImplementation(() => {
      const sent = packets();
      if (random() >= 0.05) return sent;
      lost += sent.length;
      return [];
    });
    const telephone = new SipTelephone(call);
    await telephone.heardSpeech();
    for (const line of [QUESTION, WISH]) {
      await telephone.say(line);
      await telephone.heardSpeech();
    }
    const callId = await product.latestCallId();
    call.hangUp();
    telephone.close();
    const { transcript } = await product.finished(callId);
    for (const line of [QUESTION, WISH]) expect(transcript).toContain(`Customer: ${line}`);
    expect(lost).toBeGreaterThan(10);
  });

  it('leave their message after the beep of an answering machine, detected by its sound and its words', async () => {
    const { id } = await product.addTrunk();
    const message = 'Aqui é a Padaria Central. Ligue de volta, por favor.';
    const assistant = await product.addAssistant(id, {
      ...PATIENT,
      type: 'outbound',
      voice_mail_message: message,
    });
    const callId = await product.makeCall(assistant.id, '+5511987652303');
    await until(() => operator.answered.some(({ to }) => to === '+5511987652303'), 30_000);
    const call = operator.answered.find(({ to }) => to === '+5511987652303')!;
    const over = nextEvent(call, 'ended', 120_000);
    const telephone = new SipTelephone(call);
    await telephone.say('Olá, não posso atender agora. Deixe seu recado após o sinal.');
    await telephone.play(tone(1_000, 8_000, 400, 0.3));
    expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    telephone.close();
    const listed = await product.finished(callId);
    expect(listed).toMatchObject({ status: 'completed', answered_by: 'machine' });
    expect(listed.transcript).toContain(`AI: ${message}`);
  });

  it('answer who screens them, and leave no message in a menu in which they press no keys', async () => {
    const { id } = await product.addTrunk();
    const message = 'Aqui é a Padaria Central. Ligue de volta, por favor.';
    const assistant = await product.addAssistant(id, {
      ...PATIENT,
      type: 'outbound',
      voice_mail_message: message,
    });
    const [screened, menu] = await Promise.all(
      ['+5511987652313', '+5511987652314'].map((number) => product.makeCall(assistant.id, number)),
    );
    const answered = (number: string) => operator.answered.find(({ to }) => to === number);
    await until(() => Boolean(answered('+5511987652313') && answered('+5511987652314')), 30_000);

    const inMenu = answered('+5511987652314')!;
    const over = nextEvent(inMenu, 'ended', 120_000);
    const menuVoice = new SipTelephone(inMenu);
    await menuVoice.say('Para falar com um atendente, digite dois.');
    expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    menuVoice.close();

    const screening = answered('+5511987652313')!;
    const screener = new SipTelephone(screening);
    await screener.say('Diga seu nome e o motivo da ligação.');
    await screener.heardSpeech();
    await screener.say('Pode repetir, por favor?');
    await screener.heardSpeech();
    screening.hangUp();
    screener.close();

    expect(await product.finished(menu!)).toMatchObject({ answered_by: 'machine', gatekeeper: 'menu' });
    const listed = await product.finished(screened!);
    expect(listed).toMatchObject({ answered_by: 'unknown', gatekeeper: 'screening' });
    expect(listed.transcript).toMatch(/Customer: Diga seu nome e o motivo da ligação\.\nAI: \S/);
    expect(listed.transcript).not.toContain(message);
  });

  it('that go out are heard by who answers, carry keys, and end when they are hung up here', async () => {
    const { id } = await product.addTrunk();
    const assistant = await product.addAssistant(id, { ...PATIENT, type: 'outbound' });
    const callId = await product.makeCall(assistant.id, '+5511987652200');
    await until(() => operator.answered.some(({ to }) => to === '+5511987652200'), 30_000);
    const call = operator.answered.find(({ to }) => to === '+5511987652200')!;
    const keys: string[] = [];
    call.on('key', (key) => keys.push(key));
    const telephone = new SipTelephone(call);
    await telephone.heardSpeech();
    const [active] = await app.query<{ id: string }>(
      'SELECT carrier_call_id AS id FROM active_calls WHERE call_id = $1',
      [callId],
    );
    await carrier.sendDigits(active!.id, '1*#');
    await until(() => keys.length === 3);
    expect(keys).toEqual(['1', '*', '#']);
    const over = nextEvent(call, 'ended', 20_000);
    await app.as(account).post(`/api/user/calls/${callId}/hangup`).send({}).expect(200);
    expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    telephone.close();
    expect(await product.finished(callId)).toMatchObject({ type: 'outbound', status: 'completed' });
  });

  it('show a renewed certificate without a restart, and never one without its key', async () => {
    const isShown = async ({ ca }: TestCertificate) => {
      const socket = connect({ host: '127.0.0.1', port: carrier.tlsPort, ca });
      const isTrusted = await once(socket, 'secureConnect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      return isTrusted;
    };
    expect(await isShown(OUR_CERTIFICATE)).toBe(true);
    const renewed = makeCertificate();
    writeFileSync(files.key, renewed.key);
    expect(await isShown(OUR_CERTIFICATE)).toBe(true);
    installs(renewed);
    await until(() => isShown(renewed), 20_000);
    expect(await isShown(OUR_CERTIFICATE)).toBe(false);
  });
});

/** Speaks TLS too, and trusts the platform's certificate. */
function openTlsOperator(
  rtpFrom: number,
  { key, cert }: { key: string; cert: string },
): Promise<SipOperator> {
  const tls = { key, cert, ca: OUR_CERTIFICATE.ca, port: 0 };
  return SipOperator.open(rtpFrom, { listen: { host: '127.0.0.1', port: 0, tls } });
}
