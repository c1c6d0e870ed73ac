import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { Transactions } from '../../src/database/transactions.js';
import { DialClaimsRepository } from '../../src/modules/campaigns/dialler/claims/dial-claims.repository.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createStartableCampaign } from '../support/campaign-builders.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

let app: TestApp;
let owner: TestAccount;
let claims: DialClaimsRepository;

beforeAll(async () => {
  app = await TestApp.start();
  owner = await app.account({ balanceUsd: 5 });
  claims = new DialClaimsRepository(app.app.get(Database));
}, 60_000);

afterAll(() => app.stop());

interface Window {
  readonly timezone: string;
  readonly days: readonly string[];
  readonly from: string;
  readonly until: string;
}

async function campaignWith({ timezone, days, from, until }: Window): Promise<number> {
  const id = await createStartableCampaign(app, owner);
  await app.query(
    `UPDATE campaigns SET status = 'in-progress', timezone = $2, allowed_days = $3,
       allowed_hours_start_time = $4, allowed_hours_end_time = $5 WHERE id = $1`,
    [id, timezone, days, from, until],
  );
  // Due since long before any moment of the test.
  await app.query("UPDATE lead_dials SET due_at = '2020-01-01' WHERE campaign_id = $1", [id]);
  return id;
}

/** The same question, answered without the database: by the calendar that the JavaScript engine brings along. */
function isInside({ timezone, days, from, until }: Window, at: Date): boolean {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const time = `${parts.hour}:${parts.minute}:${parts.second}`;
  return days.includes((parts.weekday ?? '').toLowerCase()) && time >= from && time < until;
}

/** Whether a lead can be claimed at that moment, by the very statements of the gate. */
function mayDial(campaignId: number, at: Date): Promise<boolean> {
  return app.app.get(Transactions).run(async (tx) => {
    const campaign = await claims.lockOpen(campaignId, at, tx);
    return campaign !== null && (await claims.pickDue(campaign, at, 1, [], tx)).length > 0;
  });
}

async function compare(window: Window, fromMs: number, hours: number, stepMs: number) {
  const id = await campaignWith(window);
  const wrong: string[] = [];
  let inside = 0;
  let outside = 0;
  for (let ms = fromMs; ms < fromMs + hours * HOUR_MS; ms += stepMs) {
    const at = new Date(ms);
    const expected = isInside(window, at);
    const [dials, listed] = await Promise.all([
      mayDial(id, at),
      claims.dialling(at, 1).then((open) => open.some(({ campaignId }) => campaignId === id)),
    ]);
    if (dials !== expected || listed !== expected) wrong.push(at.toISOString());
    if (expected) inside++;
    else outside++;
  }
  return { wrong, inside, outside };
}

const OFFICE = { days: WEEKDAYS, from: '09:00:00', until: '18:00:00' };

describe('the hours and days of a campaign', () => {
  it('are Monday to Friday, 9 to 18 o’clock of São Paulo, over a whole week', async () => {
    const window = { timezone: 'America/Sao_Paulo', ...OFFICE };
    const { wrong, inside, outside } = await compare(window, Date.UTC(2026, 10, 14), 9 * 24, 20 * MINUTE_MS);
    expect(wrong).toEqual([]);
    expect(inside).toBeGreaterThan(100);
    expect(outside).toBeGreaterThan(300);
  }, 60_000);

  it.each([
    ['sets its clocks forward', Date.UTC(2026, 2, 28, 12)],
    ['sets its clocks back', Date.UTC(2026, 9, 24, 12)],
  ])(
    'follow Lisbon when it %s',
    async (_change, fromMs) => {
      const window = {
        timezone: 'Europe/Lisbon',
        days: [...WEEKDAYS, 'sunday'],
        from: '00:30:00',
        until: '09:00:00',
      };
      const { wrong, inside, outside } = await compare(window, fromMs, 48, 10 * MINUTE_MS);
      expect(wrong).toEqual([]);
      expect(inside).toBeGreaterThan(50);
      expect(outside).toBeGreaterThan(50);
    },
    60_000,
  );

  it('begin with their first second and end before their last one', async () => {
    const id = await campaignWith({ timezone: 'America/Sao_Paulo', ...OFFICE });
    const at = (time: string) => mayDial(id, new Date(`2026-11-16T${time}-03:00`));
    expect(await at('08:59:59')).toBe(false);
    expect(await at('09:00:00')).toBe(true);
    expect(await at('17:59:59')).toBe(true);
    expect(await at('18:00:00')).toBe(false);
  });

  it.each(['Canada/East-Saskatchewan', '-03:00', 'BST'])(
    'never come in the zone %s, which the database does not know, and others dial on',
    async (timezone) => {
      const id = await campaignWith({ timezone: 'UTC', ...OFFICE });
      const strange = await campaignWith({ timezone, ...OFFICE });
      const noon = new Date('2026-11-16T12:00:00Z');
      expect(await mayDial(strange, noon)).toBe(false);
      const open = (await claims.dialling(noon, 1)).map(({ campaignId }) => campaignId);
      expect(open).toContain(id);
      expect(open).not.toContain(strange);
    },
  );
});

describe('GET /api/user/campaigns/{id}/progress', () => {
  it('counts leads and attempts', async () => {
    const id = await createStartableCampaign(app, owner);
    const { body } = await app.as(owner).get(`/api/user/campaigns/${id}/progress`).expect(200);
    expect(body).toEqual({
      campaign_id: id,
      status: 'draft',
      leads: { total: 1, completed: 0, reached_max_retries: 0, waiting: 1, running: 0 },
      attempts: { total: 0, answered: 0, voicemail: 0, busy: 0, no_answer: 0, failed: 0, unknown: 0 },
      rate_per_minute: 0,
      estimated_end: null,
      dialling_paused: null,
    });
  });

  it('sends events until the campaign does not run', async () => {
    const id = await createStartableCampaign(app, owner);
    const { headers, text } = await app
      .as(owner)
      .get(`/api/user/campaigns/${id}/progress`)
      .set('Accept', 'text/event-stream')
      .expect(200);
    expect(headers['content-type']).toContain('text/event-stream');
    expect(text.match(/^event: .*$/gm)).toEqual(['event: progress', 'event: end']);
  });

  it.each(['application/json', 'text/event-stream'])('is not found for a stranger, as %s', async (accept) => {
    const id = await createStartableCampaign(app, owner);
    const stranger = await app.account();
    const { body } = await app
      .as(stranger)
      .get(`/api/user/campaigns/${id}/progress`)
      .set('Accept', accept)
      .expect(404);
    expect(body).toEqual({ message: 'Campanha não encontrada' });
  });
});
