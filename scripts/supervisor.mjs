// Runs a program in a process of its own, and starts it anew when it ends unexpectedly.
import { fork } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a start ends whose reason was told in a sentence: starting again would say it again. */
const PLAIN_FAILURE = 1;

const DEFAULTS = {
  /** The wait before the program is started again; it doubles with each quick end. */
  firstDelayMs: 500,
  maxDelayMs: 15_000,
  /** An end so soon after the start is a quick one. */
  quickMs: 60_000,
  /** After so many quick ends in a row nobody can be helped by one more. */
  maxQuickEnds: 5,
};

/**
 * Runs the program until it ends in order, fails at its start with a sentence of its own (exit code 1), or ends quickly
 * too often. SIGTERM, SIGINT and SIGHUP are handed on, and its end is waited for. The program sees by its IPC channel
 * when this process is gone.
 *
 * @returns the exit code for this process
 */
export async function supervise(program, options = {}) {
  const { firstDelayMs, maxDelayMs, quickMs, maxQuickEnds } = { ...DEFAULTS, ...options };
  const stop = new AbortController();
  let child = null;
  const handOn = (signal) => {
    stop.abort();
    // The program drains at SIGTERM and SIGINT; a closed terminal asks for the same.
    child?.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => handOn(signal));
  let quickEnds = 0;
  for (;;) {
    const startedAt = performance.now();
    // In a process group of its own: Ctrl-C reaches every process of the terminal's group, and a second signal means "now".
    child = fork(program, [], { stdio: 'inherit', detached: process.platform !== 'win32' });
    const end = await endOf(child);
    child = null;
    if (stop.signal.aborted || end.code === 0 || end.code === PLAIN_FAILURE) return end.code;
    quickEnds = performance.now() - startedAt < quickMs ? quickEnds + 1 : 0;
    if (quickEnds >= maxQuickEnds) {
      say(
        `Prosa ended ${quickEnds} times in a row soon after its start (${end.reason}), and is not started again.`,
      );
      return end.code;
    }
    const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** quickEnds);
    say(`Prosa ended unexpectedly (${end.reason}). It is started again in ${delayMs / 1_000} s.`);
    await sleep(delayMs, undefined, { signal: stop.signal }).catch(() => undefined);
    if (stop.signal.aborted) return end.code;
  }
}

function say(line) {
  process.stderr.write(`\n${line}\n`);
}

/** How the program ended. A signal counts as a code, as in a shell. */
function endOf(child) {
  return new Promise((resolve) => {
    // Stays: a signal that could not be handed on is reported here too.
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ code: 70, reason: error.message });
    });
    child.on('exit', (code, signal) => {
      resolve(
        signal === null
          ? { code, reason: `exit code ${code}` }
          : { code: 128 + constants.signals[signal], reason: signal },
      );
    });
  });
}
