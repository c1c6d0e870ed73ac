import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LimitsConfig } from '../../src/config/config.js';
import {
  type Parties,
  SimulatedPartiesService,
} from '../../src/modules/simulations/running/simulated-parties.service.js';
import { SimulationRunsRepository } from '../../src/modules/simulations/running/simulation-runs.repository.js';
import { SimulationRunsService } from '../../src/modules/simulations/running/simulation-runs.service.js';
import { ModelError } from '../../src/providers/llm/model-error.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, createTool } from '../support/builders.js';
import { setDailyUsage } from '../support/daily-usage.js';
import { ScriptedChatModel, type ScriptedTurn } from '../support/scripted-chat-model.js';

const NO_TOKENS = { inputTokens: null, outputTokens: null };

interface Row {
  readonly status: string;
  readonly attempts: number;
  readonly transcript: readonly { role: string; text: string }[];
}

/** There is no worker here: each test plays the part of one. */
describe('A run of a simulation', () => {
  let app: TestApp;
  let account: TestAccount;
  let assistant: number;
  let simulation: number;
  let run: number;

  beforeAll(async () => {
    app = await TestApp.start();
    account = await app.account();
    const tool = await createTool(app, account, { name: 'book_table', schema: [] });
    ({ id: assistant } = await createAssistant(app, account, { tool_ids: [tool] }));
  });
  beforeEach(async () => {
    const { body } = await app
      .as(account)
      .post(`/api/user/assistant/${assistant}/simulations`)
      .send({
        customer: { type: 'script', lines: ['A que horas a padaria abre?'] },
        checks: [{ type: 'says', text: '6 horas' }],
      })
      .expect(202);
    simulation = body.data.id;
    const [row] = await app.query<{ id: number }>('SELECT id FROM simulation_runs WHERE simulation_id = $1', [
      simulation,
    ]);
    run = row?.id ?? 0;
  });
  afterAll(() => app.stop());

  const runs = () => app.app.get(SimulationRunsService);
  const usedTokens = async () =>
    (
      await app.query<{ tokens: number }>(
        "SELECT amount::integer AS tokens FROM daily_usage WHERE user_id = $1 AND resource = 'simulationTokens'",
        [account.userId],
      )
    )[0]?.tokens ?? 0;
  const rowOf = async () =>
    (
      await app.query<Row>('SELECT status, attempts, transcript FROM simulation_runs WHERE id = $1', [run])
    )[0];
  const read = async () =>
    (await app.as(account).get(`/api/user/simulations/${simulation}`).expect(200)).body;

  it('is played once by workers that are woken for it at the same time', async () => {
    await Promise.all([
      runs().play({ runId: run }),
      runs().play({ runId: run }),
      runs().play({ runId: run }),
    ]);
    await runs().play({ runId: run });
    expect(await rowOf()).toMatchObject({ status: 'passed', attempts: 1 });
    expect(await read()).toMatchObject({ status: 'completed', totals: { passed: 1, pending: 0 } });
  });

  it('is played anew, from its first word, after the process that played it has died', async () => {
    const left = JSON.stringify([{ role: 'assistant', text: 'interrompido', function_calls: [] }]);
    await app.query(
      'UPDATE simulation_runs SET attempts = 1, started_at = now(), transcript = $2 WHERE id = $1',
      [run, left],
    );
    await runs().play({ runId: run });
    const row = await rowOf();
    expect(row).toMatchObject({ status: 'passed', attempts: 2 });
    expect(row?.transcript.map(({ role }) => role)).toEqual(['assistant', 'customer', 'assistant']);
    expect(JSON.stringify(row)).not.toContain('interrompido');
  });

  it('takes no word from a process that was overtaken without knowing', async () => {
    const repository = app.app.get(SimulationRunsRepository);
    const slow = await repository.begin(run);
    const next = await repository.begin(run);
    if (!slow || !next) throw new Error('the run cannot be begun');
    expect(await repository.save(slow, [], NO_TOKENS)).toBe(false);
    expect(await repository.save(next, [], NO_TOKENS)).toBe(true);
    await runs().play({ runId: run });
    expect(await repository.save(next, [], NO_TOKENS)).toBe(false);
    expect(await repository.begin(run)).toBeNull();
  });

  it('is given up after five starts without an end, and says so', async () => {
    await app.query('UPDATE simulation_runs SET attempts = 5 WHERE id = $1', [run]);
    await runs().play({ runId: run });
    const { status, totals, results } = await read();
    expect({ status, totals }).toMatchObject({ status: 'completed', totals: { errors: 1, passed: 0 } });
    expect(results[0]).toMatchObject({
      status: 'error',
      error: 'A conversa foi interrompida vezes demais.',
      checks: [],
    });
  });

  it('stops when the tokens of the day are used up during the run, and says so', async () => {
    await setDailyUsage(app, account.userId, { resource: 'simulationTokens', amount: 2_000_000 });
    try {
      jest.replaceProperty(app.app.get(LimitsConfig), 'enabled', true);
      await runs().play({ runId: run });
    } finally {
      jest.restoreAllMocks();
      await setDailyUsage(app, account.userId, { resource: 'simulationTokens', amount: 0 });
    }
    const { status, totals, results } = await read();
    expect({ status, totals }).toMatchObject({ status: 'completed', totals: { errors: 1, failed: 0 } });
    expect(results[0].error).toBe(
      'As simulações da sua conta usaram hoje (UTC) os 2000000 tokens que podem usar por dia.',
    );
  });

  it('counts the tokens of each attempt into the day, also of one that breaks off', async () => {
    const parties = app.app.get(SimulatedPartiesService);
    const ofParties = parties.of.bind(parties);
    const counting = jest.spyOn(parties, 'of').mockImplementation(async (begun, onUsage, beforeRealCall) => {
      onUsage({ inputTokens: 70, cachedInputTokens: null, outputTokens: 30 });
      return ofParties(begun, onUsage, beforeRealCall);
    });
    const before = await usedTokens();
    await runs().play({ runId: run });
    expect((await usedTokens()) - before).toBe(100);
    await app.query("UPDATE simulation_runs SET status = 'pending', finished_at = NULL WHERE id = $1", [run]);
    counting.mockImplementation((_begun, onUsage) => {
      onUsage({ inputTokens: 5, cachedInputTokens: null, outputTokens: 0 });
      return Promise.reject(new ModelError('unavailable'));
    });
    await expect(runs().play({ runId: run })).rejects.toBeInstanceOf(ModelError);
    expect((await usedTokens()) - before).toBe(105);
    counting.mockRestore();
  });

  describe('that calls real tools', () => {
    const call: ScriptedTurn = { calls: [{ name: 'book_table' }] };
    const failing: ScriptedTurn = { fails: new ModelError('unavailable') };

    beforeEach(() =>
      app.query(`UPDATE simulations SET scenario = scenario || '{"tools": "real"}' WHERE id = $1`, [
        simulation,
      ]),
    );
    afterEach(() => {
      jest.restoreAllMocks();
    });

    /** Has the assistant speak with this script. */
    function scripted(...turns: readonly ScriptedTurn[]): ScriptedChatModel {
      const model = ScriptedChatModel.saying(...turns);
      const parties = app.app.get(SimulatedPartiesService);
      const ofParties = parties.of.bind(parties);
      jest.spyOn(parties, 'of').mockImplementation(async (...given): Promise<Parties | null> => {
        const found = await ofParties(...given);
        return found && { ...found, chatModel: model };
      });
      return model;
    }

    it('is not played anew when the model fails after one, and is when it fails before', async () => {
      const model = scripted(failing, call, failing, failing);
      await expect(runs().play({ runId: run })).rejects.toBeInstanceOf(ModelError);
      expect(await rowOf()).toMatchObject({ status: 'pending' });

      await runs().play({ runId: run });
      await runs().play({ runId: run });
      expect(model.requests).toHaveLength(4);
      expect((await read()).results[0]).toMatchObject({
        status: 'error',
        error: expect.stringContaining('O modelo não respondeu'),
      });
    });

    it('is ended, with what was said, when its process has died after one', async () => {
      const model = scripted(call, { text: 'Reservado.' });
      jest.spyOn(app.app.get(SimulationRunsRepository), 'finish').mockRejectedValueOnce(new Error('killed'));
      await expect(runs().play({ runId: run })).rejects.toThrow('killed');
      expect(await rowOf()).toMatchObject({ status: 'pending' });

      await runs().play({ runId: run });
      expect(model.requests).toHaveLength(2);
      const { results } = await read();
      expect(results[0]).toMatchObject({
        status: 'error',
        error: expect.stringContaining('depois de chamar ferramentas reais'),
      });
      expect(JSON.stringify(results[0].transcript)).toContain('Reservado.');
    });
  });

  it('is deleted with its simulation thirty days after its end, and not before', async () => {
    await runs().play({ runId: run });
    const age = (days: number) =>
      app.query('UPDATE simulations SET finished_at = now() - make_interval(days => $2) WHERE id = $1', [
        simulation,
        days,
      ]);
    await age(29);
    await runs().sweep();
    expect(await rowOf()).toBeDefined();
    await age(31);
    await runs().sweep();
    expect(await rowOf()).toBeUndefined();
  });
});
