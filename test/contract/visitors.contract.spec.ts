import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { assistantBody, createAssistant, type CreatedAssistant, createTool } from '../support/builders.js';

const SHOP = 'https://shop.example';
const DIFFICULTY = 8;

describe('visitors', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({
      VISITOR_CHALLENGE_DIFFICULTY: String(DIFFICULTY),
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    });
    owner = await app.account({ balanceUsd: 5 });
  });
  afterAll(() => app.stop());

  const open = (assistant: CreatedAssistant, body: object = {}, caller = app.http) =>
    caller.post('/api/conversations').send({ assistant_id: assistant.uuid, ...body });
  const variablesOf = async ({ body }: { body: { conversation_id?: string } }) =>
    (await app.http.get(`/api/conversations/${body.conversation_id}`).expect(200)).body.variables;

  describe('variables of a visitor', () => {
    /** JSON of exactly so many bytes. */
    const sized = (bytes: number) => ({
      name: 'é'.repeat(2) + 'x'.repeat(bytes - '{"name":"éé"}'.length - 2),
    });

    it('are at most 4,096 bytes in total, whatever the assistant knows of them', async () => {
      const assistant = await createAssistant(app, owner, { variables: { name: '' } });
      await open(assistant, { variables: sized(4_096) }).expect(200);
      for (const variables of [sized(4_097), sized(60_000), { unknown: 'x'.repeat(4_096) }]) {
        const { body } = await open(assistant, { variables }).expect(422);
        expect(body.errors).toEqual({ variables: ['The variables field is too large.'] });
      }
      const rows = await app.query('SELECT 1 FROM conversations WHERE assistant_id = $1', [assistant.id]);
      expect(rows).toHaveLength(1);
    });

    it('are kept where the assistant declares or uses them, and left out where it does not', async () => {
      const tool = await createTool(app, owner, {
        name: 'track',
        endpoint: 'https://api.example.com/{{shop}}/{city}',
        headers: [{ name: 'X-Region', value: '{{ region }}' }],
      });
      const assistant = await createAssistant(app, owner, {
        system_prompt: 'Fale com {{customer}}.',
        initial_message: 'Olá, {{greeting}}!',
        variables: { declared: 1 },
        tool_ids: [tool],
      });
      const known = { customer: 'a', greeting: 'b', declared: { deep: true }, shop: 'c', region: 'd' };
      const answer = await open(assistant, { variables: { ...known, unknown: 1, constructor: 2 } }).expect(
        200,
      );
      expect(await variablesOf(answer)).toEqual(known);
      expect(answer.body.history[0].content).toBe('Olá, b!');
    });

    it('cannot say what the platform says', async () => {
      const assistant = await createAssistant(app, owner, {
        initial_message: '{{current_date}} {{assistant_name}}',
      });
      const variables = { current_date: '1999-12-31', assistant_name: 'Mallory' };
      const { body } = await open(assistant, { variables }).expect(200);
      expect(body.history[0].content).toMatch(/^20\d\d-\d\d-\d\d Recepção$/);
    });

    it('cannot blow up a prompt that uses them many times', async () => {
      const prompt = '{{name}} '.repeat(100);
      const assistant = await createAssistant(app, owner, { system_prompt: prompt });
      await open(assistant, { variables: { name: 'x'.repeat(163) } }).expect(200);
      const { body } = await open(assistant, { variables: { name: 'x'.repeat(164) } }).expect(422);
      expect(body.errors).toEqual({
        variables: ["The variables field would make the assistant's instructions too long."],
      });
    });

    it('are not limited so for the owner, in test and in widget conversations', async () => {
      const assistant = await createAssistant(app, owner);
      const variables = { mark: 'x'.repeat(60_000) };
      for (const type of ['test', 'widget']) {
        const answer = await open(assistant, { type, variables }, app.as(owner)).expect(200);
        expect(await variablesOf(answer)).toEqual(variables);
      }
    });
  });

  describe('allowed_origins', () => {
    it('lets every page in by default', async () => {
      const { headers } = await open(await createAssistant(app, owner))
        .set('Origin', SHOP)
        .expect(200);
      expect(headers['access-control-allow-origin']).toBe('*');
    });

    it('lets only pages of these origins open conversations, send messages and read answers', async () => {
      const assistant = await createAssistant(app, owner, {
        allowed_origins: [SHOP, 'http://localhost:5173'],
      });
      const opened = await open(assistant).set('Origin', SHOP).expect(200);
      expect(opened.headers['access-control-allow-origin']).toBe(SHOP);
      expect(opened.headers.vary).toContain('Origin');
      const send = () =>
        app.http.post(`/api/conversations/${opened.body.conversation_id}/messages`).send({ message: 'Olá' });
      const challenge = () => app.http.post(`/api/conversations/challenges/${assistant.uuid}`);
      for (const request of [() => open(assistant), send, challenge]) {
        const { headers } = await request().set('Origin', 'http://localhost:5173').expect(200);
        expect(headers['access-control-allow-origin']).toBe('http://localhost:5173');
        for (const origin of [
          'https://evil.example',
          `${SHOP}.evil.example`,
          'null',
          'http://shop.example',
        ]) {
          const refused = await request().set('Origin', origin).expect(403);
          expect(refused.body).toEqual({
            status: false,
            error: 'This assistant cannot be used from this website',
          });
          expect(refused.headers['access-control-allow-origin']).toBeUndefined();
        }
        await request().expect(403);
      }
      const { body } = await app.http.get(`/api/conversations/${opened.body.conversation_id}`).expect(200);
      expect(body.history).toHaveLength(3);
    });

    it('counts as its owner has it at the next message', async () => {
      const assistant = await createAssistant(app, owner, { allowed_origins: [SHOP] });
      const { body } = await open(assistant).set('Origin', SHOP).expect(200);
      const send = (origin: string) =>
        app.http
          .post(`/api/conversations/${body.conversation_id}/messages`)
          .set('Origin', origin)
          .send({ message: 'Olá' });
      const blog = 'https://blog.example';
      await send(SHOP).expect(200);
      await send(blog).expect(403);
      await app
        .as(owner)
        .put(`/api/user/assistant/${assistant.id}`)
        .send({ allowed_origins: [blog] })
        .expect(200);
      const { headers } = await send(blog).expect(200);
      expect(headers['access-control-allow-origin']).toBe(blog);
      await app
        .as(owner)
        .put(`/api/user/assistant/${assistant.id}`)
        .send({ allowed_origins: [SHOP] })
        .expect(200);
      const refused = await send(blog).expect(403);
      expect(refused.headers['access-control-allow-origin']).toBeUndefined();
      const { body: stored } = await app.http
        .get(`/api/conversations/${body.conversation_id}`)
        .set('Origin', SHOP)
        .expect(200);
      // The assistant's first words, and two messages with their answers.
      expect(stored.history.filter(({ role }: { role: string }) => role === 'user')).toHaveLength(2);
    });

    it('grants a page nothing that CORS_ORIGINS of the installation does not', async () => {
      const narrow = await TestApp.start({ CORS_ORIGINS: 'https://other.example' });
      try {
        const assistant = await createAssistant(narrow, await narrow.account({ balanceUsd: 1 }), {
          allowed_origins: [SHOP, 'https://other.example'],
        });
        const from = (origin: string) =>
          narrow.http.post('/api/conversations').set('Origin', origin).send({ assistant_id: assistant.uuid });
        const { headers } = await from(SHOP).expect(200);
        expect(headers['access-control-allow-origin']).toBeUndefined();
        const other = await from('https://other.example').expect(200);
        expect(other.headers['access-control-allow-origin']).toBe('https://other.example');
      } finally {
        await narrow.stop();
      }
    });

    it('does not concern test conversations', async () => {
      const assistant = await createAssistant(app, owner, { allowed_origins: [SHOP] });
      const { body } = await open(assistant, { type: 'test' }, app.as(owner)).expect(200);
      await app.http
        .post(`/api/conversations/${body.conversation_id}/messages`)
        .send({ message: 'Olá' })
        .expect(200);
    });

    it.each([
      ['a path', ['https://shop.example/'], 'allowed_origins.0'],
      ['no scheme', ['shop.example'], 'allowed_origins.0'],
      ['another scheme', ['ftp://shop.example'], 'allowed_origins.0'],
      ['capitals', [SHOP, 'https://Shop.example'], 'allowed_origins.1'],
      ['the same twice', [SHOP, SHOP], 'allowed_origins'],
      ['a text', SHOP, 'allowed_origins'],
      ['something else', [7], 'allowed_origins.0'],
      ['too many', Array.from({ length: 51 }, (_, n) => `https://s${n}.example`), 'allowed_origins'],
    ])('refuses %s', async (_case, allowed_origins, named) => {
      const { body } = await app
        .as(owner)
        .post('/api/user/assistant')
        .send(assistantBody({ allowed_origins }))
        .expect(422);
      expect(Object.keys(body.errors)).toEqual([named]);
    });
  });

  describe('limits of an assistant', () => {
    const limits = {
      visitor_conversations_per_hour: 100,
      visitor_conversations_per_address_per_hour: 5,
      visitor_messages_per_hour: 200,
      visitor_daily_spend: 2.5,
      allowed_origins: [SHOP],
      challenge_required: true,
      visitor_calls_enabled: false,
    };

    it('are those of the installation until they are set, and again with null', async () => {
      const { id } = await createAssistant(app, owner);
      const read = async () => (await app.as(owner).get(`/api/user/assistant/${id}`).expect(200)).body;
      const update = (body: object) => app.as(owner).put(`/api/user/assistant/${id}`).send(body).expect(200);
      const unset = {
        visitor_conversations_per_hour: null,
        visitor_conversations_per_address_per_hour: null,
        visitor_messages_per_hour: null,
        visitor_daily_spend: null,
        allowed_origins: [],
        challenge_required: false,
        visitor_calls_enabled: true,
      };
      expect(await read()).toMatchObject(unset);
      await update(limits);
      expect(await read()).toMatchObject(limits);
      await update(Object.fromEntries(Object.keys(limits).map((name) => [name, null])));
      expect(await read()).toMatchObject(unset);
    });

    it.each([
      ['visitor_conversations_per_hour', -1],
      ['visitor_conversations_per_address_per_hour', 1.5],
      ['visitor_messages_per_hour', 1_000_001],
      ['visitor_daily_spend', -0.01],
      ['challenge_required', 'yes'],
      ['visitor_calls_enabled', 'no'],
    ])('refuses %s of %s', async (field, value) => {
      const { body } = await app
        .as(owner)
        .post('/api/user/assistant')
        .send(assistantBody({ [field]: value }))
        .expect(422);
      expect(Object.keys(body.errors)).toEqual([field]);
    });
  });

  describe('a challenge', () => {
    let guarded: CreatedAssistant;

    beforeAll(async () => {
      guarded = await createAssistant(app, owner, { challenge_required: true });
    });

    const ask = async ({ uuid }: CreatedAssistant) =>
      (await app.http.post(`/api/conversations/challenges/${uuid}`).expect(200)).body;
    const isSolution = (token: string, solution: string) =>
      createHash('sha256').update(`${token}.${solution}`).digest().readUInt32BE(0) >>> (32 - DIFFICULTY) ===
      0;
    const solve = (token: string, wanted = true) => {
      let solution = 0;
      while (isSolution(token, String(solution)) !== wanted) solution++;
      return { challenge_token: token, challenge_solution: String(solution) };
    };
    const refusedAs = async (assistant: CreatedAssistant, body: object) =>
      (await open(assistant, body).expect(403)).body.error;
    const INVALID =
      'The challenge is unsolved, expired or already used. Get a new one at /conversations/challenges';

    it('is asked for only where the assistant wants one', async () => {
      await open(await createAssistant(app, owner)).expect(200);
      const { body } = await open(guarded).expect(403);
      expect(body).toEqual({
        status: false,
        error: 'This assistant requires a solved challenge. Get one at /conversations/challenges',
      });
    });

    it('says how hard it is and until when it can be used', async () => {
      const challenge = await ask(guarded);
      expect(challenge).toEqual({
        status: true,
        algorithm: 'SHA-256',
        token: expect.any(String),
        difficulty: DIFFICULTY,
        expires_at: expect.any(String),
      });
      const lastsMs = Date.parse(challenge.expires_at) - Date.now();
      expect(lastsMs).toBeGreaterThan(590_000);
      expect(lastsMs).toBeLessThanOrEqual(600_000);
      await app.http.post(`/api/conversations/challenges/${randomUUID()}`).expect(404);
    });

    it('opens one conversation when it is solved, also when it is sent many times at once', async () => {
      const solved = solve((await ask(guarded)).token);
      const answers = await Promise.all(Array.from({ length: 10 }, () => open(guarded, solved)));
      const refused = answers.filter(({ status }) => status === 403);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(refused.map(({ body }) => body.error)).toEqual(Array.from({ length: 9 }, () => INVALID));
    });

    it('is not used up by a request that is refused for something else', async () => {
      const solved = solve((await ask(guarded)).token);
      await open(guarded, { ...solved, variables: { name: 'x'.repeat(5_000) } }).expect(422);
      await open(guarded, solved).expect(200);
    });

    it('is good for its assistant alone', async () => {
      const other = await createAssistant(app, owner, { challenge_required: true });
      expect(await refusedAs(guarded, solve((await ask(other)).token))).toBe(INVALID);
    });

    it('is refused unsolved, changed, made up and after its time', async () => {
      const { token } = await ask(guarded);
      expect(await refusedAs(guarded, solve(token, false))).toBe(INVALID);
      expect(await refusedAs(guarded, solve(`${token.slice(0, -4)}AAAA`))).toBe(INVALID);
      expect(await refusedAs(guarded, solve('v1.a.b.c.d'))).toBe(INVALID);
      const late = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_001);
      try {
        expect(await refusedAs(guarded, solve(token))).toBe(INVALID);
      } finally {
        late.mockRestore();
      }
      await open(guarded, solve(token)).expect(200);
    });

    it('is solved by the example of docs/how-to/visitors.md', async () => {
      const document = await readFile('docs/how-to/visitors.md', 'utf8');
      const [, example = ''] = /```js\n([^]*?)```/.exec(document) ?? [];
      const folder = await mkdtemp(join(tmpdir(), 'prosa-visitors-'));
      try {
        const program = join(folder, 'example.mjs');
        const call = `console.log(JSON.stringify(await openConversation(...process.argv.slice(2))));`;
        await writeFile(program, `${example}\n${call}`);
        const { stdout } = await promisify(execFile)(process.execPath, [
          program,
          `${app.origin}/api`,
          guarded.uuid,
        ]);
        expect(JSON.parse(stdout)).toMatchObject({ status: true, conversation_id: expect.any(String) });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
});
