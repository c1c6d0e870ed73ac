import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tone } from '@prosa/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CallListener, type MonitorGrant } from '../../test/support/call-listener.js';
import { until } from '../../test/support/until.js';
import { microphoneArgs, writeMicrophone } from '../../test/support/voice/fake-microphone.js';
import type { ProsaProcess } from '../support/prosa-process.js';
import { type HeardCall, PITCH_HZ } from './heard-call.js';

const MICROPHONE_HZ = 48_000;
const MICROPHONE_MS = 10_000;
const WAIT_MS = 30_000;
/** The assistant speaks until it is cut. */
const LONG_TEXT =
  'Hoje temos pão francês, pão de queijo, pão integral, broa de milho, bolo de cenoura, torta de limão, sonho de creme e café passado na hora, e amanhã fazemos rosca de coco.';
/** After the person was heard: until then the assistant might speak again. */
const SETTLE_MS = 1_000;

/** From the press of the key that takes a call over. */
export interface Press {
  readonly silenceMs: number;
  readonly voiceMs: number;
}

/** A person with the console in Chromium, whose microphone hears a tone all the time. */
export class BrowserDesk {
  private constructor(
    private readonly prosa: ProsaProcess,
    private readonly browser: Browser,
    private readonly page: Page,
    private readonly folder: string,
  ) {}

  static async open(prosa: ProsaProcess): Promise<BrowserDesk> {
    const folder = await mkdtemp(join(tmpdir(), 'prosa-bench-desk-'));
    const sound = join(folder, 'microphone.wav');
    await writeMicrophone(sound, MICROPHONE_HZ, tone(PITCH_HZ, MICROPHONE_HZ, MICROPHONE_MS, 0.5), 0);
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      // Chromium's own sandbox does not run as root.
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...microphoneArgs(sound)],
    });
    const context = await browser.newContext({ baseURL: prosa.origin, locale: 'pt-BR' });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const signedIn = await page.request.post('/api/auth/session', {
      headers: { Origin: prosa.origin, Authorization: `Bearer ${prosa.apiKey}` },
    });
    if (!signedIn.ok()) throw new Error(`no session: ${signedIn.status()} ${await signedIn.text()}`);
    await page.addInitScript("localStorage.setItem('prosa.desk.reminded', 'true')");
    return new BrowserDesk(prosa, browser, page, folder);
  }

  /** Takes a call over while its assistant speaks. */
  async takeOver(callId: number, call: HeardCall): Promise<Press> {
    const { page } = this;
    await page.goto(`/app/live?call=${callId}`);
    const desk = page.getByRole('region', { name: /^Ligação/ });
    await desk.getByText('Você está ouvindo a ligação.').waitFor({ state: 'attached' });
    const { data } = await this.prosa.post<{ data: MonitorGrant }>(`/api/user/calls/${callId}/monitor`, {});
    const prompter = await CallListener.connect(data);
    const heardMs = call.assistantHeardMs;
    prompter.send({ type: 'say', text: LONG_TEXT });
    await until(() => call.assistantHeardMs > heardMs + 300, WAIT_MS);
    const pressedMs = performance.now();
    await page.keyboard.press('t');
    await until(() => call.personAfter(pressedMs) !== null, WAIT_MS);
    await sleep(SETTLE_MS);
    prompter.socket.close();
    const personMs = call.personAfter(pressedMs) ?? Infinity;
    return { silenceMs: call.assistantAfter(pressedMs), voiceMs: personMs - pressedMs };
  }

  async close(): Promise<void> {
    await this.browser.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
