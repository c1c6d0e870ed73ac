import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  type Look,
  overflowOf,
  problemsOf,
  setScheme,
  TestBrowser,
} from '../support/browser.js';
import { createAssistant } from '../support/builders.js';
import { addPhoneNumber } from '../support/campaign-builders.js';
import { addConsoleRows, addMeasuredCalls, type ConsoleRows } from '../support/console-rows.js';
import { FakeModelServer } from '../support/fake-model-server.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { McpTestServer, mcpToolNamed } from '../support/mcp-server.js';
import { DeepgramFake } from '../support/speech-fakes/deepgram-fake.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
const LONG = 'Contatos da Padaria Central com um nome que não cabe em uma linha só de 320 pixels';
const PASSAGE = {
  text: 'A padaria abre às 6 horas, também aos domingos.',
  score: 0.83,
  document_id: 1,
  source: 'horários.pdf',
  heading: 'Horários',
  url: null,
  page: 3,
};
const OUTCOME = {
  request: { method: 'GET', url: 'https://api.example.com/weather/Campinas', body: null },
  answer: { status: 200, headers: {}, body: '{"forecast":"sol"}', duration_ms: 42, truncated: false },
  result: '{"forecast":"sol"}',
};

describeInBrowser('The screens that build and call', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let rows: ConsoleRows;
  let assistant: number;
  let dataDir: string;
  const deepgram = new DeepgramFake();

  beforeAll(async () => {
    await buildPages();
    await deepgram.start();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-pages-'));
    [app, browser] = await Promise.all([
      TestApp.start({
        PROSA_ROLES: 'api,worker',
        DATA_DIR: dataDir,
        EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
        DEEPGRAM_BASE_URL: deepgram.url,
      }),
      TestBrowser.start(),
    ]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    const phoneNumber = await addPhoneNumber(app, owner);
    assistant = (await createAssistant(app, owner, { phone_number_id: phoneNumber })).id;
    await addMeasuredCalls(app, owner, assistant);
    rows = await addConsoleRows(app, owner, ['Renovação', LONG, `${LONG.replaceAll(' ', '')}.pdf`]);
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await deepgram.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** A part of a page, by its title. */
  const cardOf = (page: Page, name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name }) });

  async function signedIn(look: Look, { email } = owner): Promise<Page> {
    const page = await browser.signIn(app.origin, { email, password: PASSWORD }, look);
    return page;
  }

  it.each([
    ['pt-BR', 1280],
    ['en-US', 320],
  ] as const)(
    'have no barrier that axe knows, light and dark, %s, %i wide',
    async (locale, width) => {
      const { campaign, lead, knowledgebase, tool, delivery, mcpServer } = rows;
      const page = await signedIn({ locale, width });
      const findings: Record<string, string[]> = {};
      for (const path of [
        '/analytics',
        '/campaigns',
        '/campaigns/new',
        `/campaigns/${campaign}`,
        `/campaigns/${campaign}?lead=${lead}`,
        '/knowledge',
        `/knowledge/${knowledgebase}`,
        '/tools',
        '/tools/new',
        `/tools/${tool}`,
        '/numbers',
        '/webhooks',
        `/webhooks?delivery=${delivery}`,
        '/mcp-servers',
        `/mcp-servers/${mcpServer}`,
        '/do-not-call',
        '/simulations',
        '/members',
        '/keys',
        '/audit',
        '/privacy',
        '/settings',
      ]) {
        await page.goto(`/app${path}`);
        // What is read is a heading, or a drawer over it; what is still loading has neither.
        await page
          .locator(path.includes('=') ? '[role=dialog] [class]' : 'h1')
          .first()
          .waitFor();
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
        const found = await accessibilityFindings(page);
        await setScheme(page, 'dark');
        found.push(...(await accessibilityFindings(page, ['color-contrast'])).map((line) => `dark ${line}`));
        await setScheme(page, 'light');
        const overflow = await overflowOf(page);
        if (overflow > 0) found.push(`${overflow} px too wide`);
        if (found.length > 0) findings[path] = found;
      }
      expect(findings).toEqual({});
      expect(problemsOf(page)).toEqual([]);
    },
    240_000,
  );

  it.each([
    ['pt-BR', 1280, 'Histórico de versões', 'Pergunta', 'Enviar teste'],
    ['en-US', 640, 'Version history', 'Question', 'Send a test request'],
  ] as const)(
    'have none in what is opened on them, %s, %i wide',
    async (locale, width, versions, question, send) => {
      const { knowledgebase, tool } = rows;
      const prompt = 'Você atende os clientes da Padaria Central.\nA padaria abre às 7 horas.';
      await app.as(owner).put(`/api/user/assistant/${assistant}`).send({ system_prompt: prompt }).expect(200);
      const page = await signedIn({ locale, width });
      const findings: Record<string, string[]> = {};
      const look = async (name: string) => {
        const found = await accessibilityFindings(page);
        await setScheme(page, 'dark');
        found.push(...(await accessibilityFindings(page, ['color-contrast'])).map((line) => `dark ${line}`));
        await setScheme(page, 'light');
        const overflow = await overflowOf(page);
        if (overflow > 0) found.push(`${overflow} px too wide`);
        if (found.length > 0) findings[name] = found;
      };
      await page.goto(`/app/assistants/${assistant}`);
      await page.getByRole('button', { name: versions }).click();
      await page.getByRole('dialog').getByRole('listitem').last().getByRole('button').click();
      await page.getByRole('dialog').getByText('abre às 6 horas').waitFor();
      await look('versions of a prompt');

      await page.route('**/search', (route) => route.fulfill({ json: { data: [PASSAGE, PASSAGE] } }));
      await page.goto(`/app/knowledge/${knowledgebase}`);
      await page.getByLabel(question).fill('Quando abre?');
      await page.keyboard.press('Enter');
      await page.getByText(PASSAGE.text).first().waitFor();
      await look('passages');

      await page.route('**/tools/*/test', (route) => route.fulfill({ json: { data: OUTCOME } }));
      await page.goto(`/app/tools/${tool}`);
      await page.getByRole('button', { name: send }).click();
      await page.getByText('HTTP 200').waitFor();
      await look('test of a tool');
      expect(findings).toEqual({});
      expect(problemsOf(page)).toEqual([]);
    },
    240_000,
  );

  it('register an address for events, show its secret, test it and show what came of it', async () => {
    const receiver = await LocalServer.start((_request, response) => answerJson(response, { ok: true }));
    const page = await signedIn({});
    await page.route('**/api/user/webhook-events', async (route) => {
      const response = await route.fetch();
      const ofPlugin = { kind: 'appointments.booked', for_endpoints: true };
      await route.fulfill({ response, json: [...(await response.json()), ofPlugin] });
    });
    await page.goto('/app/webhooks');
    await page.getByRole('button', { name: 'Adicionar endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(`${receiver.url}/eventos`);
    await dialog.getByLabel('Descrição').fill('Loja');
    await dialog.getByRole('switch', { name: 'Todos os eventos' }).press('Space');
    await dialog.getByLabel('appointments.booked').check();
    await dialog.getByLabel('appointments.booked').uncheck();
    await dialog.getByLabel('Ligação encerrada').check();
    expect(await dialog.getByLabel('Teste').count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Criar' }).click();
    const secret = await dialog.getByLabel('Segredo', { exact: true }).innerText();
    expect(await accessibilityFindings(page)).toEqual([]);
    const { body: all } = await app.as(owner).get('/api/user/webhook-endpoints').expect(200);
    const made = all.at(-1);
    expect(made).toMatchObject({ url: `${receiver.url}/eventos`, events: ['call.ended'] });
    const stored = await app.as(owner).get(`/api/user/webhook-endpoints/${made.id}/secret`).expect(200);
    expect(secret).toBe(stored.body.secret);
    await dialog.getByRole('button', { name: 'Copiar' }).click();
    await dialog.getByRole('button', { name: 'Concluir' }).click();

    await page.getByRole('button', { name: 'Testar: Loja' }).click();
    const drawer = page.getByRole('dialog', { name: 'Envio' });
    await drawer.getByText('Entregue', { exact: true }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(receiver.requests.map(({ body }) => JSON.parse(body).type)).toEqual(['webhook.test']);
    await drawer.getByRole('button', { name: 'Fechar' }).click();

    await page.getByRole('button', { name: 'Mais ações: Loja' }).click();
    await page.getByRole('menuitem', { name: 'Segredo' }).click();
    await dialog.getByRole('button', { name: 'Trocar segredo' }).click();
    await dialog.getByRole('button', { name: 'Trocar agora' }).click();
    await dialog.getByText(/^O segredo anterior/).waitFor();
    expect(await dialog.getByLabel('Segredo', { exact: true }).innerText()).not.toBe(secret);
    await dialog.getByRole('button', { name: 'Copiar' }).click();
    await dialog.getByRole('button', { name: 'Concluir' }).click();

    await page.getByRole('button', { name: 'Mais ações: Loja' }).click();
    await page.getByRole('menuitem', { name: 'Ver envios' }).click();
    await page.waitForURL(`**/webhooks?endpoint=${made.id}`);
    await page.getByRole('row', { name: /Teste/ }).waitFor();
    await page.goto('/app/audit?action=rotateWebhookEndpointSecret');
    await page.getByRole('cell', { name: /Trocou o segredo de um endpoint/ }).waitFor();
    await page.getByRole('cell', { name: 'Proprietário' }).waitFor();
    expect(problemsOf(page)).toEqual([]);
    await receiver.stop();
  }, 120_000);

  it('add an MCP server, allow its tools one by one and give them to an assistant', async () => {
    const server = await McpTestServer.start();
    const page = await signedIn({});
    await page.goto('/app/mcp-servers');
    await page.getByRole('button', { name: 'Novo servidor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nome', { exact: true }).fill('loja');
    await dialog.getByLabel('URL').fill(server.url);
    await dialog.getByRole('button', { name: 'Criar' }).click();
    await page.getByRole('heading', { level: 1, name: 'loja' }).waitFor();
    await page.getByText('Ferramentas ainda não carregadas').waitFor();

    server.behaviour.list = () => ({ tools: 'all of them' });
    const refresh = page.getByRole('button', { name: 'Atualizar ferramentas' }).first();
    await refresh.click();
    const failure = page.getByRole('alert').filter({ hasText: 'A resposta não é MCP válido' });
    await failure.waitFor();
    expect(await failure.getByText('did not answer with a list').count()).toBe(0);

    server.behaviour.list = () => ({
      tools: [mcpToolNamed('buscar'), mcpToolNamed('apagar'), { name: 'vazia' }],
    });
    await refresh.click();
    const tool = page.getByRole('listitem').filter({ hasText: 'buscar' });
    await tool.getByText('Nova', { exact: true }).waitFor();
    await page.getByText('o esquema não é um objeto').waitFor();
    await page.getByRole('button', { name: 'Permitir: buscar' }).click();
    await tool.getByText('Permitida', { exact: true }).waitFor();
    expect(await page.getByText('Permitida', { exact: true }).count()).toBe(1);

    // It changes between the look and the permission: nothing that was not seen is allowed.
    const { body: servers } = await app.as(owner).get('/api/user/mcp-servers').expect(200);
    const { id } = servers.find(({ name }: { name: string }) => name === 'loja');
    server.behaviour.list = () => ({
      tools: [
        mcpToolNamed('buscar', { description: 'Apaga tudo' }),
        mcpToolNamed('apagar', { description: 'Apaga tudo' }),
      ],
    });
    await app.as(owner).post(`/api/user/mcp-servers/${id}/refresh`).expect(200);
    await page.getByRole('button', { name: 'Permitir: apagar' }).click();
    await page.getByRole('alert').getByText(/mudou/i).first().waitFor();
    await tool.getByText('Alterada', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Permitir: buscar' }).click();
    await tool.getByText('Permitida', { exact: true }).waitFor();

    server.behaviour.any = (_request, response) => void response.writeHead(502).end();
    await refresh.click();
    await page.getByText('Não foi possível carregar as ferramentas').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.goto(`/app/assistants/${assistant}?tab=abilities`);
    await page.getByRole('heading', { name: 'Ferramentas MCP' }).waitFor();
    const section = page.locator('section').filter({ hasText: 'Ferramentas MCP' }).last();
    await section.getByLabel('Ferramentas', { exact: true }).click();
    await page.getByRole('option', { name: 'mcp-loja-buscar' }).click();
    await page.keyboard.press('Escape');
    await section.getByRole('button', { name: 'Aplicar ferramentas' }).click();
    await page.getByText('Ferramentas MCP salvas').waitFor();
    const { body: own } = await app.as(owner).get(`/api/user/assistant/${assistant}/mcp-tools`).expect(200);
    expect(own).toMatchObject([{ function_name: 'mcp-loja-buscar' }]);
    expect(problemsOf(page)).toEqual([]);
    await server.stop();
  }, 120_000);

  it('export what is held about a person, and erase it once that is confirmed', async () => {
    const page = await signedIn({});
    const [{ phone }] = (await app.query(
      `SELECT phone_number AS phone FROM leads WHERE id = ${rows.lead}`,
    )) as [{ phone: string }];
    await page.goto('/app/privacy');
    const number = page.getByLabel('Número de telefone');
    await number.fill('12');
    await page.getByRole('button', { name: 'Exportar dados' }).click();
    // At the field, in the words of the API.
    await page.locator('input[type=tel][aria-invalid=true]').waitFor();
    // The question opens when it is asked for, and not while the number is corrected.
    await page.getByRole('button', { name: 'Apagar dados' }).click();
    const refused = page.getByRole('dialog', { name: 'Apagar os dados de 12?' });
    await refused.getByRole('button', { name: 'Apagar dados' }).click();
    await refused.waitFor({ state: 'hidden' });
    await number.pressSequentially('3');
    await page.waitForTimeout(500);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await number.fill(phone);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exportar dados' }).click(),
    ]);
    const held = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(held).toMatchObject({ phone_number: phone, complete: true });
    expect(held.records).toContainEqual(expect.objectContaining({ kind: 'lead' }));

    await page.getByRole('button', { name: 'Apagar dados' }).click();
    const dialog = page.getByRole('dialog', { name: `Apagar os dados de ${phone}?` });
    await dialog.getByLabel('Manter documentos que citam o número').check();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await app.query(`SELECT 1 FROM leads WHERE id = ${rows.lead}`)).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Apagar dados' }).click();
    await page.getByText('Dados apagados').waitFor();
    await page.getByText(/Contatos: 1/).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const left = await app.query(
      `SELECT 1 FROM leads WHERE user_id = ${owner.userId} AND phone_number = '${phone}'`,
    );
    expect(left).toEqual([]);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('change the country and the time zone of the account, and tell times by it', async () => {
    const page = await signedIn({});
    await page.goto('/app/settings');
    const save = page.getByRole('button', { name: 'Salvar', exact: true });
    await page.getByRole('combobox', { name: 'País' }).click();
    await page.getByRole('option', { name: 'Portugal', exact: true }).click();
    const zone = page.getByRole('combobox', { name: 'Fuso horário' });
    await zone.fill('Lisbon');
    await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
    await save.click();
    await page.getByText('País e fuso horário salvos').waitFor();
    // A notice can be closed by who does not see its cross.
    await page.getByRole('button', { name: 'Fechar' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const { body } = await app.as(owner).get('/api/user/settings').expect(200);
    expect(body).toEqual({ country: 'PT', timezone: 'Europe/Lisbon', call_sharing: false });
    await page.reload();
    expect(await page.getByRole('combobox', { name: 'País' }).inputValue()).toBe('Portugal');
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('bring a key of the account for models, test it, and remove it', async () => {
    const models = await FakeModelServer.start('sk-da-padaria-7f3a');
    const page = await signedIn({});
    await page.goto('/app/settings');
    const card = cardOf(page, 'Seu modelo de linguagem');
    const use = card.getByRole('button', { name: 'Salvar chave' });
    await card.getByLabel('URL do servidor').fill(models.baseUrl);
    await card.getByLabel('Chave de API').fill('sk-de-outra-pessoa');
    await use.click();
    await card.getByText('O servidor do modelo recusou esta chave.').waitFor();
    await card.getByLabel('Chave de API').fill(models.apiKey);
    await use.click();
    await card.getByText('Salva: ••••7f3a.').waitFor();
    expect(await card.getByLabel('Chave de API').inputValue()).toBe('');

    models.apiKey = 'trocada-no-servidor';
    await card.getByRole('button', { name: 'Testar' }).click();
    await card.getByText('O provedor recusa esta chave desde').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    models.apiKey = 'sk-da-padaria-7f3a';
    await card.getByRole('button', { name: 'Testar' }).click();
    await card.getByText('O provedor recusa esta chave desde').waitFor({ state: 'detached' });

    await card.getByRole('button', { name: 'Remover' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click();
    await page.getByText('Chave removida').waitFor();
    await card.getByText('Salva:').waitFor({ state: 'detached' });
    expect(problemsOf(page)).toEqual([]);
    await models.stop();
  }, 60_000);

  it('bring a key of the account for a vendor of speech, test it, and remove it', async () => {
    const page = await signedIn({});
    await page.goto('/app/settings');
    const card = cardOf(page, 'Seus provedores de voz');
    const vendor = card.getByRole('combobox', { name: 'Provedor' });
    const use = card.getByRole('button', { name: 'Salvar chave' });
    expect(await vendor.inputValue()).toBe('Deepgram');
    expect(await card.getByLabel('URL do servidor').count()).toBe(0);
    await card.getByLabel('Chave de API').fill('chave-de-outra-pessoa');
    deepgram.keys = new Set(['chave-da-padaria-7f3a']);
    await use.click();
    await card.getByText('O fornecedor recusou esta chave.').waitFor();
    await card.getByLabel('Chave de API').fill('chave-da-padaria-7f3a');
    await use.click();
    await card.getByText('Salva: ••••7f3a.').waitFor();
    await until(async () => (await vendor.inputValue()) === 'Deepgram · chave salva');

    deepgram.keys = new Set();
    await card.getByRole('button', { name: 'Testar' }).click();
    await card.getByText('O provedor recusa esta chave desde').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await vendor.click();
    await page.getByRole('option', { name: 'OpenAI' }).click();
    await card.getByLabel('URL do servidor').waitFor();
    await vendor.click();
    await page.getByRole('option', { name: 'Deepgram · chave recusada' }).click();
    await card.getByRole('button', { name: 'Remover' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click();
    await page.getByText('Chave removida').waitFor();
    await card.getByText('Salva:').waitFor({ state: 'detached' });
    await until(async () => (await vendor.inputValue()) === 'Deepgram');
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('export the account as a file, and delete it behind its e-mail and the password', async () => {
    const leaving = await app.account({ balanceUsd: 5, password: PASSWORD });
    await createAssistant(app, leaving, { name: 'Balcão' });
    const page = await signedIn({}, leaving);
    await page.goto('/app/settings');
    await page.getByRole('button', { name: 'Exportar tudo' }).click();
    const link = page.getByRole('link', { name: /^Baixar/ });
    await link.waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    // Found again later on.
    await page.goto('/app/settings');
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/^prosa-.*\.tar\.gz$/);
    const archive = gunzipSync(await readFile(await download.path())).toString('latin1');
    expect(archive).toContain('tables/assistants/000001.ndjson');

    await page.getByRole('button', { name: 'Excluir conta' }).click();
    const dialog = page.getByRole('dialog', { name: 'Excluir esta conta permanentemente?' });
    const email = dialog.getByLabel('E-mail da conta');
    await until(() => email.evaluate((field) => field.matches(':focus')));
    await page.keyboard.type('outra@example.com');
    await dialog.getByLabel('Sua senha').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await dialog.getByText('Este não é o e-mail desta conta.').waitFor();
    await email.fill(leaving.email);
    await dialog.getByLabel('Sua senha').fill('não é esta');
    await page.keyboard.press('Enter');
    await dialog.getByText('Senha incorreta.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByLabel('Sua senha').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/sign-in');
    await page.getByText('Conta encerrada').waitFor();
    await app.as(leaving).get('/api/user/me').expect(401);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('say in English why a document could not be read', async () => {
    const page = await signedIn({ locale: 'en-US' });
    await page.goto(`/app/knowledge/${rows.knowledgebase}`);
    await page.getByText('The document has no text.').first().waitFor();
    expect(await page.getByText('não tem texto').count()).toBe(0);
  });
});
