// The plugin in a whole Prosa: `npm run build && npm test` in this folder, after `npm run build` in that of Prosa.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TestProsa } from '../../../dist/plugins/testing.js';

const START = '2031-05-20T14:00:00.000Z';

describe('appointments', () => {
  let prosa, ana, bia, receiver;
  const received = [];

  before(async () => {
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        received.push({ headers: request.headers, path: request.url, text: body, body: JSON.parse(body) });
        response.end();
      });
    });
    await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    prosa = await TestProsa.start({
      plugins: ['.'],
      folder: fileURLToPath(new URL('..', import.meta.url)),
      environment: { EGRESS_ALLOW_CIDRS: '127.0.0.0/8' },
    });
    [ana, bia] = [await prosa.account(), await prosa.account()];
  });
  after(async () => {
    await prosa?.stop();
    receiver.close();
  });

  const hook = () => `http://127.0.0.1:${receiver.address().port}/hook`;
  const book = async (call, fields = {}) => {
    const body = { customer_name: 'Ana Souza', starts_at: START, ...fields };
    const { status, body: answer } = await call('POST', '/api/user/appointments', body);
    assert.equal(status, 201);
    return answer.data;
  };
  const until = async (check) => {
    for (let tries = 0; tries < 300; tries++) {
      if (await check()) return;
      await sleep(100);
    }
    assert.fail('it did not happen within 30 s');
  };

  it('are booked, read, listed, changed and deleted', async () => {
    const { id } = await book(ana);
    const path = `/api/user/appointments/${id}`;
    const expected = {
      id,
      customer_name: 'Ana Souza',
      starts_at: START,
      status: 'booked',
      assistant_id: null,
    };
    assert.deepEqual((await ana('GET', path)).body, expected);
    assert.deepEqual((await ana('GET', '/api/user/appointments')).body.data, [expected]);
    const changed = await ana('PUT', path, { status: 'cancelled' });
    assert.equal(changed.body.message, 'Agendamento atualizado com sucesso');
    assert.deepEqual((await ana('GET', '/api/user/appointments?status=booked')).body.data, []);
    assert.deepEqual(await ana('DELETE', path), {
      status: 200,
      body: { message: 'Agendamento excluído com sucesso' },
    });
    assert.equal((await ana('GET', path)).status, 404);
  });

  it('of another account are answered as such that are not there', async () => {
    const { id } = await book(ana);
    for (const [method, body] of [['GET'], ['PUT', { status: 'cancelled' }], ['DELETE']]) {
      const foreign = await bia(method, `/api/user/appointments/${id}`, body);
      assert.deepEqual(foreign, await bia(method, '/api/user/appointments/1999999999', body));
      assert.deepEqual(foreign, { status: 404, body: { message: 'Agendamento não encontrado' } });
    }
    assert.deepEqual((await bia('GET', '/api/user/appointments')).body.data, []);
    assert.equal((await ana('GET', `/api/user/appointments/${id}`)).body.status, 'booked');
    assert.equal((await prosa.request('GET', '/api/user/appointments')).status, 401);
  });

  it('need a customer and a time to come, and say so by field', async () => {
    const { status, body } = await ana('POST', '/api/user/appointments', { starts_at: START });
    assert.equal(status, 422);
    assert.deepEqual(body.errors, { customer_name: ['O campo customer_name é obrigatório.'] });
    const past = { customer_name: 'Ana', starts_at: '2020-01-01T00:00:00Z' };
    assert.deepEqual((await ana('POST', '/api/user/appointments', past)).body.errors, {
      starts_at: ['O campo starts_at deve ser uma data e hora no futuro, como 2030-05-20T14:00:00Z.'],
    });
  });

  it('expire once their time is over, unless they are cancelled', async () => {
    const soon = () => new Date(Date.now() + 1_500).toISOString();
    const kept = await book(ana, { starts_at: soon() });
    const cancelled = await book(ana, { starts_at: soon() });
    await ana('PUT', `/api/user/appointments/${cancelled.id}`, { status: 'cancelled' });
    const statusOf = async ({ id }) => (await ana('GET', `/api/user/appointments/${id}`)).body.status;
    await until(async () => (await statusOf(kept)) === 'expired');
    assert.equal(await statusOf(cancelled), 'cancelled');
  });

  it('are sent to a server, signed, when they are booked', async () => {
    const { id } = await book(ana, { webhook_url: hook() });
    await until(() => received.some(({ body }) => body.id === id));
    const { headers, body } = received.find((delivery) => delivery.body.id === id);
    assert.deepEqual(body, {
      event: 'appointments.booked',
      id,
      customer_name: 'Ana Souza',
      starts_at: START,
    });
    assert.match(headers['webhook-signature'], /^v1,/);
    const { body: page } = await ana('GET', '/api/user/webhook-deliveries?kind=appointments.booked');
    assert.deepEqual(
      page.data.map(({ subject_id }) => subject_id),
      [String(id)],
    );
  });

  it('are sent, signed, to the endpoints of the account that subscribe to new appointments', async () => {
    const endpoint = (url, events) => ana('POST', '/api/user/webhook-endpoints', { url, events });
    const { status, body: made } = await endpoint(`${hook()}/created`, ['appointments.created']);
    assert.equal(status, 201);
    assert.deepEqual(made.data.events, ['appointments.created']);
    await endpoint(`${hook()}/calls`, ['call.ended']);
    const { id } = await book(ana);
    await book(await prosa.account());
    const isOf = (delivery) => delivery.body.data?.id === id;
    await until(() => received.some(isOf));
    const [{ headers, body, path, text }, ...others] = received.filter(isOf);
    assert.deepEqual(others, []);
    assert.equal(path, '/hook/created');
    assert.deepEqual(body, {
      type: 'appointments.created',
      timestamp: body.timestamp,
      data: { id, customer_name: 'Ana Souza', starts_at: START, assistant_id: null },
    });
    assert.ok(!Number.isNaN(Date.parse(body.timestamp)));
    const { body: read } = await ana('GET', `/api/user/webhook-endpoints/${made.data.id}/secret`);
    const key = Buffer.from(read.secret.replace(/^whsec_/, ''), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    assert.ok(headers['webhook-signature'].split(' ').includes(`v1,${signature}`));
    const { body: page } = await ana('GET', '/api/user/webhook-deliveries?kind=appointments.created');
    assert.deepEqual(
      page.data.map(({ subject_id }) => subject_id),
      [String(id)],
    );
    assert.equal((await endpoint(hook(), ['appointments.booked'])).status, 422);
  });

  describe('in a chat', () => {
    const assistant = (tools) => ({
      name: 'Recepção',
      voice_id: 1,
      language_id: 1,
      type: 'inbound',
      mode: 'pipeline',
      timezone: 'America/Sao_Paulo',
      initial_message: 'Olá!',
      system_prompt: 'Você agenda visitas.',
      llm_model_id: 1,
      tools,
    });
    const create = (tools) => ana('POST', '/api/user/assistant', assistant(tools));

    it('are booked by an assistant with the tool, for the account it belongs to', async () => {
      const { body: made } = await create([{ type: 'appointments.book', webhook_url: hook() }]);
      const { body: details } = await ana('GET', `/api/user/assistant/${made.data.id}`);
      assert.deepEqual(details.tools, [{ type: 'appointments.book', webhook_url: hook() }]);
      const { body: opened } = await ana('POST', '/api/conversations', {
        assistant_id: details.uuid,
        type: 'test',
      });
      const message = `Agenda uma visita (schedule_visit): customer_name "Caio Lima", starts_at "${START}"`;
      const { body: answer } = await ana('POST', `/api/conversations/${opened.conversation_id}/messages`, {
        message,
      });
      const [call] = answer.function_calls;
      assert.equal(call.name, 'schedule_visit');
      assert.equal(call.result.booked, true);
      const { body: booked } = await ana('GET', `/api/user/appointments/${call.result.id}`);
      assert.deepEqual(booked, {
        id: call.result.id,
        customer_name: 'Caio Lima',
        starts_at: START,
        status: 'booked',
        assistant_id: made.data.id,
      });
      assert.ok((await bia('GET', '/api/user/appointments')).body.data.length === 0);
      await until(() => received.some(({ body }) => body.id === booked.id));
    });

    it('need settings that the form of the tool allows', async () => {
      const { status, body } = await create([{ type: 'appointments.book', webhook_url: 'nowhere' }]);
      assert.equal(status, 422);
      assert.deepEqual(Object.keys(body.errors), ['tools.0.webhook_url']);
      const unknown = await create([{ type: 'appointments.cook' }]);
      assert.deepEqual(Object.keys(unknown.body.errors), ['tools.0.type']);
    });

    it('keep their function: no tool of an account on an assistant takes its name', async () => {
      const { body: tool } = await ana('POST', '/api/user/tools', {
        name: 'schedule_visit',
        description: 'x',
        endpoint: 'https://example.com/',
        method: 'GET',
      });
      const { status } = await ana('POST', '/api/user/assistant', {
        ...assistant([]),
        tool_ids: [tool.data.id],
      });
      assert.equal(status, 422);
    });
  });

  it('have a page in the console, of files of the plugin alone', async () => {
    const { body: pages } = await prosa.request('GET', '/plugins/pages.json');
    assert.deepEqual(pages, [
      {
        name: 'appointments',
        title: { pt: 'Agendamentos', en: 'Appointments' },
        url: '/plugins/appointments/',
      },
    ]);
    const page = await fetch(`${prosa.url}/plugins/appointments`);
    assert.equal(page.url, `${prosa.url}/plugins/appointments/`);
    assert.match(await page.text(), /<script type="module" src=".\/appointments.js">/);
    assert.match(page.headers.get('content-security-policy'), /frame-ancestors 'self'/);
    const script = await fetch(`${prosa.url}/plugins/appointments/appointments.js`);
    assert.match(script.headers.get('content-type'), /javascript/);
    for (const path of ['/package.json', '/..%2fpackage.json', '/%2e%2e/package.json']) {
      assert.equal((await prosa.request('GET', `/plugins/appointments${path}`)).status, 404);
    }
  });

  it('are documented: operations, settings of the tool, payload of the event', async () => {
    const { body: document } = await prosa.request('GET', '/docs-json');
    assert.ok(document.tags.some(({ name }) => name === 'Appointments'));
    assert.deepEqual(Object.keys(document.paths['/api/user/appointments/{id}']), ['get', 'put', 'delete']);
    assert.ok(document.components.schemas.BookAppointmentForm);
    assert.ok(document.webhooks['appointments.booked']);
    const { requestBody } = document.webhooks['appointments.created'].post;
    const event = document.components.schemas.AppointmentCreatedPayloadEvent;
    assert.deepEqual(requestBody.content['application/json'].schema, {
      $ref: '#/components/schemas/AppointmentCreatedPayloadEvent',
    });
    assert.deepEqual(event.properties.data, { $ref: '#/components/schemas/AppointmentCreatedPayload' });
    const { body: events } = await ana('GET', '/api/user/webhook-events');
    const kinds = events.filter((event) => event.for_endpoints).map(({ kind }) => kind);
    assert.ok(kinds.includes('appointments.created'));
    assert.ok(!kinds.includes('appointments.booked'));
    const unknown = await ana('POST', '/api/user/webhook-endpoints', { url: hook(), events: ['x'] });
    assert.match(unknown.body.errors['events.0'][0], /appointments\.created/);
  });
});
