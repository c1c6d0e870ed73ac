import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.js';
import { environmentOfChild } from '../config/load.js';
import { SupervisedProcess } from './supervised-process.js';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

/** What the forked processes need to work on the same data. */
interface ParentSettings {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly encryptionKeys: readonly string[];
  readonly say: (line: string) => void;
}

/** The voice processes that this process forks; each is restarted when it ends unexpectedly. */
export class ForkedVoice {
  private constructor(private readonly processes: readonly SupervisedProcess[]) {}

  static start(parent: ParentSettings): ForkedVoice {
    const numbers = Array.from({ length: parent.config.voice.forks }, (_unused, at) => at + 1);
    return new ForkedVoice(
      numbers.map((number) =>
        SupervisedProcess.start(MAIN, {
          name: numbers.length === 1 ? 'The voice process' : `Voice process ${number}`,
          environment: environmentOfVoice(parent, number),
          // Chats and campaigns go on without it; once its trouble is over, so do calls.
          maxQuickEnds: Infinity,
          say: parent.say,
        }),
      ),
    );
  }

  /** Resolves when each of them has loaded the engine and takes calls; at once where there is none. */
  async ready(): Promise<void> {
    await Promise.all(this.processes.map(({ ready }) => ready));
  }

  /** Has them take no more calls and end when the running ones have, within CALL_DRAIN_SECONDS. */
  async stop(): Promise<void> {
    for (const process of this.processes) process.stop('SIGTERM');
    await Promise.all(this.processes.map(({ ended }) => ended));
  }

  /** Without waiting for anything, when this process ends so. */
  kill(): void {
    for (const process of this.processes) process.stop('SIGKILL');
  }
}

const MAX_PORT = 65_535;

/** It serves no documentation, so it needs no port for it either. */
export function environmentOfVoice({ config, databaseUrl, encryptionKeys }: ParentSettings, number: number) {
  const { operationsPort, port } = config.server;
  return environmentOfChild({
    PROSA_ROLES: 'voice',
    VOICE_PROCESSES: '0',
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKeys.join(','),
    // They listen on no port of the API; the port of their health and metrics is the next free one.
    PORT: port === 0 ? '0' : String(Math.min((operationsPort ?? port + 1) + number - 1, MAX_PORT)),
    OPERATIONS_PORT: '',
    DOCS: 'off',
  });
}
