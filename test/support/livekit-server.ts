import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LiveKitConfig } from '../../src/config/config.js';
import { freePort } from './free-port.js';
import { until } from './until.js';

const API_KEY = 'devkey';
const API_SECRET = 'a secret of at least 32 characters';

/** A LiveKit server in a process of its own, on loopback alone. */
export class LiveKitServer {
  private output = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {
    const collect = (text: Buffer) => {
      this.output += text.toString('utf8');
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
  }

  /** @param program path of the server */
  static async start(program: string): Promise<LiveKitServer> {
    const [port, media, stun] = [await freePort(), await freePort(), await freePort()];
    const folder = await mkdtemp(join(tmpdir(), 'prosa-livekit-'));
    const config = {
      port,
      bind_addresses: ['127.0.0.1'],
      // Without these it listens on every interface, and asks servers of others for its address.
      rtc: {
        tcp_port: 0,
        udp_port: media,
        use_external_ip: false,
        node_ip: '127.0.0.1',
        enable_loopback_candidate: true,
        stun_servers: [`127.0.0.1:${stun}`],
        interfaces: { includes: ['lo'] },
      },
      keys: { [API_KEY]: API_SECRET },
      logging: { level: 'info' },
    };
    const path = join(folder, 'livekit.json');
    // JSON is YAML.
    await writeFile(path, JSON.stringify(config));
    const child = spawn(program, ['--config', path], { stdio: ['ignore', 'pipe', 'pipe'] });
    const server = new LiveKitServer(child, folder, `ws://127.0.0.1:${port}`);
    await until(() => server.answers(), 30_000);
    return server;
  }

  /** What Prosa needs to know of it. */
  get environment(): Record<string, string> {
    return { LIVEKIT_URL: this.url, LIVEKIT_API_KEY: API_KEY, LIVEKIT_API_SECRET: API_SECRET };
  }

  get config(): LiveKitConfig {
    return { url: this.url, apiKey: API_KEY, apiSecret: API_SECRET };
  }

  get text(): string {
    return this.output;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private async answers(): Promise<boolean> {
    if (this.child.exitCode !== null) throw new Error(`the LiveKit server ended:\n${this.output}`);
    try {
      return (await fetch(this.url.replace('ws', 'http'))).ok;
    } catch {
      return false;
    }
  }
}
