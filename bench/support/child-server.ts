import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
/** Options of Node in `npm start`; the reference servers have them too. */
const NODE_OPTIONS = scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** A server in a process of its own, so that it has an event loop of its own. */
export interface ChildServer {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Runs a script that calls {@link announce} when it listens. */
export async function startChild(script: URL, environment: Record<string, string>): Promise<ChildServer> {
  const child = fork(fileURLToPath(script), {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    execArgv: ['--import', 'tsx', ...NODE_OPTIONS, ...(process.env.BENCH_NODE_ARGS?.split(' ') ?? [])],
  });
  const ended = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), ended]);
  const [origin] = first;
  if (typeof origin !== 'string' || child.pid === undefined)
    throw new Error(`${script.pathname} did not start`);
  return {
    origin,
    pid: child.pid,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Tells the parent where this process listens. */
export function announce(port: number): void {
  process.send?.(`http://127.0.0.1:${port}`);
}
