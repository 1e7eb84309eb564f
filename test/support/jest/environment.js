import { TestEnvironment } from 'jest-environment-node';

/**
 * Node's environment, made once a worker process and lent to one test file after the other, so that what
 * `runtime.js` keeps loaded stays in the global scope it was loaded in. What the test framework leaves in that scope
 * is taken out after each file, since its next instance would add to it.
 */
export default class WorkerEnvironment extends TestEnvironment {
  /** @type {WorkerEnvironment | undefined} */
  static #lent;
  #exit;
  /** @type {WeakRef<NodeJS.Timeout>[]} */
  #timers = [];

  constructor(...given) {
    if (WorkerEnvironment.#lent) return WorkerEnvironment.#lent;
    super(...given);
    const { process, setTimeout } = this.global;
    this.#exit = process.exit;
    const noted = (...args) => {
      const timer = setTimeout(...args);
      this.#timers.push(new WeakRef(timer));
      return timer;
    };
    this.global.setTimeout = Object.defineProperties(noted, Object.getOwnPropertyDescriptors(setTimeout));
    WorkerEnvironment.#lent = this;
  }

  async teardown() {
    for (const key of Object.getOwnPropertySymbols(this.global)) {
      if (key.description === 'EVENT_HANDLERS' || key.description === 'JEST_STATE_SYMBOL') delete this.global[key];
    }
    this.global.process.exit = this.#exit;
    // The embedded database sets itself alarms, seconds away: an idle one must not keep the worker from ending.
    for (const timer of this.#timers.splice(0)) timer.deref()?.unref();
  }
}
