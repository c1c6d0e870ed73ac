import type { ResolveHook } from 'node:module';

/** What marks the name of a package that is looked for where Prosa was started. */
export const FROM_WORKING_DIRECTORY = 'prosa-plugin:';
const API = 'prosa/plugin';

/** URLs: of the module that plugins import, and of a file in the working directory. */
export interface HookSettings {
  readonly api: string;
  readonly workingDirectory: string;
}

let settings: HookSettings | undefined;

/** Called by Node in the thread that resolves imports. */
export function initialize(given: HookSettings): void {
  settings = given;
}

/**
 * Gives every plugin the `prosa/plugin` of the running Prosa, independent of the plugin's folder and of installed
 * copies. Classes of a second copy would not be those that this process injects and checks.
 */
export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  if (settings && specifier === API) return { url: settings.api, shortCircuit: true };
  if (settings && specifier.startsWith(FROM_WORKING_DIRECTORY)) {
    const name = specifier.slice(FROM_WORKING_DIRECTORY.length);
    return nextResolve(name, { ...context, parentURL: settings.workingDirectory });
  }
  return nextResolve(specifier, context);
};
