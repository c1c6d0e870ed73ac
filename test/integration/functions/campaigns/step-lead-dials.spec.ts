import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const HOUR_AGO = sql("now() - interval '1 hour'");

describe('step_lead_dials', () => {
  let userId: number;
  let campaignId: number;

  beforeEach(async () => {
    userId = await build.account();
    campaignId = await build.id('campaigns', { user_id: userId });
  });

  const addLead = async (lead: Values = {}, dial: Values = {}) => {
    const id = await build.id('leads', {
      user_id: userId,
      campaign_id: campaignId,
      updated_at: HOUR_AGO,
      ...lead,
    });
    await build.add('lead_dials', {
      lead_id: id,
      user_id: userId,
      campaign_id: campaignId,
      state: 'calling',
      due_at: HOUR_AGO,
      ...dial,
    });
    return id;
  };
  /** A contact that is called only when the ones before it were not reached. */
  const addContact = (parentId: number, position: number, dial: Values = {}) =>
    addLead({ parent_id: parentId, position }, { state: 'waiting', due_at: null, ...dial });
  const step = (...steps: readonly (readonly [leadId: number, step: string | null, waitMs?: number])[]) =>
    database.rows(
      'SELECT step_lead_dials($1, $2, $3)',
      steps.map(([id]) => id),
      steps.map(([, name]) => name),
      steps.map(([, , waitMs]) => waitMs ?? null),
    );
  const read = (id: number) =>
    database.row(
      `SELECT state, status, extract(epoch FROM due_at - now())::float8 AS due, leads.updated_at = now() AS updated
       FROM leads JOIN lead_dials ON lead_id = id WHERE id = $1`,
      id,
    );
  const CALLING = { state: 'calling', status: 'created', due: -3600, updated: false };
  const NOT_DUE = { state: 'waiting', status: 'created', due: null, updated: false };

  it.each([
    { name: 'retry', after: { state: 'waiting', status: 'created', due: 1.5, updated: false } },
    { name: 'completed', after: { state: 'done', status: 'completed', due: -3600, updated: true } },
    { name: 'give-up', after: { state: 'done', status: 'reached-max-retries', due: -3600, updated: true } },
    { name: 'unclear', after: { state: 'done', status: 'reached-max-retries', due: -3600, updated: true } },
    { name: null, after: CALLING },
  ])('moves a lead by the step $name, and no other lead', async ({ name, after }) => {
    const id = await addLead();
    const other = await addLead();
    await step([id, name, 1_500]);
    expect(await read(id)).toEqual(after);
    expect(await read(other)).toEqual(CALLING);
  });

  it('moves several leads, each by its own step', async () => {
    const [retried, completed, unmoved] = [await addLead(), await addLead(), await addLead()];
    await step([retried, 'retry', 2_000], [completed, 'completed'], [unmoved, null]);
    expect(await read(retried)).toMatchObject({ state: 'waiting', due: 2 });
    expect(await read(completed)).toMatchObject({ state: 'done', status: 'completed' });
    expect(await read(unmoved)).toEqual(CALLING);
  });

  describe('when a lead is given up', () => {
    it('makes its first contact due, and no later contact', async () => {
      const id = await addLead();
      const second = await addContact(id, 2);
      const first = await addContact(id, 1);
      await step([id, 'give-up']);
      expect(await read(first)).toEqual({ ...NOT_DUE, due: 0 });
      expect(await read(second)).toEqual(NOT_DUE);
    });

    it('makes the contact after the given-up contact due, and no contact before it', async () => {
      const id = await addLead({}, { state: 'done' });
      const before = await addContact(id, 1);
      const given = await addContact(id, 2, { state: 'calling' });
      const same = await addContact(id, 2);
      const next = await addContact(id, 3);
      await step([given, 'give-up']);
      expect(await read(before)).toEqual(NOT_DUE);
      expect(await read(same)).toEqual(NOT_DUE);
      expect(await read(next)).toEqual({ ...NOT_DUE, due: 0 });
    });

    it.each([
      { title: 'is done', dial: { state: 'done' } },
      { title: 'is being called', dial: { state: 'calling' } },
      { title: 'has its time', dial: { due_at: sql("now() + interval '1 hour'") } },
    ])('passes over a contact that $title', async ({ dial }) => {
      const id = await addLead();
      const passed = await addContact(id, 1, dial);
      const before = await read(passed);
      const next = await addContact(id, 2);
      await step([id, 'give-up']);
      expect(await read(passed)).toEqual(before);
      expect(await read(next)).toEqual({ ...NOT_DUE, due: 0 });
    });

    it('leaves the contacts of other leads, also of those that another step moves', async () => {
      const id = await addLead();
      const retried = await addLead();
      const contact = await addContact(retried, 1);
      const foreign = await addContact(await addLead(), 1);
      await step([id, 'give-up'], [retried, 'retry', 1_000]);
      expect(await read(contact)).toEqual(NOT_DUE);
      expect(await read(foreign)).toEqual(NOT_DUE);
    });
  });

  it.each(['retry', 'completed', 'unclear'])('makes no contact due by the step %s', async (name) => {
    const id = await addLead();
    const contact = await addContact(id, 1);
    await step([id, name, 1_000]);
    expect((await read(contact)).due).toBeNull();
  });

  describe.each(['completed', 'unclear'])('when the outcome is %s', (name) => {
    it('calls off the contacts that wait, whose leads stay created', async () => {
      const id = await addLead();
      const first = await addContact(id, 1);
      const second = await addContact(id, 2);
      const foreign = await addContact(await addLead(), 1);
      await step([id, name]);
      expect(await read(first)).toEqual({ ...NOT_DUE, state: 'done' });
      expect(await read(second)).toEqual({ ...NOT_DUE, state: 'done' });
      expect(await read(foreign)).toEqual(NOT_DUE);
    });

    it("calls off the contacts of a contact's lead", async () => {
      const id = await addLead({}, { state: 'done' });
      const reached = await addContact(id, 1, { state: 'calling', due_at: HOUR_AGO });
      const next = await addContact(id, 2);
      await step([reached, name]);
      expect(await read(next)).toEqual({ ...NOT_DUE, state: 'done' });
    });

    it.each([
      { title: 'is being called', dial: { state: 'calling' } },
      { title: 'has its time', dial: { due_at: sql("now() + interval '1 hour'") } },
    ])('leaves a contact that $title', async ({ dial }) => {
      const id = await addLead();
      const left = await addContact(id, 1, dial);
      const before = await read(left);
      await step([id, name]);
      expect(await read(left)).toEqual(before);
    });

    it('leaves the contacts of a lead that is tried again at the same time', async () => {
      const retried = await addLead();
      const contact = await addContact(retried, 1);
      await step([await addLead(), name], [retried, 'retry', 1_000]);
      expect(await read(contact)).toEqual(NOT_DUE);
    });
  });
});
