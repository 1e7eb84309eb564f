import type { Random } from './random.js';

type YamlStep = Record<string, unknown> | string;
type Kind = 'command' | 'barrier' | 'input' | 'trigger' | 'group';

export interface Surroundings {
  /** Distinguishes concurrency groups of different runs in one database. */
  name: string;
  /** Slugs of pipelines that may be triggered; one that does not exist among them is fine. */
  triggers: readonly string[];
}

/** The slots of each concurrency group, the same wherever the group is named. */
export const groupLimits = { one: 1, two: 2 } as const;

/** A pipeline definition that parses, as YAML (JSON is YAML). Barriers never stand side by side. */
export function randomPipeline(random: Random, surroundings: Surroundings): string {
  const generator = new Generator(random, surroundings);
  return JSON.stringify({ steps: generator.steps() }, null, 1);
}

/** What a job uploads: a few steps with keys of their own, now and then one that the build has already. */
export function randomUpload(random: Random): { steps: YamlStep[] } {
  const prefix = `u${random.below(1_000_000)}`;
  const steps = Array.from({ length: 1 + random.below(2) }, (_, index): YamlStep => {
    const command = {
      command: 'true',
      key: random.chance(0.15) ? `step-${1 + random.below(4)}` : `${prefix}-${index}`,
      ...(random.chance(0.2) ? { parallelism: 2 } : {}),
      ...(random.chance(0.2) ? { depends_on: `step-${1 + random.below(4)}` } : {}),
      ...(random.chance(0.2) ? { retry: { automatic: { exit_status: 1, limit: 1 } } } : {}),
      ...(random.chance(0.2) ? { soft_fail: true } : {}),
    };
    return random.chance(0.2) ? { group: 'Group', key: `${prefix}-g${index}`, steps: [command] } : command;
  });
  return { steps: random.chance(0.25) ? [...steps, 'wait', { command: 'true', key: `${prefix}-last` }] : steps };
}

class Generator {
  private readonly keys: string[] = [];
  private count = 0;

  constructor(
    private readonly random: Random,
    private readonly surroundings: Surroundings,
  ) {}

  steps(): YamlStep[] {
    const steps: YamlStep[] = [];
    let afterBarrier = true;
    const length = 2 + this.random.below(6);
    for (let index = 0; index < length; index += 1) {
      const kind: Kind = this.random.weighted({
        command: 10,
        barrier: afterBarrier ? 0 : 5,
        input: 1,
        trigger: 2,
        group: 2,
      });
      steps.push(this.stepOf(kind));
      afterBarrier = kind === 'barrier';
    }
    return steps;
  }

  private stepOf(kind: Kind): YamlStep {
    switch (kind) {
      case 'command':
        return this.command();
      case 'barrier':
        return this.barrier();
      case 'input':
        return this.input();
      case 'trigger':
        return this.trigger();
      case 'group':
        return this.group();
    }
  }

  private command(): YamlStep {
    const { random } = this;
    const group = random.chance(0.35) ? random.weighted({ one: 2, two: 1 }) : null;
    return {
      ...this.common(),
      command: 'true',
      ...(random.chance(0.2) ? { parallelism: 2 } : {}),
      ...(group
        ? {
            concurrency: groupLimits[group],
            concurrency_group: `${group}-${this.surroundings.name}`,
            ...(random.chance(0.4) ? { concurrency_method: 'eager' } : {}),
          }
        : {}),
      ...(random.chance(0.3)
        ? { retry: { automatic: random.chance(0.5) ? { exit_status: 1, limit: 1 } : [{ exit_status: '*', limit: 2 }] } }
        : {}),
      ...(random.chance(0.2) ? { soft_fail: random.chance(0.5) ? true : [{ exit_status: 1 }] } : {}),
      ...(random.chance(0.2) ? { timeout_in_minutes: 1 } : {}),
      ...(random.chance(0.1) ? { priority: random.below(5) } : {}),
      ...(random.chance(0.08) ? { skip: 'not today' } : {}),
      ...(random.chance(0.1) ? { cancel_on_build_failing: true } : {}),
    };
  }

  private barrier(): YamlStep {
    const { random } = this;
    if (random.chance(0.6)) return random.chance(0.3) ? { wait: null, continue_on_failure: true } : 'wait';
    return {
      block: 'Go on?',
      ...(random.chance(0.5) ? { blocked_state: random.weighted({ passed: 1, failed: 1, running: 1 }) } : {}),
    };
  }

  private input(): YamlStep {
    return { ...this.common(), input: 'Say something' };
  }

  private trigger(): YamlStep {
    const { random } = this;
    return {
      ...this.common(),
      trigger: random.pick(this.surroundings.triggers) ?? 'nothing',
      ...(random.chance(0.4) ? { async: true } : {}),
      ...(random.chance(0.2) ? { soft_fail: true } : {}),
    };
  }

  private group(): YamlStep {
    const common = this.common();
    return { ...common, group: 'Group', steps: Array.from({ length: 1 + this.random.below(2) }, () => this.command()) };
  }

  /** A key, and perhaps dependencies on steps above. */
  private common(): Record<string, unknown> {
    const { random } = this;
    const above = [...this.keys];
    this.count += 1;
    const key = `step-${this.count}`;
    this.keys.push(key);
    if (above.length === 0 || !random.chance(0.3)) return { key };
    const on = random.pick(above);
    return {
      key,
      depends_on: random.chance(0.15) ? null : random.chance(0.3) ? [{ step: on, allow_failure: true }] : [on],
      ...(random.chance(0.1) ? { allow_dependency_failure: true } : {}),
    };
  }
}
