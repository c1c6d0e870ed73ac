import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  overflowOf,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
import { createAssistant } from '../support/builders.js';
import { ElevenLabsFake } from '../support/speech-fakes/elevenlabs-fake.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
const FRANCISCA = 301;
const [ELEVENLABS, AZURE, CARTESIA] = [1, 2, 3];

describeInBrowser('The voice of an assistant', () => {
  const eleven = new ElevenLabsFake();
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;

  beforeAll(async () => {
    await Promise.all([buildPages(), eleven.start()]);
    [app, browser] = await Promise.all([
      TestApp.start({
        PROSA_ROLES: 'api,worker,voice',
        ELEVEN_API_KEY: 'key-of-the-installation',
        ELEVEN_BASE_URL: eleven.url,
      }),
      TestBrowser.start(['--autoplay-policy=no-user-gesture-required']),
    ]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await eleven.stop();
  });

  async function openVoiceTab(language: 'pt' | 'en', width: number): Promise<{ page: Page; id: number }> {
    const { id } = await createAssistant(app, owner, { voice_id: FRANCISCA, synthesizer_provider_id: AZURE });
    const look = { width, locale: language === 'pt' ? 'pt-BR' : 'en-US' } as const;
    const path = `/assistants/${id}?tab=voice`;
    const page = await browser.openConsole(
      app.origin,
      { email: owner.email, password: PASSWORD },
      path,
      look,
    );
    return { page, id };
  }
  const stored = async (id: number) =>
    (await app.as(owner).get(`/api/user/assistant/${id}`).expect(200)).body;

  it.each([1280, 390])(
    'is searched, heard and chosen by keyboard alone, %i wide',
    async (width) => {
      const { page, id } = await openVoiceTab('pt', width);
      await page.getByText('Precisa de chave').waitFor();
      expect(await page.getByRole('button', { name: /^Ouvir amostra/ }).count()).toBe(0);
      await page.getByRole('button', { name: 'Escolher voz' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Escolha uma voz' });
      const list = dialog.getByRole('radiogroup', { name: 'Vozes' });
      // Voices that can be heard come first.
      expect(await list.getByRole('radio').first().getAttribute('value')).toBe('101');
      await dialog.getByText('Você pode escolher uma voz que precisa de chave.').waitFor();
      expect(await overflowOf(page)).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);

      await page.keyboard.type('jessicax');
      await dialog.getByText('Nenhuma voz encontrada').waitFor();
      await page.keyboard.press('Backspace');
      await dialog.getByText('1 voz', { exact: true }).waitFor();
      const radio = list.getByRole('radio', { name: /^Jessica/ });
      for (let tabs = 0; tabs < 8 && !(await isFocused(page, radio)); tabs++)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      const heard = page.waitForResponse(
        (response) => response.url().includes('/103/sample') && response.ok(),
      );
      await page.keyboard.press('Enter');
      await heard;
      await dialog.getByRole('button', { name: 'Parar amostra de Jessica' }).waitFor();
      // The sound comes to its end by itself.
      await dialog.getByRole('button', { name: 'Ouvir amostra de Jessica' }).waitFor();
      await radio.focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Ouvir amostra de Jessica' }).waitFor();
      expect(await page.getByText('Precisa de chave').count()).toBe(0);
      await page.getByRole('button', { name: 'Salvar', exact: true }).click();
      await page.getByText('Alterações salvas').or(page.getByText('Assistente salvo')).first().waitFor();
      // A voice is spoken by its own vendor.
      expect(await stored(id)).toMatchObject({ voice_id: 103, synthesizer_provider_id: ELEVENLABS });
      expect(problemsOf(page)).toEqual([]);
    },
    180_000,
  );

  it('may be of another vendor and language, which the button says', async () => {
    const { page, id } = await openVoiceTab('en', 1280);
    await page.getByRole('button', { name: 'Choose voice' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose a voice' });
    await dialog.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'English', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Provider' }).click();
    await page.getByRole('option', { name: 'Cartesia' }).click();
    const names = dialog.getByRole('radiogroup').getByRole('radio');
    await dialog.getByText('4 voices').waitFor();
    await names.first().check();
    await dialog.getByRole('button', { name: 'Use this voice and switch to English' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').first().waitFor();
    expect(await stored(id)).toMatchObject({
      voice_id: 204,
      language_id: 2,
      synthesizer_provider_id: CARTESIA,
    });
  }, 180_000);

  it('is replaced where another language does not have it, which is said, and comes back with its own', async () => {
    const { page } = await openVoiceTab('pt', 1280);
    const save = page.getByRole('button', { name: 'Salvar', exact: true });
    const speak = async (language: string) => {
      await page.getByRole('tab', { name: 'Conversa' }).click();
      await page.getByRole('combobox', { name: 'Idioma', exact: true }).click();
      await page.getByRole('option', { name: language, exact: true }).click();
      await page.getByRole('tab', { name: 'Voz' }).click();
    };
    await speak('Inglês');
    // This one speaks both languages.
    await page.getByRole('alert').getByText('Voz trocada para Sarah').waitFor();
    await page.getByRole('button', { name: 'Ouvir amostra de Sarah' }).waitFor();
    await speak('Português');
    await page.getByText('Francisca').waitFor();
    await until(() => save.isDisabled());
    expect(problemsOf(page)).toEqual([]);
  }, 180_000);

  it('leads to the keys of its vendor, and says why a sample was not spoken', async () => {
    const { page } = await openVoiceTab('en', 390);
    await page.getByRole('button', { name: 'Choose voice' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose a voice' });
    eleven.failing = 'down';
    await dialog.getByRole('button', { name: 'Play a sample of Daniel' }).click();
    await dialog.getByRole('alert').getByText('The provider of this voice did not answer').waitFor();
    eleven.failing = 'never';
    await dialog.getByRole('link', { name: 'Add a key' }).click();
    await page.waitForURL('**/app/settings#speech-keys');
    await page.locator('#speech-keys').waitFor();
  }, 180_000);

  it.each([
    ['pt', 1280],
    ['en', 390],
  ] as const)(
    'comes with an estimate of the cost of a minute, in %s, %i wide',
    async (language, width) => {
      const { page, id } = await openVoiceTab(language, width);
      const line = page.getByRole('button', {
        name: language === 'pt' ? /^Cerca de US\$\s0,012 por minuto$/ : /^About \$0\.012 a minute$/,
      });
      await line.focus();
      await page.keyboard.press('Enter');
      const parts = page
        .getByRole('dialog')
        .filter({ hasText: language === 'pt' ? 'Custo por minuto' : 'Cost per minute' });
      await parts.waitFor();
      await parts
        .getByText(language === 'pt' ? 'Nenhuma ligação atendida ainda' : 'No answered call yet')
        .waitFor();
      expect(await overflowOf(page)).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await parts.waitFor({ state: 'detached' });

      const quality = {
        turns: [
          {
            at_ms: 0,
            response_ms: 640,
            endpointing_ms: 300,
            recognition_ms: 90,
            model_ms: 210,
            synthesis_ms: 120,
            platform_ms: 3,
          },
        ],
      };
      await app.query(
        `INSERT INTO calls (user_id, assistant_id, assistant_name, type, status, client_phone_number, duration_seconds,
         ai_cost_micros, carrier_cost_micros, quality, ended_at)
       VALUES ($1, $2, 'Bia', 'inbound', 'completed', '+5511987654321', 60, 10000, 2000, $3, now())`,
        [owner.userId, id, JSON.stringify(quality)],
      );
      await page.reload();
      await page
        .getByRole('button', { name: language === 'pt' ? /responde em 640 ms/ : /answers in 640 ms/ })
        .click();
      await parts.getByText('210 ms').waitFor();
    },
    180_000,
  );
});

async function isFocused(page: Page, target: ReturnType<Page['getByRole']>): Promise<boolean> {
  return target.evaluate((element) => element === element.ownerDocument.activeElement);
}
