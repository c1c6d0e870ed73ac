// Runs a program of the built product in a process of its own, and starts it anew when it ends unexpectedly.
import { whenNpmEnds } from './npm-end.mjs';

/**
 * SIGTERM, SIGINT and SIGHUP are handed on, and the program's end is waited for. Under npm, the end of npm counts as SIGTERM.
 *
 * @param options see `Supervision` in src/boot/supervised-process.ts
 * @returns the exit code for this process
 */
export async function supervise(program, options = {}) {
  const supervision = new URL('../dist/boot/supervised-process.js', import.meta.url);
  const { SupervisedProcess } = await import(supervision.href);
  const supervised = SupervisedProcess.start(program, options);
  let isStopping = false;
  const stop = (signal) => {
    isStopping = true;
    supervised.stop(signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    // The program drains at SIGTERM and SIGINT; a closed terminal asks for the same.
    process.on(signal, () => stop(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  }
  // After Ctrl-C npm ends before the program has drained: a second signal would cut that short.
  whenNpmEnds(() => isStopping || stop('SIGTERM'));
  return supervised.ended;
}
