import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { SystemClock } from '../../../common/time/clock.js';
import type { DatabaseConfig, TelephonyConfig } from '../../../config/config.js';
import type { CallCarrier } from '../call-carrier.js';
import { SandboxCallCarrier } from './sandbox-call-carrier.js';
import { SandboxCarrierClient } from './sandbox-carrier-client.js';
import { FileJournal, NoJournal } from './sandbox-journal.js';
import type { PersonaVoice } from './sound/persona-voice.js';
import { SandboxAudioCarrier } from './sound/sandbox-audio-carrier.js';

/**
 * The embedded database and the sandbox's journal live and die in one folder. A database of the operator outlives folders
 * and may have workers on other machines: there a sandbox inside a process remembers its own calls only, and says so.
 */
function sandboxMemory(folder: string, database: Pick<DatabaseConfig, 'url'>) {
  return database.url === undefined
    ? { journal: new FileJournal(join(folder, 'calls.jsonl')), knowsAllDials: true }
    : { journal: new NoJournal(), knowsAllDials: false };
}

/** The sandbox's calls, in sound where that is wished and there is a voice for it. */
export function makeSandboxCarrier(
  telephony: Pick<TelephonyConfig, 'sandboxMedia' | 'sandboxSpeed' | 'sandboxCarrierUrl' | 'sandboxDir'>,
  database: Pick<DatabaseConfig, 'url'>,
  speech: PersonaVoice & {
    /** Why it cannot speak; null where it can. */
    readonly obstacle: string | null;
  },
): CallCarrier {
  const { sandboxMedia, sandboxSpeed, sandboxCarrierUrl, sandboxDir } = telephony;
  if (sandboxMedia === 'audio') {
    if (speech.obstacle === null) return new SandboxAudioCarrier({ voice: speech });
    new Logger('Telephony').warn(`SANDBOX_MEDIA=audio: the sandbox is text only, as ${speech.obstacle}`);
  }
  if (sandboxCarrierUrl !== undefined) return new SandboxCarrierClient(sandboxCarrierUrl, sandboxSpeed);
  return new SandboxCallCarrier({
    clock: new SystemClock(sandboxSpeed),
    ...sandboxMemory(sandboxDir, database),
  });
}
