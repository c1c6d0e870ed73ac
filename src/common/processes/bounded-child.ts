import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ChildLimits {
  /** For one request. */
  readonly timeoutMs: number;
  readonly maxRssBytes: number;
  readonly maxHeapMegabytes: number;
}

/** How a process ended that gave no answer. */
export interface ChildEnd {
  readonly end: 'too-slow' | 'out-of-memory' | 'failed';
  /** Exit code or signal. */
  readonly detail: string;
}

/**
 * Starts a program that reads hostile input, in a process with bounded time and memory. The program calls `answerRequests`.
 *
 * @param near `import.meta.url` of the caller. From source, as tests run it, the program has the same extension and needs a
 *   loader
 * @param program its path from there, without extension
 */
export function startBoundedChild(
  near: string,
  program: string,
  { timeoutMs, maxRssBytes, maxHeapMegabytes }: ChildLimits,
): ChildProcess {
  const isSource = near.endsWith('.ts');
  const path = fileURLToPath(new URL(`${program}${isSource ? '.ts' : '.js'}`, near));
  return fork(path, [maxRssBytes, timeoutMs, process.pid].map(String), {
    execArgv: [...(isSource ? ['--import', 'tsx'] : []), `--max-old-space-size=${maxHeapMegabytes}`],
    // Nothing of the environment: it holds secrets, and the child needs none.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/**
 * Asks a child one thing; a child that takes too long is killed. The caller keeps an `error` listener on the child where it
 * outlives the request.
 *
 * @throws what the system says when the child cannot be started or reached
 */
export function askChild<Reply extends object>(
  child: ChildProcess,
  request: object,
  timeoutMs: number,
): Promise<Reply | ChildEnd> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    const onMessage = (reply: unknown) => {
      stop();
      resolve(reply as Reply);
    };
    const onError = (error: Error) => {
      stop();
      reject(error);
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      stop();
      resolve({ end: isLate ? 'too-slow' : endOf(code, signal), detail: `exit ${code ?? signal}` });
    };
    const stop = () => {
      clearTimeout(timer);
      child.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    child.on('message', onMessage).on('error', onError).on('exit', onExit);
    child.send(request);
  });
}

/** The watchdog's end is SIGKILL, V8's own is an abort when its heap is full. */
function endOf(code: number | null, signal: NodeJS.Signals | null): ChildEnd['end'] {
  return signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134 ? 'out-of-memory' : 'failed';
}
