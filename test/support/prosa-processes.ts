import { TEST_ENCRYPTION_KEY, type TestApp } from './app.js';
import { ProsaProcess } from './prosa-process.js';

/** Starts a process that shares the database and the folder for files with an application in this process. */
export function startWith(
  app: TestApp,
  folder: string,
  settings: Readonly<Record<string, string>>,
): ProsaProcess {
  return ProsaProcess.start({
    DATABASE_URL: app.database.url,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    DATA_DIR: folder,
    PORT: '0',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...settings,
  });
}

/** Processes of a test that end with it. */
export class ProsaProcesses {
  private readonly started: ProsaProcess[] = [];

  constructor(
    private readonly app: TestApp,
    private readonly folder: string,
  ) {}

  /** @param settings in addition to the common ones */
  start(settings: Readonly<Record<string, string>>): ProsaProcess {
    const process = startWith(this.app, this.folder, settings);
    this.started.push(process);
    return process;
  }

  async startVoice(): Promise<ProsaProcess> {
    const process = this.start({ PROSA_ROLES: 'voice' });
    await process.says(/Voice is ready/);
    return process;
  }

  async stop(): Promise<void> {
    for (const one of this.started) one.kill('SIGKILL');
    await Promise.all(this.started.map((one) => one.exit()));
  }
}
