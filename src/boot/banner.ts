import { join } from 'node:path';
import type { Config } from '../config/config.js';
import type { RunningProsa } from './start-prosa.js';
import { KEY_FILE } from './first-start/encryption-keys.js';
import { PAUSED } from './paused.js';
import { isConsoleBuilt } from './pages/web-pages.js';

/** What a person reads while the last part of a start is under way; null where there is nothing left to wait for. */
export function progressLine({ url }: Pick<RunningProsa, 'url'>, config: Config): string | null {
  const { roles } = config.server;
  const hasVoice = roles.has('voice') || config.voice.forks > 0;
  if (url === null || !hasVoice) return null;
  return `\n  Prosa is starting: ${url}/api answers already, the voice for calls is being loaded…`;
}

/**
 * What a person reads after `npm start`: where everything is, and what to do next.
 *
 * @param isVoiceReady false where the voice has not been loaded in time
 */
export function banner(
  { url, operationsUrl, firstAccount, model }: RunningProsa,
  config: Config,
  startedInMs: number,
  isVoiceReady = true,
): string {
  const roles = [...config.server.roles].join(', ');
  if (roles === 'voice') return voiceLine(operationsUrl, startedInMs);
  const lines = [`Prosa is ready in ${(startedInMs / 1000).toFixed(1)} s  (roles: ${roles})`, ''];
  if (config.server.isPaused) lines.push(`  PAUSED   ${PAUSED}`, '');
  if (url !== null) {
    if (isConsoleBuilt()) lines.push(...consoleLines(url, firstAccount));
    lines.push(`  API      ${url}/api`);
    if (config.server.docs === 'public') lines.push(`  Docs     ${url}/docs`);
    lines.push(`  Health   ${url}/health/ready`);
  }
  if (operationsUrl !== null) lines.push(`  Operator ${operationsUrl}/health/ready`);
  lines.push(
    `  Database ${config.database.url ? 'as set by DATABASE_URL' : `embedded, in ${config.database.dataDir}`}`,
  );
  if (firstAccount && !config.security.encryptionKeys) {
    const key = join(config.database.dataDir, KEY_FILE);
    lines.push(`  Key      ${key}  (keep this key: nothing else opens stored secrets)`);
  }
  if (firstAccount && keepsForEver(config)) {
    lines.push('  Storage  calls and conversations are kept for ever; CALL_RETENTION_DAYS=180 and');
    lines.push('           CONVERSATION_RETENTION_DAYS=180 limit that (docs/how-to/plan-storage.md)');
  }
  lines.push(`  Model    ${modelLine(config, model)}`);
  if (!isVoiceReady) lines.push('  Voice    still starting; calls with sound wait for it');
  if (config.telephony.twilio?.account)
    lines.push('  Numbers  rented at Twilio, which also carries their calls');
  lines.push('');
  if (url !== null && firstAccount) {
    lines.push(...firstSteps(url, firstAccount));
    if (config.server.roles.has('voice') || config.voice.forks > 0)
      lines.push(...talkLines(url, firstAccount));
    lines.push(
      '  Next: docs/getting-started/first-assistant.md makes it call a real HTTP tool, in five minutes.',
      '',
    );
  }
  return `\n${lines.join('\n')}\n`;
}

function keepsForEver({ retention: { callsMs, conversationsMs } }: Config): boolean {
  return callsMs === undefined && conversationsMs === undefined;
}

/** Printed next to the banners of the other processes. */
function voiceLine(operationsUrl: string | null, startedInMs: number): string {
  const operator = operationsUrl === null ? '' : `  (operator: ${operationsUrl}/health/ready)`;
  return `  Voice is ready in ${(startedInMs / 1000).toFixed(1)} s${operator}`;
}

function consoleLines(url: string, firstAccount: RunningProsa['firstAccount']): string[] {
  const lines = [`  Console  ${url}/app`];
  if (firstAccount) {
    const { email, password } = firstAccount;
    lines.push(`           Email ${email}  Password ${password}  (shown only once)`);
  }
  return lines;
}

function modelLine(
  { model: { baseUrl, apiKey, model: fixed } }: Config,
  answering: RunningProsa['model'],
): string {
  if (answering === null) {
    return 'sandbox (no neural network; set OPENAI_API_KEY or OPENAI_BASE_URL for a real one)';
  }
  const server = baseUrl ? `the server at ${new URL(baseUrl).host}` : apiKey ? 'OpenAI' : '';
  const { name, isListed } = answering;
  if (fixed !== undefined) return `${name} on ${server}, for every assistant (OPENAI_MODEL)`;
  if (!isListed)
    return `${server} lists no models or does not respond. Requests name ${name}, or the model of the assistant`;
  return `${name} on ${server}, or the model of the assistant where the server has it`;
}

function firstSteps(
  url: string,
  { apiKey, conversationId }: NonNullable<RunningProsa['firstAccount']>,
): string[] {
  return [
    '  Your API key (shown only once):',
    '',
    `    ${apiKey}`,
    '',
    '  Talk to the demo assistant (paste this):',
    '',
    `    curl -s ${url}/api/conversations/${conversationId}/messages \\`,
    `      -H 'Content-Type: application/json' -d '{"message": "Olá! O que é a Prosa?"}'`,
    '',
  ];
}

function talkLines(url: string, { assistantUuid }: NonNullable<RunningProsa['firstAccount']>): string[] {
  return ['  Or talk to it in a browser:', '', `    ${url}/talk/${assistantUuid}`, ''];
}
