// Runs spec files in node's own realm, one after another in each worker, instead of in a context of their own each. The
// product runs there too: an `Error` of a package is the `Error` of the code. It is what allows modules to be loaded once
// for all files of a worker (shared-modules-runtime.mjs). What a file changes of the process is put back when it ends.
import { TestEnvironment } from 'jest-environment-node';

const TIMERS = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
];
/** Where Jest keeps the functions that it calls at each event of a file. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const GLOBALS = [...TIMERS, 'queueMicrotask', 'fetch', 'Date', 'performance', 'console'];

export default class MainRealmEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const { constructor: ModuleMocker } = this.moduleMocker;
    const { constructor: FakeTimers } = this.fakeTimersModern;
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    this.before = stateOfProcess();
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new FakeTimers({ config: config.projectConfig, global: globalThis });
    leaveNextTick(this.fakeTimersModern);
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    await super.teardown();
    restoreProcess(this.before);
    // Otherwise those of the next file are added to them, and each event of a file calls those of all files before.
    delete globalThis[EVENT_HANDLERS];
    this.global = null;
  }
}

/** Node's own modules call `process.nextTick` of this realm: faked, it stops their sockets and counts their work as timers. */
function leaveNextTick(fakeTimers) {
  const useFakeTimers = fakeTimers.useFakeTimers.bind(fakeTimers);
  fakeTimers.useFakeTimers = (options = {}) =>
    useFakeTimers({ ...options, doNotFake: [...(options.doNotFake ?? []), 'nextTick'] });
}

function stateOfProcess() {
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    ending: Object.getOwnPropertyDescriptor(process, 'exit'),
    exitCode: process.exitCode,
    listeners: new Map(process.eventNames().map((event) => [event, process.rawListeners(event)])),
    globals: new Map(GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)])),
  };
}

function restoreProcess({ environment, folder, ending, exitCode, listeners, globals }) {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  if (process.cwd() !== folder) process.chdir(folder);
  Object.defineProperty(process, 'exit', ending);
  process.exitCode = exitCode;
  for (const event of process.eventNames()) {
    for (const listener of process.rawListeners(event)) {
      if (!listeners.get(event)?.includes(listener)) process.removeListener(event, listener);
    }
  }
  for (const [name, descriptor] of globals) Object.defineProperty(globalThis, name, descriptor);
}
