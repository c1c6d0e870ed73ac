import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tone } from '@prosa/testing';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedMember } from '../support/builders.js';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { buildProduct, type ProsaProcess } from '../support/prosa-process.js';
import { ProsaProcesses } from '../support/prosa-processes.js';
import { Operators } from '../support/transfer-offers.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

interface Offer {
  readonly id: number;
  readonly call_id: number;
  readonly briefing: string;
}

/** The call is in a voice process of its own, and people answer through two processes with the API. */
describe('an offered call', () => {
  let api: TestApp;
  let owner: TestAccount;
  let assistant: { readonly id: number };
  let ana: CreatedMember;
  let folder: string;
  let other: ProsaProcess;
  /** Of the API of the other process. */
  let origin: string;
  let processes: ProsaProcesses;

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-offers-'));
    api = await TestApp.start();
    processes = new ProsaProcesses(api, folder);
    owner = await api.account({ balanceUsd: 50, password: 'correct horse battery' });
    assistant = await createAssistant(api, owner, {
      initial_message: 'Olá! Aqui é a Padaria Central. Em que posso ajudar você hoje?',
      max_silence_duration: 60,
      tools: [
        {
          type: 'warm_call_transfer',
          target: { type: 'members', role: 'operator' },
          description: 'Transfere quando o cliente quer falar com uma pessoa',
          hold_message: 'Um momento.',
        },
      ],
    });
    const operators = new Operators(api, owner);
    ana = await operators.hire('Ana Souza');
    await operators.available(ana);
    other = processes.start({ PROSA_ROLES: 'api,worker' });
    origin = await other.ready();
    await processes.startVoice();
  }, 240_000);
  afterAll(async () => {
    await processes.stop();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  async function offersAt(origin: string): Promise<readonly Offer[]> {
    const answer = await fetch(`${origin}/api/user/transfer-offers`, {
      headers: { authorization: `Bearer ${ana.token}` },
    });
    return ((await answer.json()) as { data: Offer[] }).data;
  }

  it('rings on after the process with which people talk was killed, and is heard by the customer', async () => {
    const { body } = await api.as(owner).post(`/api/user/assistant/${assistant.id}/web-call`).send({});
    const { call_id: id } = body.data as OpenedWebCall;
    const caller = await WebCaller.connect(body.data as OpenedWebCall);
    await caller.hears(500);
    caller.type('Quero falar com uma pessoa, pode transferir?');
    let offer: Offer | undefined;
    await until(async () => {
      offer = (await offersAt(origin)).find((one) => one.call_id === id);
      return offer !== undefined;
    }, 30_000);
    other.kill('SIGKILL');
    await other.exit();

    expect(await offersAt(api.origin)).toEqual([offer]);
    const accepted = await api.as(ana).post(`/api/user/transfer-offers/${offer!.id}/accept`).expect(200);
    const { body: call } = await api.as(owner).get(`/api/user/calls/${id}`).expect(200);
    expect(call.live).toMatchObject({ holder: 'agent', member_name: 'Ana Souza' });
    const desk = await CallListener.connect(accepted.body.data as MonitorGrant);
    expect(desk.shown[0]).toMatchObject({ type: 'ready', holder: 'agent', member_name: 'Ana Souza' });
    const before = caller.soundMs;
    await desk.say(tone(500, 24_000, 800, 0.4));
    await until(() => caller.soundMs > before + 300);
    caller.hangUp();
    await caller.closed();
  }, 120_000);
});
