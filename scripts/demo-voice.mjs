import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeAssistant } from './demo-leads.mjs';
import { demonstrate } from './demo-prosa.mjs';

const CALL_MS = 240_000;
const RECORDING_MS = 60_000;
const FINAL = ['completed', 'busy', 'no-answer', 'failed'];
const PROMPT = `Você liga para clientes da Padaria Central e oferece a renovação da assinatura de pães.
A sua assinatura de pães termina no fim deste mês.
A renovação custa 49 reais por mês, com entrega todas as manhãs.
Quem fala é a Bia, da Padaria Central.
Para explicar melhor: quem tem interesse recebe os pães do primeiro dia de graça.`;
const CALLS = [
  { name: 'conversation', phone: '+5511991000000', about: 'a person who lets others finish' },
  { name: 'interruptions', phone: '+5511991000007', about: 'a person who talks over the assistant' },
  {
    name: 'voicemail',
    phone: '+5511991000003',
    about: 'an answering machine, which gets its message after the beep',
  },
];

/** Three calls in sound, with the words and how long each answer took. */
export async function demonstrateVoice() {
  if (!isInstalled('@echogarden/espeak-ng-emscripten')) {
    console.error(
      'The demo speaks with espeak-ng, and its optional package is not installed: npm install @echogarden/espeak-ng-emscripten',
    );
    process.exitCode = 1;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'prosa-recordings-'));
  const environment = {
    PROSA_ROLES: 'api,worker,voice',
    VOICE_PROCESSES: '1',
    SANDBOX_MEDIA: 'audio',
    LOG_LEVEL: 'info',
  };
  // Loading them takes the whole machine for some seconds, which would spoil a call at the same time.
  await demonstrate(environment, 'voice and ears are loaded', async (api) => {
    const assistant = await makeAssistant(api, {
      initial_message: 'Olá! Aqui é a Padaria Central. Posso falar um minuto sobre a sua assinatura?',
      system_prompt: PROMPT,
      voice_mail_message: 'Aqui é a Padaria Central. Ligue de volta, por favor.',
      record: true,
    });
    const recordings = [];
    for (const call of CALLS) recordings.push(await show(api, assistant, call, folder));
    console.log('\nThe recordings, with the customer on the left and the assistant on the right:\n');
    for (const path of recordings) console.log(`  ${path}`);
  });
}

function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Makes one call and shows its progress. Returns where its recording is. */
async function show(api, assistant, { name, phone, about }, folder) {
  console.log(`\nCalling ${phone}: ${about}\n`);
  const { call_id: id } = await api('POST', 'make_call', { phone_number: phone, assistant_id: assistant });
  const call = await follow(api, id);
  console.log(`  → ${call.status} after ${call.duration} s, answered by: ${call.answered_by}`);
  showLatencies(call.quality?.turns ?? []);
  const path = join(folder, `${name}.ogg`);
  writeFileSync(path, await recordingOf(api, id));
  return path;
}

/** Prints each turn as soon as it is whole: when the next one begins, or the call is over. */
async function follow(api, id) {
  const deadline = Date.now() + CALL_MS;
  let shown = 0;
  for (;;) {
    const call = await api('GET', `calls/${id}`);
    const isOver = FINAL.includes(call.status);
    for (const turn of call.turns.slice(shown, isOver ? undefined : -1)) {
      showTurn(turn);
      shown++;
    }
    if (isOver) return call;
    if (Date.now() > deadline) throw new Error(`call ${id} is still ${call.status}`);
    await sleep(200);
  }
}

function showTurn({ role, text, start_ms: startMs, interrupted }) {
  const at = (startMs / 1_000).toFixed(1).padStart(6);
  console.log(`  ${at} s  ${role.padEnd(9)}  ${text}${interrupted ? ' … (cut off)' : ''}`);
}

function showLatencies(turns) {
  if (turns.length === 0) return;
  console.log(
    '\n  From the end of what the customer said to the first sound of the answer, in milliseconds:\n',
  );
  console.table(
    turns.map((turn) => ({
      'at (s)': Number((turn.at_ms / 1_000).toFixed(1)),
      answered: turn.response_ms,
      endpointing: turn.endpointing_ms,
      recognition: turn.recognition_ms,
      model: turn.model_ms,
      synthesis: turn.synthesis_ms,
      platform: turn.platform_ms,
    })),
  );
}

/** It is packed and stored a little after the end of the call. */
async function recordingOf(api, id) {
  const deadline = Date.now() + RECORDING_MS;
  for (;;) {
    try {
      const response = await api('GET', `calls/${id}/recording`, undefined, 'audio/ogg');
      return Buffer.from(await response.arrayBuffer());
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(500);
    }
  }
}
