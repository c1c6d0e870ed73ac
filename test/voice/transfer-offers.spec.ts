import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { tone } from '@prosa/testing';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { isBriefing, Operators, transferModel } from '../support/transfer-offers.js';
import type { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const BRIEFING = 'Maria quer trocar um pedido que chegou errado.';
const HONEST = 'Ninguém pode atender agora. Posso anotar um recado?';
const ABSENT = 'A pessoa não atendeu. Continuo aqui com você.';

interface Offer {
  readonly id: number;
  readonly call_id: number;
  readonly briefing: string;
  readonly expires_at: string;
}

interface CallBody {
  readonly status: string;
  readonly live: { readonly holder: string; readonly member_name: string | null } | null;
  readonly desk: readonly { readonly event: string; readonly member_name: string | null }[];
  readonly turns: readonly { readonly role: string; readonly text: string }[];
}

interface Who {
  readonly token: string;
}

jest.setTimeout(180_000);

describe('Calls that assistants offer to people', () => {
  let app: TestApp;
  let account: TestAccount;
  let operators: Operators;
  let assistant: { readonly id: number };
  let model: ScriptedChatModel;
  let callers: WebCaller[] = [];

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker,voice' });
    account = await app.account({ balanceUsd: 50, password: 'correct horse battery' });
    operators = new Operators(app, account);
    assistant = await createAssistant(app, account, {
      initial_message: 'Olá! Aqui é a Padaria Central. Em que posso ajudar você hoje?',
      max_silence_duration: 60,
      tools: [
        {
          type: 'warm_call_transfer',
          target: { type: 'members', role: 'operator' },
          description: 'Quando pedirem uma pessoa',
          hold_message: 'Um momento.',
        },
      ],
    });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const caller of callers) if (caller.closeCode === null) caller.hangUp();
    await Promise.all(callers.map((caller) => caller.closed()));
    callers = [];
    await operators.sendHome();
  });
  afterAll(() => app.stop());

  const callOf = async (id: number) =>
    (await app.as(account).get(`/api/user/calls/${id}`).expect(200)).body as CallBody;
  const offersOf = async (who: Who) =>
    (await app.as(who).get('/api/user/transfer-offers').expect(200)).body.data as Offer[];
  const answer = (who: Who, id: number, how: 'accept' | 'decline') =>
    app.as(who).post(`/api/user/transfer-offers/${id}/${how}`);

  /** A customer who asks for a person. */
  async function call(): Promise<{ readonly id: number; readonly caller: WebCaller }> {
    model = transferModel({ briefing: BRIEFING, failed: HONEST, absent: ABSENT });
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
    const { body } = await app.as(account).post(`/api/user/assistant/${assistant.id}/web-call`).send({});
    const { call_id: id } = body.data as OpenedWebCall;
    const caller = await WebCaller.connect(body.data as OpenedWebCall);
    callers.push(caller);
    await until(async () => (await callOf(id)).status === 'in-progress');
    await caller.hears(300);
    caller.type('Quero falar com uma pessoa.');
    return { id, caller };
  }

  async function ringsFor(who: Who, callId: number): Promise<Offer> {
    let found: Offer | undefined;
    await until(async () => {
      found = (await offersOf(who)).find((offer) => offer.call_id === callId);
      return found !== undefined;
    }, 20_000);
    return found!;
  }

  const toolResults = () =>
    model.requests
      .flatMap(({ messages }) => messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content);

  it('ring with their briefing, and are given to the one person who accepts first', async () => {
    const [ana, bruno] = [await operators.hire('Ana Souza'), await operators.hire('Bruno Lima')];
    await Promise.all([operators.available(ana), operators.available(bruno)]);
    const { id, caller } = await call();
    const [offer, other] = await Promise.all([ringsFor(ana, id), ringsFor(bruno, id)]);
    expect(offer).toEqual({
      id: other.id,
      call_id: id,
      assistant_name: expect.any(String),
      customer_phone: null,
      briefing: BRIEFING,
      expires_at: expect.any(String),
    });
    expect(Date.parse(offer.expires_at) - Date.now()).toBeLessThan(30_000);

    const answers = await Promise.all([answer(ana, offer.id, 'accept'), answer(bruno, offer.id, 'accept')]);
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409]);
    const [winner, name] = answers[0].status === 200 ? [ana, 'Ana Souza'] : [bruno, 'Bruno Lima'];
    const loser = winner === ana ? bruno : ana;
    const lost = answers.find(({ status }) => status === 409)!;
    expect(lost.body).toEqual({ message: 'Outra pessoa já atendeu esta ligação' });
    // The person has the call before they connect.
    expect((await callOf(id)).live).toMatchObject({ holder: 'agent', member_name: name });
    expect(await offersOf(loser)).toEqual([]);
    await answer(loser, offer.id, 'decline').expect(409);

    const grant = answers.find(({ status }) => status === 200)!.body.data as MonitorGrant;
    const desk = await CallListener.connect(grant);
    expect(desk.shown[0]).toMatchObject({ type: 'ready', holder: 'agent', member_name: name });
    const before = caller.soundMs;
    await desk.say(tone(500, 24_000, 600, 0.4));
    await until(() => caller.soundMs > before + 200);

    const handedBack = desk.sees((message) => message.id === 'back');
    desk.send({ type: 'hand_back', id: 'back' });
    expect(await handedBack).toMatchObject({ type: 'done' });
    expect((await callOf(id)).desk.map((entry) => [entry.event, entry.member_name])).toEqual([
      ['taken_over', name],
      ['listened', name],
      ['handed_back', name],
    ]);
    const { body: log } = await app.as(account).get('/api/user/audit-log').expect(200);
    const actions = (log.data as { action: string; resource_id: string; status: number }[])
      .filter(({ action }) => action.endsWith('TransferOffer'))
      .map(({ action, resource_id, status }) => [action, resource_id, status]);
    expect(actions.toSorted((one, two) => String(one).localeCompare(String(two)))).toEqual([
      ['acceptTransferOffer', null, 409],
      ['acceptTransferOffer', String(offer.id), 200],
      ['declineTransferOffer', null, 409],
    ]);
  });

  it('do not ring for people who take no calls, and the assistant says so', async () => {
    await operators.hire('Carla Dias');
    const { id, caller } = await call();
    await until(() => caller.shown.some(({ text }) => text?.includes('recado')));
    expect(toolResults()).toContain(
      '{"transferred":false,"reason":"no colleague is available now","customer":"is on the line with you"}',
    );
    // The customer heard nothing of a transfer.
    expect((await callOf(id)).turns.map(({ text }) => text)).not.toContain('Um momento.');
    expect(await app.query('SELECT 1 FROM transfer_offers WHERE call_id = $1', [id])).toEqual([]);
  });

  it('end when all have declined, and for each person when they decline', async () => {
    const [ana, bruno] = [await operators.hire('Ana Reis'), await operators.hire('Bruno Paz')];
    await Promise.all([operators.available(ana), operators.available(bruno)]);
    const { id, caller } = await call();
    const { id: offer } = await ringsFor(ana, id);
    await answer(ana, offer, 'decline').expect(200);
    expect(await offersOf(ana)).toEqual([]);
    expect(await offersOf(bruno)).toHaveLength(1);
    await answer(ana, offer, 'accept').expect(409);
    await answer(bruno, offer, 'decline').expect(200);
    await until(() => caller.shown.some(({ text }) => text?.includes('recado')));
    expect(toolResults()).toContain(
      '{"transferred":false,"reason":"no colleague took the call","customer":"is back on the line with you"}',
    );
    expect((await answer(bruno, offer, 'accept').expect(409)).body).toEqual({
      message: 'Esta ligação não está mais disponível para atender',
    });
    expect(await callOf(id)).toMatchObject({ desk: [], live: { holder: 'assistant' } });
  });

  it('end with their call, and with the time to answer', async () => {
    const ana = await operators.hire('Ana Melo');
    await operators.available(ana);
    const first = await call();
    const gone = await ringsFor(ana, first.id);
    first.caller.hangUp();
    await until(async () => (await offersOf(ana)).length === 0);
    await answer(ana, gone.id, 'accept').expect(409);

    const second = await call();
    const late = await ringsFor(ana, second.id);
    await app.query("UPDATE transfer_offers SET expires_at = now() - interval '1 second' WHERE id = $1", [
      late.id,
    ]);
    expect(await offersOf(ana)).toEqual([]);
    await answer(ana, late.id, 'accept').expect(409);
    await until(() => second.caller.shown.some(({ text }) => text?.includes('recado')));
    const statuses = await app.query('SELECT status, briefing FROM transfer_offers WHERE id = ANY($1)', [
      [gone.id, late.id],
    ]);
    expect(statuses).toEqual([
      { status: 'ended', briefing: null },
      { status: 'ended', briefing: null },
    ]);
  });

  it('leave the customer to the assistant, who tells them, when the person never connects', async () => {
    const ana = await operators.hire('Ana Prado');
    await operators.available(ana);
    const { id, caller } = await call();
    const { id: offer } = await ringsFor(ana, id);
    const { body } = await answer(ana, offer, 'accept').expect(200);
    // The answer may have been lost.
    const again = await answer(ana, offer, 'accept').expect(200);
    expect(again.body.data.token).not.toBe(body.data.token);
    await until(async () => (await callOf(id)).live?.holder === 'assistant', 20_000);
    await until(() => caller.shown.some(({ text }) => text?.includes('Continuo aqui')), 10_000);
  });

  it('are for the people of the account alone whose role may take them', async () => {
    const ana = await operators.hire('Ana Faria');
    await operators.available(ana);
    const viewer = await operators.hire('Vera Alves', 'viewer');
    const stranger = await app.account({ password: 'correct horse battery' });
    const { id } = await call();
    const { id: offer } = await ringsFor(ana, id);
    expect(await offersOf(stranger)).toEqual([]);
    for (const how of ['accept', 'decline'] as const) {
      expect((await answer(stranger, offer, how).expect(404)).body).toEqual({
        message: 'Oferta não encontrada',
      });
      await answer(viewer, offer, how).expect(403);
      await app.http.post(`/api/user/transfer-offers/${offer}/${how}`).expect(401);
    }
    await app.as(viewer).get('/api/user/transfer-offers').expect(403);
    // A key reads those of its account.
    expect((await offersOf(account)).map((one) => one.id)).toEqual([offer]);
    await operators.available(ana, false);
    expect(await offersOf(ana)).toEqual([]);
  });

  it('reach the consoles by a hint on the event stream', async () => {
    const ana = await operators.hire('Ana Costa');
    await operators.available(ana);
    const hints: string[] = [];
    const gone = new AbortController();
    const stream = await fetch(`${app.origin}/api/user/events`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${ana.token}` },
      signal: gone.signal,
    });
    const reading = (async () => {
      for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) hints.push(chunk);
    })().catch(() => undefined);
    try {
      const { id } = await call();
      const { id: offer } = await ringsFor(ana, id);
      await until(() => hints.join('').includes(`{"type":"transfer-offer","ids":[${offer}]}`));
    } finally {
      gone.abort();
      await reading;
    }
  });

  it('are written by a model that was asked for a briefing of the conversation', async () => {
    const ana = await operators.hire('Ana Nunes');
    await operators.available(ana);
    const { id } = await call();
    await ringsFor(ana, id);
    const asked = model.requests.find(isBriefing);
    expect(JSON.stringify(asked?.messages)).toContain('Quero falar com uma pessoa.');
  });
});
