import Runtime from 'jest-runtime';

/**
 * Jest's module loader, made once a worker process: the product, its packages and the tests' support are loaded once,
 * as a server does, instead of once for each test file. A test file is loaded when it is run, and the test framework
 * afresh for each. So a test may not count on modules without a past: what it needs new, it makes.
 */
export default class WorkerRuntime extends Runtime {
  /** @type {WorkerRuntime | undefined} */
  static #lent;

  constructor(...given) {
    const [, , , , , , testPath, globalConfig] = given;
    const lent = WorkerRuntime.#lent;
    if (lent) {
      lent.begin(testPath, globalConfig);
      return lent;
    }
    super(...given);
    WorkerRuntime.#lent = this;
  }

  begin(testPath, { watch, watchAll }) {
    // Watching is for changing files: each run must see them.
    if (watch || watchAll) this.resetModules();
    for (const part of [this.esmLoader, this.executor]) part.testPath = testPath;
    this._testPath = testPath;
    this.testState.state = 'loading';
    this.jestGlobals.cachedEnvGlobals = undefined;
  }

  teardown() {
    this.restoreAllMocks();
    this.registries.getInternalCjsRegistry().clear();
    this.testMainModule.reset();
    this.mockState.clear();
  }
}
