import { type Check, MISSING_ID, MISSING_UUID, must, mustBe, mustName } from '../check.js';
import type { Body } from '../contract-client.js';

const PAGES = [
  '/api/user/calls',
  '/api/user/leads',
  '/api/user/assistants/get',
  '/api/user/billing/transactions',
  '/api/user/webhook-deliveries',
];
/** A well-formed token that was never issued. */
const WRONG_TOKEN = `prosa_${'A'.repeat(36)}`;

/** Rules of the customer's document for which nothing is to be made. */
export const RULE_CHECKS: readonly Check[] = [
  {
    group: 'Authentication',
    title: 'a wrong key is answered 401 {message}',
    run: async ({ client }) => {
      const body = await client.get('/api/user/me', { status: 401, token: WRONG_TOKEN });
      mustBe('the list of fields', Object.keys(body), ['message']);
    },
  },
  {
    group: 'Authentication',
    title: 'disable AI answers 401 {error: Não autorizado} without a key',
    run: async ({ client }) => {
      const path = `/api/automate/conversations/${MISSING_UUID}/disable-ai`;
      mustBe('the body', await client.post(path, { status: 401, token: null }), { error: 'Não autorizado' });
    },
  },
  {
    group: 'Errors',
    title: 'an unknown route is answered 404 {message}',
    run: async ({ client }) => {
      mustHaveOnly('message', await client.get('/api/user/there-is-no-such-route', { status: 404 }));
    },
  },
  {
    group: 'Errors',
    title: 'malformed JSON is answered 400 {message}',
    run: async ({ client }) => {
      mustHaveOnly('message', await client.post('/api/user/folder', { status: 400, text: '{"name":' }));
    },
  },
  {
    group: 'Errors',
    title: 'update of a missing tool is answered 404 {message: Tool not found}',
    run: async ({ client }) => {
      const body = await client.put(`/api/user/tools/${MISSING_ID}`, { status: 404, body: { timeout: 5 } });
      mustBe('the body', body, { message: 'Tool not found' });
    },
  },
  {
    group: 'Errors',
    title: 'a missing knowledge base is answered 404 {error}',
    run: async ({ client }) => {
      const path = `/api/user/knowledgebases/${MISSING_ID}`;
      mustHaveOnly('error', await client.put(path, { status: 404, body: { name: 'x' } }));
      mustHaveOnly('error', await client.delete(path, { status: 404 }));
    },
  },
  {
    group: 'Errors',
    title: 'a missing lead, folder and assistant are answered 404 {message}',
    run: async ({ client }) => {
      const lead = `/api/user/leads/${MISSING_ID}`;
      mustHaveOnly('message', await client.put(lead, { status: 404, body: { variables: {} } }));
      mustHaveOnly('message', await client.delete(`/api/user/folder/${MISSING_ID}`, { status: 404 }));
      const body = { assistant_id: MISSING_ID };
      const path = '/api/user/assistants/disable-inbound-webhook';
      mustHaveOnly('message', await client.post(path, { status: 404, body }));
    },
  },
  {
    group: 'Errors',
    title: 'a conversation that is not there is answered 404 {status: false, error}',
    run: async ({ client }) => {
      const path = `/api/conversations/${MISSING_UUID}/messages`;
      mustBe('the body', await client.post(path, { status: 404, token: null, body: { message: 'Olá' } }), {
        status: false,
        error: 'Conversation not found',
      });
      mustBe(
        'the body',
        await client.post(`/api/automate/conversations/${MISSING_UUID}/disable-ai`, { status: 404 }),
        { status: false, error: 'Conversa não encontrada' },
      );
    },
  },
  {
    group: 'Validation',
    title: 'what is required and missing is named in errors, with 422',
    run: async ({ client }) => {
      const invalid = (path: string, body: object) => client.post(path, { status: 422, body });
      mustName('name', await invalid('/api/user/api-keys', {}));
      mustName('assistant_id', await invalid('/api/user/assistants/disable-inbound-webhook', {}));
      mustName('name', await invalid('/api/user/tools', {}));
      mustName('name', await invalid('/api/user/tools', { name: 'getWeather' }));
      mustName('system_prompt', await invalid('/api/user/assistant', {}));
      const campaign = await invalid('/api/user/campaigns/update-status', { action: 'begin' });
      mustName('campaign_id', campaign);
      mustName('action', campaign);
    },
  },
  {
    group: 'Validation',
    title: 'calls are refused for a status, a date or a page size that cannot be',
    run: async ({ client }) => {
      for (const [field, value] of [
        ['status', 'asleep'],
        ['type', 'fax'],
        ['date_from', '31-01-2026'],
        ['per_page', '101'],
        ['per_page', '0'],
      ]) {
        mustName(`${field}`, await client.get(`/api/user/calls?${field}=${value}`, { status: 422 }));
      }
    },
  },
  {
    group: 'Reference data',
    title: 'there are languages, and voices and models for pipeline assistants',
    run: async ({ client }) => {
      for (const list of ['languages', 'voices?mode=pipeline', 'models?type=llm']) {
        const path = `/api/user/assistants/${list}`;
        must(((await client.get(path)) as unknown as unknown[]).length > 0, `${path} is empty`);
      }
    },
  },
  ...PAGES.map(pageCheck),
];

function pageCheck(path: string): Check {
  return {
    group: 'Pages',
    title: `${path} has pages with their addresses`,
    run: async ({ client }) => {
      const page = await client.get(`${path}?per_page=1`);
      const {
        total,
        last_page: last,
        links,
        data,
      } = page as { total: number; last_page: number } & {
        links: { url: string | null }[];
        data: unknown[];
      };
      mustBe('current_page', page.current_page, 1);
      mustBe('per_page', page.per_page, 1);
      mustBe('last_page', last, Math.max(total, 1));
      mustBe('the number of rows', data.length, Math.min(total, 1));
      mustBe('prev_page_url', page.prev_page_url, null);
      mustBe('the address of the first link, to the page before', links[0]?.url, null);
      mustBe('the address of the last link, to the next page', links.at(-1)?.url, page.next_page_url);
      must(
        (page.next_page_url === null) === (last === 1),
        'next_page_url is not that of the number of pages',
      );
      const beyond = await client.get(`${path}?per_page=1&page=${last + 1000}`);
      mustBe('data of a page past the end', beyond.data, []);
      mustBe('from and to of a page past the end', [beyond.from, beyond.to], [null, null]);
    },
  };
}

function mustHaveOnly(field: string, body: Body): void {
  mustBe('the list of fields', Object.keys(body), [field]);
  must(typeof body[field] === 'string' && body[field] !== '', `${field} has no text`);
}
