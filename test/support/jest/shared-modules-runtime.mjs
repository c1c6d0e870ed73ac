// Jest loads every module again for each spec file, which costs seconds of processor time a file and keeps little apart:
// packages and the product hold no state that one test makes and another must not see. So each worker loads those once.
// Spec files and their support are loaded for each file, as ever.
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import Runtime from 'jest-runtime';

const PACKAGES = `${sep}node_modules${sep}`;
const OF_ONE_FILE = /^@jest\/globals|\.spec\.ts$|\/packages\/(testing\/src|sip\/testing)\//;

const nativeRequire = createRequire(import.meta.url);

/** Evaluated ES modules by the key of Jest's registry. Whatever one of them imports is one of them. */
const sharedModules = new Map();
/** Loads what a shared module imports while it works: the file that runs now is not always the one that loaded it. */
let importNow;

const isPackage = (path) => path.includes(PACKAGES) && !path.endsWith('.json');

export default class SharedModulesRuntime extends Runtime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    this.tests = pathToFileURL(`${config.rootDir}/test/`).href;
    this.runInMainRealm();
    this.leavePackagesToNode();
    this.leaveRequireToNode();
    this.takeSharedModules();
  }

  /** Without a context, node runs a module in the realm of its caller. */
  runInMainRealm() {
    const { executor, esmLoader } = this;
    esmLoader.getContext = () => undefined;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: (specifier, _function, attributes) =>
          executor.dynamicImport(specifier, filename, undefined, attributes),
      });
  }

  leavePackagesToNode() {
    const { _resolution: resolution, esmLoader } = this;
    const shouldLoadAsEsm = resolution.shouldLoadAsEsm.bind(resolution);
    resolution.shouldLoadAsEsm = (path) => !isPackage(path) && shouldLoadAsEsm(path);
    // From node 22 on Jest looks into the text as well.
    const isUnmarkedEsm = esmLoader.pendingCjsBuildIsUnmarkedEsm.bind(esmLoader);
    esmLoader.pendingCjsBuildIsUnmarkedEsm = (build) => !isPackage(build.modulePath) && isUnmarkedEsm(build);
  }

  /** A shared module outlives the runtime of the file that loaded it, and a `require` of that runtime finds nothing any more. */
  leaveRequireToNode() {
    const { coreModule } = this;
    const requireCore = coreModule.require.bind(coreModule);
    coreModule.require = (name) =>
      /^(?:node:)?module$/.test(name) ? nativeRequire(name) : requireCore(name);
  }

  takeSharedModules() {
    const registry = this.registries.getActiveEsmRegistry();
    for (const [key, module] of sharedModules) registry.set(key, module);
    const { esmLoader } = this;
    importNow = esmLoader.dynamicImport;
    esmLoader.dynamicImport = (...request) => importNow(...request);
  }

  /** Jest's own modules stay with the file whose tests they run. */
  requireModule(from, name, options, isRequireActual) {
    if (!options?.isInternalModule && !(name && this._resolution.isCoreModule(name))) {
      const path = name ? this._resolution.resolveCjs(from, name) : from;
      if (isPackage(path)) return nativeRequire(path);
    }
    return super.requireModule(from, name, options, isRequireActual);
  }

  /** The process is the real one here, and keeps its own. */
  installGetBuiltinModule() {}

  teardown() {
    for (const [key, module] of this.registries.getActiveEsmRegistry()) {
      const isOfOneFile = OF_ONE_FILE.test(key) || key.startsWith(this.tests);
      if (module.status === 'evaluated' && !isOfOneFile) sharedModules.set(key, module);
    }
    super.teardown();
  }
}
