import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startKamailio } from './kamailio.js';
import { ForeignProcess } from './process.js';

const PORT = 27_380;
const FILES = 'docker/kamailio';

/** Where operators may be, besides the processes themselves; others get nothing from Prosa. */
export const OPERATOR_HOST = '127.0.0.2';
const OPERATORS = '127.0.0.0/30';

/** What an installation of loopback fills in. */
const OWN: Readonly<Record<string, string>> = {
  LISTEN_ADDRESS: '127.0.0.1',
  PUBLIC_ADDRESS: '127.0.0.1',
  SIP_PORT: String(PORT),
  PROSA_NETWORK: '127.0.0.1/32',
  PRIVATE_OPERATORS: OPERATORS,
};

/** Kamailio in front of the voice processes, with the configuration of the documentation. */
export class KamailioProxy {
  readonly host = '127.0.0.1';
  readonly port = PORT;

  private constructor(private readonly process: ForeignProcess) {}

  /** @param processPorts where voice processes may be, on 127.0.0.1 */
  static async start(processPorts: readonly number[]): Promise<KamailioProxy> {
    const folder = ForeignProcess.makeFolder('kamailio-proxy');
    const list = join(folder, 'dispatcher.list');
    writeFileSync(list, processPorts.map((port) => `1 sip:127.0.0.1:${port};transport=udp\n`).join(''));
    const config = Object.entries({ ...OWN, DISPATCHER_LIST: list }).reduce(
      (text, [name, value]) => filledIn(text, name, value),
      readFileSync(join(FILES, 'kamailio.cfg'), 'utf8'),
    );
    const quiet = config.replace('log_stderror=no', 'log_stderror=yes\nshm_force_alloc=no');
    writeFileSync(join(folder, 'kamailio.cfg'), quiet);
    return new KamailioProxy(await startKamailio(folder, PORT));
  }

  get output(): string {
    return this.process.output;
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}

function filledIn(config: string, name: string, value: string): string {
  const line = new RegExp(`^(#!substdef "!${name}!)[^!]*(!g")$`, 'm');
  if (!line.test(config)) throw new Error(`the configuration of Kamailio has no ${name}`);
  return config.replace(line, (_line, before: string, after: string) => `${before}${value}${after}`);
}
