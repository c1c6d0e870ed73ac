import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import { buildPages, describeInBrowser, problemsOf, TestBrowser } from '../support/browser.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';

const PASSWORD = 'correto-cavalo-bateria';

/** From an empty account to an assistant that knows and can do something, by hand. */
describeInBrowser('Building in the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let dataDir: string;

  beforeAll(async () => {
    await buildPages();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-pages-'));
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker', DATA_DIR: dataDir, EGRESS_ALLOW_CIDRS: '127.0.0.0/8' }),
      TestBrowser.start(),
    ]);
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function openAt(path: string, { email }: TestAccount): Promise<Page> {
    return browser.openConsole(app.origin, { email, password: PASSWORD }, path);
  }

  const newAccount = () => app.account({ balanceUsd: 25, password: PASSWORD });

  it('guides a first visit by five steps, each done by what is there, and can be hidden', async () => {
    const owner = await newAccount();
    const page = await openAt('/', owner);
    await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor();
    await page.getByText('0 de 5 concluídos').waitFor();
    const steps = page.getByRole('main').locator('ol').first();
    expect(await steps.getByRole('link').allInnerTexts()).toEqual([
      'Criar assistente',
      'Testar',
      'Conhecimento',
      'Copiar o código',
      'Caixa de entrada',
    ]);
    await steps.getByRole('link', { name: 'Conhecimento' }).click();
    await page.waitForURL('**/app/knowledge');

    const assistant = await createAssistant(app, owner);
    const base = { name: 'Produtos', description: '' };
    await app.as(owner).post('/api/user/knowledgebases').send(base).expect(201);
    const uuid = await openConversation(app, assistant);
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' }).expect(200);
    await page.goto('/app');
    await page.getByText('3 de 5 concluídos').waitFor();
    await app.as(owner).post(`/api/user/conversations/${uuid}/takeover`).send({}).expect(200);
    await page.getByText('4 de 5 concluídos').waitFor();
    expect(await steps.getByRole('link').allInnerTexts()).toEqual(['Testar']);
    await page.getByRole('button', { name: 'Ocultar' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Precisa da sua atenção' }).waitFor();
    expect(await page.getByText('Primeiros passos').count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('reads files that are dropped or chosen, says what is no document, and shows the passages of an answer', async () => {
    const owner = await newAccount();
    const page = await openAt('/knowledge', owner);
    await page.getByText('Nenhuma base de conhecimento ainda').waitFor();
    await page.getByRole('button', { name: 'Nova base de conhecimento' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nome').fill('Padaria');
    await dialog.getByRole('button', { name: 'Criar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Padaria' }).waitFor();

    const dropped = await page.evaluateHandle(`(() => {
      const files = new DataTransfer();
      files.items.add(new File(['A padaria abre às seis horas da manhã, também aos domingos.'], 'horários.txt'));
      files.items.add(new File(['MZ'], 'instalador.exe'));
      return files;
    })()`);
    await page
      .getByText('Arraste arquivos para cá')
      .locator('..')
      .dispatchEvent('drop', { dataTransfer: dropped });
    const failed = page.getByRole('list', { name: 'Envios' }).getByRole('listitem');
    await failed.getByText('Só arquivos PDF, DOCX e TXT são aceitos.').waitFor();
    await failed.getByText('instalador.exe').waitFor();
    await failed.getByRole('button', { name: 'Dispensar' }).click();
    await page
      .getByRole('row', { name: /horários\.txt/ })
      .getByText('Pronto')
      .waitFor({ timeout: 60_000 });

    const text = 'Entregamos pães em toda a cidade, sem taxa acima de cinquenta reais.';
    await page.locator('input[type=file]').setInputFiles([
      { name: 'entregas.txt', mimeType: 'text/plain', buffer: Buffer.from(text) },
      { name: 'vazio.txt', mimeType: 'text/plain', buffer: Buffer.from(' ') },
    ]);
    await page
      .getByRole('row', { name: /entregas\.txt/ })
      .getByText('Pronto')
      .waitFor({ timeout: 60_000 });
    const empty = page.getByRole('row', { name: /vazio\.txt/ });
    await empty.getByText('O documento não tem texto.').waitFor({ timeout: 60_000 });

    await page.getByLabel('Pergunta').fill('A que horas abre a padaria?');
    await page.getByRole('button', { name: 'Buscar trechos' }).click();
    const passages = page.getByRole('list', { name: 'Trechos encontrados' }).getByRole('listitem');
    await passages.first().getByText('A padaria abre às seis horas').waitFor();
    await passages.first().getByText('horários.txt').waitFor();

    await empty.getByRole('button', { name: 'Excluir documento: vazio.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir documento' }).click();
    await empty.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Conhecimento' }).first().click();
    await page
      .getByRole('row', { name: /Padaria/ })
      .getByText('Pronta')
      .waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 180_000);

  it('makes a tool, says what is wrong with it while it is typed, and sends its request', async () => {
    const shop = await LocalServer.start((_request, response) =>
      answerJson(response, { situacao: 'a caminho' }),
    );
    const owner = await newAccount();
    const page = await openAt('/tools/new', owner);
    await page.getByLabel('Nome', { exact: true }).fill('consultar pedido');
    await page.getByLabel('Descrição', { exact: true }).fill('Consulta o status de um pedido');
    await page.locator('[aria-invalid=true]').first().waitFor();
    await page.getByLabel('Nome', { exact: true }).fill('consultar_pedido');
    await page.locator('[aria-invalid=true]').waitFor({ state: 'detached' });
    await page.getByLabel('URL').fill(`${shop.url}/pedidos/{numero}?loja={{loja}}`);
    await page.getByRole('button', { name: 'Adicionar parâmetro' }).click();
    await page.getByLabel('Nome', { exact: true }).nth(1).fill('numero');
    await page.getByLabel('Descrição', { exact: true }).nth(1).fill('Número do pedido');
    await page.getByRole('button', { name: 'Criar' }).click();
    await page.getByRole('heading', { level: 1, name: 'consultar_pedido' }).waitFor();

    await page.getByLabel('Descrição', { exact: true }).first().fill('Diz onde está um pedido');
    await page.getByText('Salve as alterações para testá-las.').waitFor();
    const send = page.getByRole('button', { name: 'Enviar teste' });
    expect(await send.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('textbox', { name: 'numero' }).fill('A 17');
    await page.getByLabel('{{loja}}').fill('centro');
    await send.click();
    await page.getByText('HTTP 200').waitFor();
    await page.getByText('a caminho').first().waitFor();
    expect(shop.requests.map(({ path }) => path)).toEqual(['/pedidos/A%2017?loja=centro']);
    expect(problemsOf(page)).toEqual([]);
    await shop.stop();
  }, 120_000);

  it('brings an earlier prompt back', async () => {
    const owner = await newAccount();
    const first = 'Você atende os clientes da Padaria Central.\nA padaria abre às 6 horas.';
    const { id } = await createAssistant(app, owner, { system_prompt: first });
    const page = await openAt(`/assistants/${id}`, owner);
    const prompt = page.getByLabel('Instruções', { exact: true });
    expect(await prompt.inputValue()).toBe(first);
    await prompt.fill('Você atende os clientes da Padaria Central.\nA padaria abre às 7 horas.');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Alterações salvas').waitFor();

    await page.getByRole('button', { name: 'Histórico de versões' }).click();
    const versions = page.getByRole('dialog', { name: 'Histórico das instruções' });
    await versions.getByText('Igual ao texto atual.').waitFor();
    await versions.getByRole('list', { name: 'Histórico das instruções' }).getByRole('button').last().click();
    await versions.getByText('A padaria abre às 6 horas.').waitFor();
    await versions.getByText('A padaria abre às 7 horas.').waitFor();
    await versions.getByRole('button', { name: 'Restaurar esta versão' }).click();
    await versions.waitFor({ state: 'detached' });
    expect(await prompt.inputValue()).toBe(first);
    // The button is disabled already while it is being saved.
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await (await saved).finished();
    const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
    expect(body.system_prompt).toBe(first);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('sends a notice again that was not taken', async () => {
    let isUp = false;
    const receiver = await LocalServer.start((_request, response) =>
      isUp ? answerJson(response, { ok: true }) : void response.writeHead(410).end(),
    );
    const owner = await newAccount();
    const endpoint = { url: `${receiver.url}/eventos`, events: ['call.ended'] };
    const { body } = await app.as(owner).post('/api/user/webhook-endpoints').send(endpoint).expect(201);
    await app.as(owner).post(`/api/user/webhook-endpoints/${body.data.id}/test`).send({}).expect(200);
    const page = await openAt('/webhooks', owner);
    await page.getByRole('row', { name: /Teste/ }).getByRole('link').first().click();
    const drawer = page.getByRole('dialog', { name: 'Envio' });
    await drawer.getByText('410').first().waitFor();
    isUp = true;
    await drawer.getByRole('button', { name: 'Reenviar' }).click();
    await drawer.getByText('Entregue', { exact: true }).waitFor();
    expect(receiver.requests).toHaveLength(2);
    expect(problemsOf(page)).toEqual([]);
    await receiver.stop();
  }, 120_000);
});
