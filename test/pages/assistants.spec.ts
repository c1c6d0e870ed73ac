import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  type Look,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
import { addMember, assistantBody, createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
/** Without backticks: the test chat shows an assistant's words as the Markdown that customers see. */
const HOSTILE = '<img src=x onerror="document.title=origin">';

describeInBrowser('Assistants in the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([TestApp.start(), TestBrowser.start()]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  async function openAt(path: string, look?: Look): Promise<Page> {
    return browser.openConsole(app.origin, { email: owner.email, password: PASSWORD }, path, look);
  }

  it('makes an assistant, chats with it, and uses new instructions once they are saved', async () => {
    const page = await openAt('/assistants');
    await page.getByRole('button', { name: 'Novo assistente' }).first().click();
    await page.getByLabel('Nome', { exact: true }).fill('Padaria');
    await page.getByRole('button', { name: 'Criar e testar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Padaria' }).waitFor();
    const log = page.getByRole('log');
    await log.getByText('Olá! Como posso ajudar?').waitFor();

    await page
      .getByLabel('Instruções')
      .fill('Você atende a Padaria Central de {{bairro}}. A padaria abre às 6 horas.');
    await page.getByText('O teste usa a versão salva').waitFor();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Alterações salvas').waitFor();
    await page.getByRole('button', { name: 'Recomeçar' }).click();
    await page.getByLabel('Mensagem', { exact: true }).fill('A que horas a padaria abre?');
    // Once the new conversation is open.
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await log.getByText('A padaria abre às 6 horas.').waitFor();

    // A restart stops the answer that is on its way.
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/conversations/*/messages', async (route) => {
      await isReleased;
      // The request is gone where the page has stopped it.
      await route.fallback().catch(() => undefined);
    });
    await page.getByLabel('Mensagem', { exact: true }).fill('Onde fica?');
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await log.getByText('Onde fica?').waitFor();
    await page.getByRole('button', { name: 'Recomeçar' }).click();
    await log.getByText('Onde fica?').waitFor({ state: 'detached' });
    await log.getByText('Olá! Como posso ajudar?').waitFor();
    const shown = await log.innerText();
    release();
    await page.waitForTimeout(1_500);
    expect(await log.innerText()).toBe(shown);
    await page.unroute('**/api/conversations/*/messages');

    await page.getByText('Variáveis do teste').click();
    await page.getByLabel('bairro', { exact: true }).fill('Vila Nova');
    const [opened] = await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/api/user/conversations')),
      page.getByRole('button', { name: 'Aplicar e recomeçar' }).click(),
    ]);
    expect(opened.request().postDataJSON()).toMatchObject({ variables: { bairro: 'Vila Nova' } });
    expect(opened.status()).toBe(201);

    await page.getByRole('button', { name: 'Ativar', exact: true }).click();
    await page.getByText('Ativo', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Site' }).click();
    const { body } = await app.as(owner).get('/api/user/assistants').expect(200);
    const [{ uuid, system_prompt: prompt }] = body;
    expect(prompt).toContain('abre às 6 horas');
    await page.getByText(`<script src="${app.origin}/widget.js" data-assistant="${uuid}"`).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 180_000);

  it('goes on with its test conversation when the tab is looked at again, and all else is read anew', async () => {
    const { id } = await createAssistant(app, owner);
    const page = await openAt(`/assistants/${id}`);
    const log = page.getByRole('log');
    const conversations = async () =>
      (await app.query('SELECT FROM conversations WHERE assistant_id = $1', [id])).length;
    await page.getByText('O teste começa quando você clica no campo de mensagem.').waitFor();
    expect(await conversations()).toBe(0);
    await page.getByLabel('Mensagem', { exact: true }).click();
    await log.getByText('Olá! Como posso ajudar?').waitFor();
    const before = await conversations();
    await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/api/user/me')),
      page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`),
    ]);
    await page.getByLabel('Mensagem', { exact: true }).fill('Que pães vocês têm?');
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await log.getByText('Que pães vocês têm?').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await conversations()).toBe(before);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('says what is wrong while it is typed, marks the tab of a refused field, and guards what is not saved', async () => {
    const { id } = await createAssistant(app, owner, { name: 'Guardada' });
    const page = await openAt(`/assistants/${id}`);
    await page.getByRole('tab', { name: 'Ligações' }).click();
    await page.getByLabel('Duração máxima da ligação').fill('5');
    await page.getByText('O mínimo é 20.').waitFor();
    await page.getByLabel('Duração máxima da ligação').fill('300');
    await page.getByText('O mínimo é 20.').waitFor({ state: 'detached' });

    // Only the server knows that no such address may be dialled.
    await page.getByRole('tab', { name: 'Conhecimento e ferramentas' }).click();
    await page.getByRole('button', { name: 'Adicionar ação' }).click();
    await page.getByRole('menuitem', { name: 'Transferir a ligação' }).click();
    await page.getByLabel('Telefone ou endereço SIP').fill('ninguém');
    await page.getByRole('tab', { name: 'Voz' }).click();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('deve ser um número de telefone ou um endereço SIP').waitFor();
    await page.getByRole('img', { name: 'Conhecimento e ferramentas: verifique os campos' }).waitFor();
    expect(await page.getByLabel('Telefone ou endereço SIP').inputValue()).toBe('ninguém');

    await page.getByRole('link', { name: 'Números' }).click();
    await page.getByText('Você tem alterações não salvas').waitFor();
    await page.getByRole('button', { name: 'Continuar editando' }).click();
    await page.getByLabel('Telefone ou endereço SIP').fill('+5511987654321');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Alterações salvas').waitFor();

    const { id: sales } = await createAssistant(app, owner, { name: 'Vendas' });
    await page.reload();
    await page.getByRole('tab', { name: 'Conhecimento e ferramentas' }).click();
    await page.getByRole('button', { name: 'Adicionar ação' }).click();
    await page.getByRole('menuitem', { name: 'Passar para outro assistente' }).click();
    const handoff = page.getByRole('region', { name: 'Passar para outro assistente' });
    await handoff.getByRole('combobox', { name: 'Assistente' }).click();
    // Itself is none to hand over to.
    await page.getByRole('option', { name: 'Vendas' }).waitFor();
    expect(await page.getByRole('option', { name: 'Guardada' }).count()).toBe(0);
    await page.getByRole('option', { name: 'Vendas' }).click();
    await handoff.getByLabel('Quando passar para ele').fill('O cliente quer comprar.');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Alterações salvas').waitFor();
    const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
    expect(body).toMatchObject({
      max_duration: 300,
      tools: [
        { phone_number: '+5511987654321' },
        {
          type: 'handoff',
          destinations: [{ assistant_id: sales, description: 'O cliente quer comprar.' }],
        },
      ],
    });
  }, 180_000);

  it('does not let a viewer move sliders, and asks about no changes when the viewer leaves', async () => {
    const { id } = await createAssistant(app, owner);
    const { email } = await addMember(app, owner, { role: 'viewer', password: PASSWORD });
    const viewer = { email, password: PASSWORD };
    const page = await browser.openConsole(app.origin, viewer, `/assistants/${id}?tab=voice`);
    const speed = page.getByText('Velocidade', { exact: true }).locator('..');
    const before = await speed.innerText();
    const track = page.locator('.mantine-Slider-trackContainer').first();
    await track.click({ position: { x: 3, y: 3 } });
    expect(await speed.innerText()).toBe(before);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('navigation').getByRole('link', { name: 'Simulações' }).click();
    await page.getByRole('heading', { level: 1, name: 'Simulações' }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('keeps what was typed when the server does not answer, and says so', async () => {
    const { id } = await createAssistant(app, owner, { name: 'Sem rede' });
    const page = await openAt(`/assistants/${id}`);
    await page.getByLabel('Nome', { exact: true }).fill('Com rede');
    await page.route('**/api/user/assistant/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Não foi possível falar com o servidor').first().waitFor();
    expect(await page.getByLabel('Nome', { exact: true }).inputValue()).toBe('Com rede');
    await page.unroute('**/api/user/assistant/*');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Com rede' }).waitFor();
  }, 180_000);

  it.each([
    ['pt-BR', 'Gasto por dia (US$)', 'Salvar', 'Alterações salvas', '0,5'],
    ['en-US', 'Daily spend (US$)', 'Save', 'Changes saved', '0.5'],
  ] as const)(
    'takes and shows decimals as the reader writes them, %s',
    async (locale, name, save, saved, text) => {
      const { id } = await createAssistant(app, owner);
      const page = await openAt(`/assistants/${id}?tab=site`, { locale });
      const spend = page.getByLabel(name);
      await spend.pressSequentially(text);
      expect(await spend.inputValue()).toBe(text);
      await page.getByRole('button', { name: save, exact: true }).click();
      await page.getByText(saved).waitFor();
      const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
      expect(body.visitor_daily_spend).toBe(0.5);
      await page.reload();
      await until(async () => (await spend.inputValue()) === text);
      expect(problemsOf(page)).toEqual([]);
    },
  );

  it('stores a lookup, and offers its time-out once there is an address', async () => {
    const { id } = await createAssistant(app, owner);
    const page = await openAt(`/assistants/${id}?tab=abilities`);
    const url = page.getByLabel('URL da consulta');
    const wait = page.getByLabel('Esperar a resposta por até');
    await url.waitFor();
    expect(await wait.count()).toBe(0);
    await url.fill('crm.example');
    await url.blur();
    await page.getByText('Digite uma URL que comece com http:// ou https://.').waitFor();
    await url.fill('https://crm.example/who');
    expect(await wait.inputValue()).toBe('3000');
    await wait.fill('1500');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Alterações salvas').waitFor();
    const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
    expect(body).toMatchObject({ lookup_url: 'https://crm.example/who', lookup_timeout_ms: 1_500 });
  });

  it('stores what the customer hears when a person listens, and takes it away', async () => {
    const { id } = await createAssistant(app, owner);
    const page = await openAt(`/assistants/${id}?tab=calls`);
    const isOn = page.getByLabel('Avisar o cliente de que a ligação pode ser acompanhada');
    const text = page.getByLabel('Aviso', { exact: true });
    const stored = async () =>
      (await app.as(owner).get(`/api/user/assistant/${id}`).expect(200)).body.monitoring_announcement;
    const save = async () => {
      await page.getByRole('button', { name: 'Salvar' }).click();
      await page.getByText('Alterações salvas').waitFor();
    };
    await isOn.waitFor();
    expect(await text.count()).toBe(0);
    await isOn.click();
    expect(await text.inputValue()).toContain('nossa equipe pode acompanhar');
    await text.fill('');
    await text.blur();
    await page.getByText('Preencha este campo.').waitFor();
    await text.fill('Nossa equipe acompanha, {{nome}}.');
    await page.getByLabel('Repetir um sinal sonoro curto').click();
    await save();
    expect(await stored()).toEqual({ text: 'Nossa equipe acompanha, {{nome}}.', tone: true });
    await page.getByText('Alterações salvas').waitFor({ state: 'detached', timeout: 20_000 });
    await isOn.click();
    await save();
    expect(await stored()).toBeNull();
  }, 120_000);

  it('has calls transferred to the team, without a number or with one', async () => {
    const { id } = await createAssistant(app, owner);
    const page = await openAt(`/assistants/${id}?tab=abilities`);
    await page.getByRole('button', { name: 'Adicionar ação' }).click();
    await page.getByRole('menuitem', { name: 'Transferência assistida' }).click();
    const tool = page.getByRole('region', { name: 'Transferência assistida' });
    await tool.getByLabel('Quando usar').fill('O cliente pede uma pessoa.');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await tool.getByText('é obrigatório').first().waitFor();
    await tool.getByRole('combobox', { name: 'Transferir para' }).click();
    await page.getByRole('option', { name: 'Sua equipe no console (operadores)' }).click();
    await tool.getByText(/^Toca por 30 segundos no console de cada operador disponível/).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Alterações salvas').waitFor();
    const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
    expect(body.tools).toMatchObject([{ target: { type: 'members', role: 'operator' } }]);
    expect(body.tools[0]).not.toHaveProperty('supervisor_phone');

    await page.reload();
    await tool.getByText(/^Toca por 30 segundos/).waitFor();
    await tool.getByLabel('Quando usar').fill('O cliente quer uma pessoa.');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Alterações salvas').waitFor();
    const { body: later } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
    expect(later.tools).toMatchObject([
      { description: 'O cliente quer uma pessoa.', target: { type: 'members', role: 'operator' } },
    ]);
  }, 120_000);

  it('deletes an assistant when that is confirmed, and shows hostile names as text', async () => {
    await app
      .as(owner)
      .post('/api/user/assistant')
      .send(assistantBody({ name: HOSTILE, initial_message: HOSTILE, widget_title: HOSTILE }))
      .expect(201);
    const page = await openAt('/assistants?q=onerror');
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.getByLabel('Mensagem', { exact: true }).click();
    await page.getByRole('log').getByText(HOSTILE).waitFor();
    expect(await page.title()).toContain(HOSTILE);
    await page.getByRole('button', { name: 'Mais ações' }).click();
    await page.getByRole('menuitem', { name: 'Excluir assistente' }).click();
    await page.getByRole('button', { name: 'Excluir assistente' }).click();
    await page
      .getByText('Nenhum assistente corresponde à busca')
      .or(page.getByText('Novo assistente'))
      .first()
      .waitFor();
    await page.waitForURL('**/app/assistants');
    await page.getByRole('link', { name: HOSTILE }).waitFor({ state: 'detached' });
    expect(problemsOf(page)).toEqual([]);
  }, 180_000);

  it('offers variables after {{ by keyboard, and makes one of a name that has no value', async () => {
    const { id } = await createAssistant(app, owner, { variables: { bairro: 'Centro', nome: '' } });
    const page = await openAt(`/assistants/${id}`);
    const prompt = page.getByLabel('Instruções');
    await prompt.fill('Você atende em ');
    await prompt.pressSequentially('{{b');
    await page.getByRole('listbox', { name: 'Variáveis' }).getByRole('option', { name: 'bairro' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.type(', às {{cur');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type(', pedido {{pedido}}, {{');
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await prompt.inputValue()).toBe(
      'Você atende em {{bairro}}, às {{current_time}}, pedido {{pedido}}, {{',
    );
    const add = page.getByRole('button', { name: 'Criar a variável pedido' });
    await add.click();
    await add.waitFor({ state: 'detached' });
    await prompt.fill('Pedido {{pedido}}');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Alterações salvas').waitFor();
    const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
    expect(body.variables).toEqual({ bairro: 'Centro', nome: '', pedido: '' });
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('duplicates an assistant, exports it without ids and secrets, and makes one of the file', async () => {
    const { id } = await createAssistant(app, owner, {
      name: 'Recepção Sul',
      system_prompt: 'Você atende a {{cidade}}.',
      tools: [{ type: 'end_call', description: 'No fim' }],
    });
    const page = await openAt(`/assistants/${id}`);
    const more = page.getByRole('button', { name: 'Mais ações' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Duplicar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Recepção Sul (cópia)' }).waitFor();
    await more.click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Exportar para um arquivo' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Recepção-Sul-cópia-.json');
    const file = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(file.settings).toMatchObject({ name: 'Recepção Sul (cópia)', tools: [{ type: 'end_call' }] });
    expect(Object.keys(file.settings).filter((name) => /^(id|uuid|.*_ids?)$/.test(name))).toEqual([
      'voice_id',
      'language_id',
      'llm_model_id',
      'multimodal_model_id',
      'chat_llm_fallback_id',
      'secondary_language_ids',
      'synthesizer_provider_id',
      'transcriber_provider_id',
    ]);

    await page.goto('/app/assistants');
    const chosen = page.locator('input[type=file]');
    await chosen.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await page.getByText('Este arquivo não é de um assistente.').waitFor();
    // A field that still has a file does not report the same file again.
    const picker = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Importar' }).click();
    await picker;
    expect(await chosen.inputValue()).toBe('');
    const sent = Buffer.from(JSON.stringify({ ...file, settings: { ...file.settings, name: 'De fora' } }));
    await chosen.setInputFiles({ name: 'b.json', mimeType: 'application/json', buffer: sent });
    await page.getByRole('heading', { level: 1, name: 'De fora' }).waitFor();
    await page.getByText(/Assistente importado/).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it.each(['light', 'dark'] as const)(
    'has nothing that axe finds, %s',
    async (scheme) => {
      const { id } = await createAssistant(app, owner, { name: 'Acessível' });
      const page = await openAt('/assistants', { scheme, locale: scheme === 'dark' ? 'en-US' : 'pt-BR' });
      await page.getByRole('link', { name: 'Acessível' }).first().waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      for (const tab of ['conversation', 'voice', 'calls', 'abilities', 'site']) {
        await page.goto(`/app/assistants/${id}?tab=${tab}`);
        await page.getByRole('tab', { selected: true }).waitFor();
        await page.getByLabel(scheme === 'dark' ? 'Message' : 'Mensagem', { exact: true }).click();
        await page.getByRole('log').waitFor();
        expect({ tab, findings: await accessibilityFindings(page) }).toEqual({ tab, findings: [] });
      }
    },
    180_000,
  );
});
