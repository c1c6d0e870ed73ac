// A script that npm runs has a shell between npm and itself. npm sends SIGTERM to that shell alone, which ends
// without forwarding it, so the script receives no signal. It therefore checks whether npm and the shell are still
// there.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 250;

/** The parent of a process and its command line; null when they cannot be read. */
function look(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name is in parentheses and may contain any character; state and parent follow it.
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return { parent: Number(parent), command };
    }
    const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [, parent, command] = /^(\d+)\s+([^]*)$/.exec(line) ?? [];
    return command === undefined ? null : { parent: Number(parent), command };
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** As it is when the script begins, which is before npm could have gone. */
const parent = process.ppid;
const script = process.env.npm_lifecycle_script;
const shell = script ? look(parent) : null;
/** npm itself, where the parent is its shell. */
const npm = shell?.command.includes(script) ? shell.parent : parent;

const isNpmGone = () => process.ppid !== parent || !isAlive(parent) || !isAlive(npm);

/**
 * Calls back once when npm, or the shell it has put between, is gone. Never for a script that npm did not start: that one
 * may outlive the process that started it.
 */
export function whenNpmEnds(callback) {
  if (!script) return;
  const timer = setInterval(() => {
    if (!isNpmGone()) return;
    clearInterval(timer);
    callback();
  }, LOOK_EVERY_MS);
  timer.unref();
}
