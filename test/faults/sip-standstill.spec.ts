import { type RemoteInfo, Socket } from 'node:dgram';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket as TcpSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerJson, LocalServer } from '../support/http-server.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { buildProduct, type ProsaProcess } from '../support/prosa-process.js';
import { loopbackTrunk, nextEvent, SipOperator } from '@prosa/sip/testing';
import { SipTelephone } from '../support/sip-telephone.js';
import { operatorTrunk, SipVoiceProcesses } from '../support/sip-voice-processes.js';
import { until } from '../support/until.js';

const SIP_PORT = 26_060;
const RTP_FROM = 26_200;
/** Two machines, as far as addresses go: a stopped process keeps its own address. */
const FIRST = '127.0.0.1';
const SECOND = '127.0.0.2';
const MICROS_PER_MINUTE = 60_000;
const PRICES = { CALL_PRICE_PER_MINUTE: '0.06', CARRIER_PRICE_PER_MINUTE: '0' };
const CUSTOMER = '+5511987650000';
const QUESTION = 'Qual é o horário de atendimento?';
const EXCUSE = 'Desculpe, a ligação falhou por um instante.';
const PATIENT = { max_silence_duration: 300, reengagement_interval: 300 };
const SIP = /^(SIP\/2\.0 |[A-Z]+ sips?:)/;
/** What was sent before a process was stopped has arrived by then. */
const ON_ITS_WAY_MS = 200;
const WAIT_MS = 120_000;

/** What reached the sockets of this process, which are the far end's alone. */
interface Packet {
  readonly from: string;
  readonly protocol: 'UDP' | 'TCP';
  readonly atMs: number;
  readonly begin: string;
}

describe('a voice process that stops for longer than its leases, with a call over SIP', () => {
  let api: TestApp;
  let owner: TestAccount;
  let operator: SipOperator;
  let receiver: LocalServer;
  let folder: string;
  let number: string;
  const packets: Packet[] = [];
  let voices: SipVoiceProcesses;
  const emit = Reflect.get(Socket.prototype, 'emit') as (this: Socket, ...event: unknown[]) => boolean;
  const emitTcp = Reflect.get(TcpSocket.prototype, 'emit') as (
    this: TcpSocket,
    ...event: unknown[]
  ) => boolean;

  const settings = {
    RTP_PORTS: `${RTP_FROM}-${RTP_FROM + 198}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    CALLING_HOURS: 'off',
    ...PRICES,
  };

  beforeAll(async () => {
    Socket.prototype.emit = function (this: Socket, ...event: unknown[]) {
      if (event[0] === 'message') {
        const [, bytes, { address }] = event as ['message', Buffer, RemoteInfo];
        note('UDP', address, bytes.toString('latin1'));
      }
      return emit.apply(this, event);
    };
    TcpSocket.prototype.emit = function (this: TcpSocket, ...event: unknown[]) {
      const text = event[0] === 'data' && Buffer.isBuffer(event[1]) ? event[1].toString('latin1') : '';
      if (SIP.test(text)) note('TCP', senderOf(text, this.remoteAddress), text);
      return emitTcp.apply(this, event);
    };
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-standstill-'));
    operator = await SipOperator.open(RTP_FROM + 200);
    operator.connect(SIP_PORT);
    const target = { host: SECOND, port: SIP_PORT, protocol: 'tcp' } as const;
    operator.agent.addTrunk(loopbackTrunk(SIP_PORT, { id: 'platform-tcp', target, domain: SECOND }, 'tcp'));
    receiver = await LocalServer.start((_request, response) => answerJson(response, {}));
    api = await TestApp.start({ PROSA_ROLES: 'api,worker', SIP_LISTEN: `${FIRST}:${SIP_PORT}`, ...settings });
    owner = await api.account({ balanceUsd: 1_000 });
    voices = new SipVoiceProcesses(api, folder, settings);
    await voices.start({ SIP_LISTEN: `${FIRST}:${SIP_PORT}` });
    await voices.served();
    const assistant = {
      ...PATIENT,
      initial_message: 'Olá! Como posso ajudar?',
      is_webhook_active: true,
      webhook_url: `${receiver.url}/calls`,
    };
    [number] = await Promise.all([
      voices.addNumber(owner, operatorTrunk('+551130000001', operator.port), () => assistant),
      voices.start({ SIP_LISTEN: `${SECOND}:${SIP_PORT}` }),
    ]);
  }, 300_000);
  afterAll(async () => {
    Socket.prototype.emit = emit;
    TcpSocket.prototype.emit = emitTcp;
    await voices.stop();
    await operator.close();
    await receiver.stop();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  function note(protocol: Packet['protocol'], from: string, text: string): void {
    packets.push({ from, protocol, atMs: performance.now(), begin: text.slice(0, 80) });
  }

  /** Connections that a process opens itself come from any address of this machine: its messages name its own. */
  function senderOf(text: string, address: string | undefined): string {
    const own = text.startsWith('SIP/2.0') ? /^Contact:.*@([\d.]+)/im : /^Via:\s*SIP\/2\.0\/TCP ([\d.]+)/im;
    return own.exec(text)?.[1] ?? address ?? '';
  }

  const fromSince = (address: string, sinceMs: number) =>
    packets.filter(({ from, atMs }) => from === address && atMs > sinceMs);

  const callRow = async () =>
    (
      await api.query<{
        id: number;
        status: string;
        seconds: number;
        transcript: string | null;
        webhooks: number;
      }>(
        `SELECT id, status, duration_seconds AS seconds, transcript,
           (SELECT count(*)::int FROM webhook_deliveries
             WHERE kind = 'post-call' AND subject_id = calls.id::text) AS webhooks
         FROM calls ORDER BY id DESC LIMIT 1`,
      )
    )[0]!;

  it.each([
    // The process that takes over serves the trunks from then on, and is stopped in the next case.
    { protocol: 'UDP', trunk: 'platform', first: FIRST, second: SECOND },
    { protocol: 'TCP', trunk: 'platform-tcp', first: SECOND, second: FIRST },
  ])(
    'sends nothing by $protocol into the call that another process has taken over',
    async (way) => {
      const { protocol, trunk, first, second } = way;
      const webhooksBefore = receiver.requests.length;
      const call = operator.agent.call(trunk, { from: CUSTOMER, to: number, ringingTimeoutMs: 30_000 })!;
      const ends: string[] = [];
      call.on('ended', ({ by }) => ends.push(by));
      await nextEvent(call, 'answered', 30_000);
      const answeredMs = performance.now();
      const telephone = new SipTelephone(call);
      await telephone.heardSpeech();
      const processes = voices.running as [ProsaProcess, ProsaProcess];
      const [standing, other] = first === FIRST ? processes : [processes[1], processes[0]];
      const signalled = packets.filter(
        (one) => one.protocol === protocol && one.from === first && SIP.test(one.begin),
      );
      expect(signalled).not.toEqual([]);

      standing.kill('SIGSTOP');
      await sleep(ON_ITS_WAY_MS);
      const stoppedMs = performance.now();
      const taken = nextEvent(call, 'changed', 60_000);
      await taken;
      const takenMs = performance.now();
      await telephone.heardAgain(60_000);
      const spokenMs = performance.now();
      expect(fromSince(first, stoppedMs)).toEqual([]);
      expect(fromSince(second, stoppedMs)).not.toEqual([]);

      standing.kill('SIGCONT');
      await standing.says(/call left to another process/);
      await telephone.heardSpeech();
      await telephone.say(QUESTION);
      await telephone.heardSpeech();
      call.hangUp();
      const lastedMs = performance.now() - answeredMs;
      telephone.close();

      await until(async () => (await callRow()).status === 'completed', WAIT_MS);
      await until(() => receiver.requests.length > webhooksBefore, WAIT_MS);
      await until(async () => (await api.query('SELECT FROM active_calls')).length === 0, WAIT_MS);
      const row = await callRow();
      // Nothing of the process that stood, neither sound nor signalling: it would talk into the other's call.
      expect(fromSince(first, stoppedMs)).toEqual([]);
      expect(ends).toEqual(['local']);
      expect(standing.text).toContain('SIP trunks left to another process');
      expect(other.text).toContain('call taken over');
      expect(Math.abs(row.seconds - lastedMs / 1_000)).toBeLessThan(3);
      expect(row.transcript?.split(EXCUSE)).toHaveLength(2);
      expect(row.webhooks).toBe(1);
      expect(receiver.requests).toHaveLength(webhooksBefore + 1);
      const money = await api.query(
        `SELECT held_micros::int AS held,
         balance_micros = (SELECT sum(amount_micros) FROM ledger_entries WHERE user_id = $1) AS "isExact",
         (SELECT array_agg(amount_micros::int) FROM ledger_entries WHERE reference = 'call:' || $2::int) AS paid
       FROM wallets WHERE user_id = $1`,
        [owner.userId, row.id],
      );
      const paid = (row.seconds * MICROS_PER_MINUTE) / 60;
      expect(money).toEqual([{ held: 0, isExact: true, paid: [-paid] }]);
      process.stdout.write(
        `stood still (${protocol}): far end agreed after ${Math.round(takenMs - stoppedMs)} ms, words after ${Math.round(spokenMs - stoppedMs)} ms\n`,
      );
    },
    300_000,
  );
});
