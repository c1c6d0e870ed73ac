import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { until } from '../support/until.js';

const EXAMPLES = new URL('../../packages/client/examples/', import.meta.url);
const PATIENCE_MS = 60_000;

/** The programs that the client's README shows, as an integrator runs them. */
describe('the examples of the TypeScript client', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 1 });
  });
  afterAll(() => app.stop());

  class Program {
    output = '';

    private constructor(readonly child: ChildProcess) {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (piece: Buffer) => (this.output += piece.toString()));
      }
    }

    static start(name: string): Program {
      const file = fileURLToPath(new URL(name, EXAMPLES));
      const env = { ...process.env, NODE_OPTIONS: '', PROSA_URL: app.origin, PROSA_API_KEY: owner.token };
      return new Program(spawn(process.execPath, ['--import', 'tsx', file], { env }));
    }

    async finished(): Promise<string> {
      if (this.child.exitCode === null) await once(this.child, 'exit');
      expect({ code: this.child.exitCode, output: this.output }).toMatchObject({ code: 0 });
      return this.output;
    }
  }

  it(
    'chat with a new assistant',
    async () => {
      const output = await Program.start('chat.ts').finished();
      expect(output).toContain('assistant: Olá! Como posso ajudar?');
      expect(output.split('\n')[2]).toMatch(/^assistant: .*6 horas/);
    },
    PATIENCE_MS,
  );

  it(
    'make a campaign and read how far it is',
    async () => {
      const output = await Program.start('campaign.ts').finished();
      expect(JSON.parse(output)).toMatchObject({ status: 'draft', leads: { total: 2 } });
    },
    PATIENCE_MS,
  );

  it(
    'answer a customer as soon as there is a message',
    async () => {
      const uuid = await openConversation(app, await createAssistant(app, owner));
      const program = Program.start('inbox.ts');
      await until(() => program.output.includes('watching'), PATIENCE_MS);
      await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Alguém aí?' }).expect(200);
      expect(await program.finished()).toContain('answered: ');
      const { body } = await app.http.get(`/api/conversations/${uuid}/messages`).expect(200);
      expect(body.data.at(-1)).toMatchObject({ author: 'agent', content: 'Olá, aqui é a Marta.' });
    },
    PATIENCE_MS,
  );
});
