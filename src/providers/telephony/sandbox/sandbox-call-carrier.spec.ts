import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@prosa/testing';
import type { CallEvent, CarrierCall } from '../call/carrier-call.js';
import { carrierFailure, readUntil } from '#test/conformance/call-carrier.conformance.js';
import { SandboxCallCarrier } from './sandbox-call-carrier.js';
import { SandboxCarrierClient } from './sandbox-carrier-client.js';
import { SandboxCarrierServer } from './sandbox-carrier-server.js';
import { dialLog } from './sandbox-dial-log.js';
import { FileJournal, MemoryJournal } from './sandbox-journal.js';
import { KEY_RETENTION_MS } from './sandbox-register.js';

const FROM = '+12125550100';
const RINGING_TIMEOUT_MS = 30_000;
const DAY_MS = 86_400_000;
let clock: VirtualClock;
let journal: MemoryJournal;
let carrier: SandboxCallCarrier;
let calls = 0;

beforeEach(() => {
  clock = new VirtualClock();
  journal = new MemoryJournal();
  carrier = new SandboxCallCarrier({ clock, journal });
});

async function dial(to: string, extra: { key?: string; ringingTimeoutMs?: number } = {}, on = carrier) {
  const request = {
    key: `attempt-${++calls}`,
    from: FROM,
    to,
    ringingTimeoutMs: RINGING_TIMEOUT_MS,
    ...extra,
  };
  return { ...request, ...(await on.place(request)) };
}

/** All events from now to the end, with the time of each in seconds. */
async function live(callId: string, on = carrier): Promise<[number, CallEvent][]> {
  const seen: [number, CallEvent][] = [];
  for await (const event of on.watch(callId)) seen.push([clock.nowMs() / 1_000, event]);
  return seen;
}

async function endOf(to: string, extra: { ringingTimeoutMs?: number } = {}): Promise<CarrierCall> {
  const { callId } = await dial(to, extra);
  const [, last] = (await clock.until(live(callId))).at(-1) ?? [];
  if (last?.type !== 'ended') throw new Error('it did not end');
  return last.call;
}

function heardIn(events: readonly [number, CallEvent][]): string[] {
  return events.flatMap(([, event]) => (event.type === 'heard' ? [event.text] : []));
}

describe('the last two digits', () => {
  it.each([
    ['01', 'busy', 0],
    ['02', 'no-answer', 0],
    ['04', 'failed', 0],
  ])('%s ends as %s', async (digits, outcome, answeredMs) => {
    expect((await endOf(`+55119876543${digits}`)).end).toMatchObject({ outcome, answeredMs });
  });

  it('02 rings exactly as long as it may', async () => {
    const { callId } = await dial('+5511987654302', { ringingTimeoutMs: 7_000 });
    const events = await clock.until(live(callId));

    expect(events.map(([at, { type }]) => [at, type])).toEqual([
      [0, 'state'],
      [0.5, 'ringing'],
      [7.5, 'ended'],
    ]);
  });

  it('others do not answer either when they are not given the time', async () => {
    expect((await endOf('+5511987654300', { ringingTimeoutMs: 2_000 })).end?.outcome).toBe('no-answer');
  });

  it('03 is a machine that speaks, records and hangs up', async () => {
    const { callId } = await dial('+5511987654303');
    const events = await clock.until(live(callId));
    const types = events.map(([, { type }]) => type);

    expect(types).toEqual(['state', 'ringing', 'answered', 'answering-machine-detection', 'heard', 'ended']);
    expect(heardIn(events)).toEqual([expect.stringContaining('Deixe seu recado')]);
    expect(events.at(-1)?.[1]).toMatchObject({
      call: { answeredBy: 'machine', end: { outcome: 'hung-up', by: 'customer' } },
    });
  });

  it('06 is busy at first and answers at the second attempt', async () => {
    const number = '+5511987654306';

    expect((await endOf(number)).end?.outcome).toBe('busy');
    expect((await endOf(number)).end?.outcome).toBe('hung-up');
    expect((await endOf('+5511987654406')).end?.outcome).toBe('busy');
  });

  it('06 counts a repeated key once', async () => {
    const first = await dial('+5511987654306');
    await dial('+5511987654306', { key: first.key });
    await clock.until(live(first.callId));

    expect((await endOf('+5511987654306')).end?.outcome).toBe('hung-up');
  });
});

describe('a person', () => {
  async function talk(to: string, ...sayings: readonly string[]): Promise<[number, CallEvent][]> {
    const { callId } = await dial(to);
    const seen: [number, CallEvent][] = [];
    const left = [...sayings];
    const speak = async () => {
      const text = left.shift();
      if (text === undefined) return;
      await carrier.media.text.say(callId, text);
    };
    const watching = (async () => {
      for await (const event of carrier.watch(callId)) {
        seen.push([clock.nowMs() / 1_000, event]);
        if (event.type === 'answered' || event.type === 'heard') await speak();
      }
    })();
    await clock.until(watching);
    return seen;
  }

  it('answers what is said, line by line, and hangs up after the last', async () => {
    const events = await talk('+5511987654300', 'Bom dia!', 'Tudo bem?', 'Posso ajudar?');

    expect(heardIn(events)).toEqual([
      'Oi, sou eu sim.',
      'Pode falar, estou ouvindo.',
      'Certo, obrigado. Tchau!',
    ]);
    expect(events.at(-1)?.[1]).toMatchObject({ call: { end: { outcome: 'hung-up', by: 'customer' } } });
  });

  it('speaks English outside of the countries of Portuguese', async () => {
    expect(heardIn(await talk('+12125550199'))[0]).toBe('Hello?');
  });

  it('says hello when the caller is silent, asks once whether anybody is there, and hangs up', async () => {
    const events = await talk('+5511987654300');

    expect(heardIn(events)).toEqual(['Alô?', 'Alô? Tem alguém aí?']);
    expect(events.at(-1)?.[1]).toMatchObject({ call: { end: { by: 'customer' } } });
  });

  it('is not heard while the other side speaks', async () => {
    const long = 'x'.repeat(100);
    const events = await talk('+5511987654300', long);
    const [answeredAt = 0] = events.find(([, { type }]) => type === 'answered') ?? [];
    const [heardAt = 0] = events.find(([, { type }]) => type === 'heard') ?? [];

    expect(heardAt - answeredAt).toBeGreaterThan(6);
  });

  it('05 hangs up in the middle of what is said', async () => {
    const events = await talk('+5511987654305', 'Bom dia!', 'x'.repeat(200));
    const [heardAt = 0] = events.findLast(([, { type }]) => type === 'heard') ?? [];
    const [endedAt = 0, ended] = events.at(-1) ?? [];

    expect(endedAt - heardAt).toBe(1);
    expect(ended).toMatchObject({ call: { end: { by: 'customer' } } });
  });

  it('is counted from the answer to the end', async () => {
    const events = await talk('+5511987654300', 'Bom dia!');
    const [answeredAt = 0] = events.find(([, { type }]) => type === 'answered') ?? [];
    const [endedAt = 0, ended] = events.at(-1) ?? [];

    expect(ended).toMatchObject({
      call: { end: { answeredMs: Math.round((endedAt - answeredAt) * 1_000) } },
    });
  });
});

describe('keys', () => {
  it('are forgotten after seven days', async () => {
    const { key, to } = await dial('+5511987654301');
    await clock.pass(KEY_RETENTION_MS + 1_000);
    const successor = new SandboxCallCarrier({ clock, journal: reread(journal) });

    expect(await successor.findCall(key)).toEqual({ found: 'absent' });
    expect(await dial(to, { key }, successor)).toMatchObject({ repeated: false });
  });

  it('cannot be known where other processes dial too', async () => {
    const one = new SandboxCallCarrier({ clock, journal, knowsAllDials: false });

    expect(one.capabilities).toMatchObject({ provesAbsence: false, keyRetentionMs: 0 });
    expect(await one.findCall('attempt-x')).toEqual({ found: 'unknown' });
  });

  it('that come again stand in the log as repeats, not as dials', async () => {
    const { key, to } = await dial('+5511987654301');
    await dial(to, { key });
    await dial(to, { key });

    expect(dialLog(journal.records).dials).toEqual([expect.objectContaining({ key, repeats: 2 })]);
  });
});

/** The journal as a process that starts finds it. */
function reread({ records }: MemoryJournal): MemoryJournal {
  const unread = [...records];
  return Object.assign(new MemoryJournal(), { readNew: () => unread.splice(0) });
}

describe('a process that takes over', () => {
  it('finds calls that still ring, and they go on', async () => {
    const { key } = await dial('+5511987654300');
    await clock.pass(1_000);
    const successor = new SandboxCallCarrier({ clock, journal: reread(journal) });
    const found = await successor.findCall(key);
    if (found.found !== 'yes') throw new Error('not found');
    const events = await clock.until(live(found.call.callId, successor));

    expect(found.call.progress).toBe('ringing');
    expect(events.find(([, { type }]) => type === 'answered')?.[0]).toBe(3);
  });

  it('finds people on the line, who hang up after a silence', async () => {
    const { callId } = await dial('+5511987654300');
    await clock.pass(5_000);
    const successor = new SandboxCallCarrier({ clock, journal: reread(journal) });
    const events = await clock.until(live(callId, successor));

    expect(events[0]?.[1]).toMatchObject({ call: { progress: 'answered', answeredBy: 'human' } });
    expect(heardIn(events)).toEqual(['Alô? Tem alguém aí?']);
    expect(events.at(-1)).toEqual([
      35,
      expect.objectContaining({
        call: expect.objectContaining({ end: expect.objectContaining({ answeredMs: 32_000 }) }),
      }),
    ]);
  });

  it.each([
    ['finds a transferred customer with the far end, until they hang up', 5_000, 'connected', []],
    ['finds a customer alone after the transfer has stopped ringing', 1_000, 'none', ['Alô? Tem alguém aí?']],
  ] as const)('%s', async (_title, afterMs, transfer, heard) => {
    const { callId } = await dial('+5511987654300');
    await clock.pass(5_000);
    const wanted = { transferId: 't', to: '+5511987654307', from: FROM, ringingTimeoutMs: 30_000 };
    await carrier.transfer(callId, { ...wanted, briefing: null, holdMusicVolume: null });
    await clock.pass(afterMs);
    const successor = new SandboxCallCarrier({ clock, journal: reread(journal) });
    const events = await clock.until(live(callId, successor));

    expect(events[0]?.[1]).toMatchObject({ call: { transfer } });
    expect(heardIn(events)).toEqual(heard);
  });

  it('finds out that a call ended while no process was running', async () => {
    const { key } = await dial('+5511987654302');
    await clock.pass(600_000);
    const successor = new SandboxCallCarrier({ clock, journal: reread(journal) });

    expect(await successor.findCall(key)).toMatchObject({
      call: { progress: 'ended', end: { outcome: 'no-answer' } },
    });
  });
});

describe('the file journal', () => {
  let folder = '';
  const path = () => join(folder, 'deep', 'calls.jsonl');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'prosa-journal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is shared by processes of one folder', async () => {
    const [one, other] = [1, 2].map(
      () => new SandboxCallCarrier({ clock, journal: new FileJournal(path()) }),
    );
    if (!one || !other) throw new Error('no carriers');
    const { key, callId, to } = await dial('+5511987654301', {}, one);

    expect(await other.findCall('attempt-other')).toEqual({ found: 'absent' });
    expect(await other.findCall(key)).toMatchObject({ found: 'yes', call: { callId } });
    expect(await dial(to, { key }, other)).toMatchObject({ callId, repeated: true });
    await Promise.all([one.close(), other.close()]);
  });

  it('is read past a line that was cut', async () => {
    const one = new FileJournal(path());
    const end = { type: 'answer', callId: 'a', at: 1 } as const;
    one.append(end);
    appendFileSync(join(folder, 'deep', 'calls.1970-01-01.jsonl'), '{"type":"answer","callI\n');
    one.append(end);
    one.close();

    expect(new FileJournal(path()).readNew()).toEqual([end, end]);
  });

  it('is read to its last whole line, however long it is', () => {
    const one = new FileJournal(path());
    const record = { type: 'answer', callId: 'a'.repeat(10_000), at: 1 } as const;
    for (let n = 0; n < 250; n++) one.append(record);
    one.close();
    appendFileSync(join(folder, 'deep', 'calls.1970-01-01.jsonl'), '{"type":"answer",');

    const other = new FileJournal(path());
    expect(other.readNew()).toHaveLength(250);
    appendFileSync(join(folder, 'deep', 'calls.1970-01-01.jsonl'), '"callId":"b","at":2}\n');
    expect(other.readNew()).toEqual([{ type: 'answer', callId: 'b', at: 2 }]);
  });

  it('keeps the files of ten days, and all that a carrier is asked about for seven', async () => {
    const start = () => new SandboxCallCarrier({ clock, journal: new FileJournal(path()) });
    const [one, other] = [start(), start()];
    const files = () => readdirSync(join(folder, 'deep'));
    const found = async (key: string, carriers = [one, other]) =>
      Promise.all(carriers.map(async (each) => (await each.findCall(key)).found));

    await dial('+5511987654301', { key: 'day 0' }, one);
    for (let day = 1; day <= 30; day++) {
      await clock.pass(DAY_MS);
      if (day === 6) expect(await found('day 0', [start()])).toEqual(['yes']);
      await dial('+5511987654301', { key: `day ${day}` }, day % 2 === 0 ? one : other);
      expect(await found(`day ${day}`)).toEqual(['yes', 'yes']);
      expect(files().length).toBeLessThanOrEqual(10);
    }
    expect(files()).toHaveLength(10);
    const next = start();
    expect(await found('day 24', [next])).toEqual(['yes']);
    expect(await found('day 20', [next])).toEqual(['absent']);
    await Promise.all([one.close(), other.close(), next.close()]);
  });

  it('deletes nothing because of a clock that is wrong for a while', () => {
    const one = new FileJournal(path());
    const at = (year: number) => Date.UTC(year, 0, 1);
    const record = (callId: string, year: number) => ({ type: 'answer', callId, at: at(year) }) as const;
    for (const [callId, year] of [
      ['now', 2026],
      ['far away', 2099],
      ['now again', 2026],
    ] as const) {
      one.append(record(callId, year));
    }
    one.close();
    expect(new FileJournal(path()).readNew().map(({ callId }) => callId)).toEqual([
      'now',
      'now again',
      'far away',
    ]);
  });

  it('keeps the keys of a carrier in a process of its own over a restart', async () => {
    const start = () => SandboxCarrierServer.start({ port: 0, journalPath: path(), speed: 1_000 });
    const request = { key: 'attempt-1', from: FROM, to: '+5511987654301', ringingTimeoutMs: 30_000 };
    const first = await start();
    const client = new SandboxCarrierClient(first.url, 1_000);
    const { callId } = await client.place(request);
    await first.stop();
    const gone = await carrierFailure(client.place(request));
    const second = await start();
    const again = new SandboxCarrierClient(second.url, 1_000);

    expect(gone).toMatchObject({ code: 'unavailable' });
    expect(await again.place(request)).toEqual({ callId, repeated: true });
    const log = await (await fetch(`${second.url}/log`)).json();
    expect(log).toMatchObject({ dials: [{ key: 'attempt-1', repeats: 1 }], mostLiveAtOnce: 1 });
    await Promise.all([client.close(), again.close(), second.stop()]);
  });

  it('lets a carrier in a process of its own see its calls to their end after a restart', async () => {
    const start = () => SandboxCarrierServer.start({ port: 0, journalPath: path(), speed: 1_000 });
    const first = await start();
    const client = new SandboxCarrierClient(first.url, 1_000);
    await client.place({ key: 'attempt-1', from: FROM, to: '+5511987654302', ringingTimeoutMs: 60_000 });
    await Promise.all([client.close(), first.stop()]);
    const second = await start();
    const ended = () => new FileJournal(path()).readNew().find(({ type }) => type === 'end');
    while (!ended()) await new Promise((resolve) => setTimeout(resolve, 5));
    await second.stop();

    expect(ended()).toMatchObject({ outcome: 'no-answer', by: 'carrier' });
  });

  it('lets watchers connect again to a carrier that is back', async () => {
    const first = await SandboxCarrierServer.start({ port: 0, journalPath: path(), speed: 1 });
    const client = new SandboxCarrierClient(first.url, 1);
    const request = { key: 'attempt-1', from: FROM, to: '+5511987654302', ringingTimeoutMs: 60_000 };
    const { callId } = await client.place(request);
    const events = client.watch(callId);
    await readUntil(events, 'state');
    await first.stop();
    const port = Number(new URL(first.url).port);
    const second = await SandboxCarrierServer.start({ port, journalPath: path(), speed: 1 });
    await readUntil(events, 'state');
    await client.hangUp(callId);
    const last = (await readUntil(events, 'ended')).at(-1);

    expect(last).toMatchObject({ call: { callId, key: 'attempt-1', end: { by: 'platform' } } });
    await Promise.all([client.close(), second.stop()]);
  });
});

describe('the carrier in a process of its own, from outside', () => {
  it('reports that a call was not sent when the server is down', async () => {
    const client = new SandboxCarrierClient('http://127.0.0.1:1', 1);
    const request = { key: 'k', from: FROM, to: '+5511987654301', ringingTimeoutMs: 1_000 };

    expect(await carrierFailure(client.place(request))).toMatchObject({ code: 'unavailable', sent: 'no' });
    await client.close();
  });

  it('refuses callers whose time runs at another speed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prosa-journal-'));
    const server = await SandboxCarrierServer.start({ port: 0, journalPath: join(folder, 'c'), speed: 5 });
    const client = new SandboxCarrierClient(server.url, 1);
    const request = { key: 'k', from: FROM, to: '+5511987654301', ringingTimeoutMs: 1_000 };

    expect(await carrierFailure(client.place(request))).toMatchObject({
      code: 'rejected',
      sent: 'no',
      cause: { detail: expect.stringContaining('SANDBOX_SPEED=5') },
    });
    await Promise.all([client.close(), server.stop()]);
    rmSync(folder, { recursive: true });
  });
});

describe('the log of dials', () => {
  const dialled = (callId: string, to: string, at: number) =>
    ({ type: 'dial', callId, key: callId, from: FROM, to, ringingTimeoutMs: 1, at }) as const;
  const ended = (callId: string, at: number) =>
    ({
      type: 'end',
      callId,
      outcome: 'busy',
      by: 'carrier',
      reason: null,
      answeredBy: null,
      answeredMs: 0,
      at,
    }) as const;

  it('counts calls that were alive together, over all and for each number', () => {
    const log = dialLog([
      dialled('a', '+551', 0),
      dialled('b', '+552', 5),
      ended('a', 10),
      dialled('c', '+551', 10),
      dialled('d', '+551', 11),
      ended('c', 20),
    ]);

    expect(log.mostLiveAtOnce).toBe(3);
    expect(log.mostLiveByNumber).toEqual({ '+551': 2, '+552': 1 });
    expect(log.dials.map(({ endedAt }) => endedAt)).toEqual([10, null, 20, null]);
  });

  it('shows a key that was dialled twice', () => {
    const twice = [dialled('a', '+551', 0), { ...dialled('b', '+551', 1), key: 'a' }];

    expect(dialLog(twice).dials.map(({ key }) => key)).toEqual(['a', 'a']);
  });
});

describe('a caller who was answered to wait', () => {
  const forwardTo = async (to: string, maxMs = 60_000) => {
    const callId = carrier.callIn('+5511987654300', FROM);
    await carrier.accept(callId);
    const forward = { to, from: FROM, ringingTimeoutMs: RINGING_TIMEOUT_MS, maxMs };
    await carrier.forward(callId, forward);
    return { callId, forward };
  };

  it('is connected with another number for as long as they may, and once', async () => {
    const { callId, forward } = await forwardTo('+5511987654300', 5_000);
    expect(await carrierFailure(carrier.forward(callId, forward))).toMatchObject({ code: 'taken' });
    const events = await clock.until(live(callId));
    expect(events.filter(([, { type }]) => type === 'answered')).toEqual([]);
    expect(events.at(-1)?.[1]).toMatchObject({
      type: 'ended',
      call: { end: { outcome: 'hung-up', by: 'carrier' } },
    });
  });

  it('is hung up when the other number does not answer', async () => {
    const { callId } = await forwardTo('+5511987654301');
    const [, last] = (await clock.until(live(callId))).at(-1) ?? [];
    expect(last).toMatchObject({ type: 'ended', call: { end: { outcome: 'hung-up', by: 'carrier' } } });
  });
});
