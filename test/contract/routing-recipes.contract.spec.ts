import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { addPhoneNumber } from '../support/campaign-builders.js';

/** The assistant of the night has this id on the page. */
const NIGHT_ON_PAGE = 9;
/** In São Paulo: a Monday at noon and at night, and Christmas Eve at noon. */
const MONDAY = '2026-12-21T15:00:00Z';
const MONDAY_NIGHT = '2026-12-22T02:00:00Z';
const CHRISTMAS_EVE = '2026-12-24T15:00:00Z';

describe('the recipes of docs/how-to/answer-every-call.md', () => {
  let app: TestApp;
  let owner: TestAccount;
  let numberId: number;
  let night: number;
  /** The bodies of the page by the heading above them. */
  let recipes: ReadonlyMap<string, string>;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 10 });
    numberId = await addPhoneNumber(app, owner);
    await createAssistant(app, owner, { name: 'Loja', type: 'inbound', phone_number_id: numberId });
    night = (await createAssistant(app, owner, { name: 'Noite', type: 'inbound' })).id;
    const page = await readFile('docs/how-to/answer-every-call.md', 'utf8');
    const sections = page.split(/^## /m).slice(1);
    recipes = new Map(
      sections.flatMap((section) => {
        const body = /-d '([^']*)'/.exec(section)?.[1];
        return body === undefined ? [] : [[section.split('\n')[0] ?? '', body]];
      }),
    );
  }, 60_000);
  afterAll(() => app.stop());

  const path = () => `/api/user/phone-numbers/${numberId}/routing`;
  async function follow(heading: string): Promise<void> {
    const body = JSON.parse(recipes.get(heading) ?? '', (key, value: unknown) =>
      key === 'assistant_id' && value === NIGHT_ON_PAGE ? night : value,
    ) as object;
    await app.as(owner).put(path()).send(body).expect(200);
  }
  const meets = async (at: string) =>
    (await app.as(owner).post(`${path()}/test`).send({ customer_phone: '+5511987650000', at }).expect(200))
      .body.data as Record<string, unknown>;

  it('are all tested', () => {
    expect([...recipes.keys()]).toEqual([
      'After hours: another assistant',
      'Overflow: a call centre',
      'Let callers wait',
      'Emergency: one message for everyone',
    ]);
  });

  it('have another assistant answer after hours', async () => {
    await follow('After hours: another assistant');
    expect(await meets(MONDAY)).toMatchObject({ branch: 'open', assistant_name: 'Loja' });
    expect(await meets(MONDAY_NIGHT)).toMatchObject({ branch: 'closed', assistant_name: 'Noite' });
    expect(await meets('2026-12-25T15:00:00Z')).toMatchObject({
      reason: 'closed_date',
      assistant_name: 'Noite',
    });
  });

  it('send what no assistant can answer to a call centre, and leave the hours as they were', async () => {
    await follow('Overflow: a call centre');
    expect(await meets(MONDAY_NIGHT)).toMatchObject({ branch: 'closed', assistant_name: 'Noite' });
    await app.query(
      "UPDATE assistants SET status = 'inactive', activates_by_use = false WHERE user_id = $1",
      [owner.userId],
    );
    for (const at of [MONDAY, MONDAY_NIGHT])
      expect(await meets(at)).toMatchObject({
        branch: 'unavailable',
        action: 'forward',
        phone_number: '+551130000009',
      });
    await app.query("UPDATE assistants SET status = 'active' WHERE user_id = $1", [owner.userId]);
  });

  it('let callers wait, and send those who waited too long to a call centre', async () => {
    await follow('Let callers wait');
    expect((await app.as(owner).get(path()).expect(200)).body.data).toMatchObject({
      queue: { max_waiting: 5, max_seconds: 120, message: 'Um momento, já vamos atender.' },
      unavailable: { action: 'forward', phone_number: '+551130000009' },
    });
    expect(await meets(MONDAY)).toMatchObject({ branch: 'open', assistant_name: 'Loja' });
    await app.as(owner).put(path()).send({ queue: null }).expect(200);
  });

  it('speak a message to everyone on the day of an emergency, and on no other', async () => {
    await follow('Emergency: one message for everyone');
    expect(await meets(CHRISTMAS_EVE)).toMatchObject({
      branch: 'closed',
      action: 'message',
      reason: 'closed_date',
      text: expect.stringContaining('sem energia'),
    });
    expect(await meets(MONDAY)).toMatchObject({ branch: 'open', assistant_name: 'Loja' });
  });
});
