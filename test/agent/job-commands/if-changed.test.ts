import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { applyIfChanged } from '../../../src/agent/pipeline-upload/if-changed.js';
import type { PipelineDocument } from '../../../src/agent/pipeline-upload/pipeline-text.js';
import { GitRepository } from '../../support/git-repository.js';
import { runCommandLine } from '../../support/job-command.js';

const skip = 'No changed file matches if_changed.';

describe('if_changed of uploaded steps', () => {
  const changed = ['src/app/main.go', 'notes/a/b.md', '.buildkite/pipeline.yml'];

  test.each([
    ['src/**', false],
    ['**.go', false],
    ['**/*.md', false],
    ['notes/*', true],
    ['notes/**', false],
    ['*.go', true],
    ['{lib,src}/app/ma?n.go', false],
    ['.buildkite/*', false],
    [['nothing', 'src/app/main.go'], false],
    [[], true],
    [{ include: '**' }, false],
    [{ include: '**', exclude: ['src/**', 'notes/**', '.buildkite/**'] }, true],
    [{ include: ['src/**', 'notes/**'], exclude: 'src/**' }, false],
    [{ include: 'src/**', exclude: '**.go' }, true],
  ])('%j skips the step: %s', async (condition, isSkipped) => {
    const step = { command: 'x', if_changed: condition as never };
    const { steps } = await applyIfChanged({ steps: [step] }, async () => changed, expect.fail);
    expect(steps).toEqual([isSkipped ? { command: 'x', skip } : { command: 'x' }]);
  });

  test('groups, their steps and triggers are decided; steps that cannot be skipped keep the condition', async () => {
    const pipeline = {
      steps: [
        { group: 'g', if_changed: 'no', steps: [{ command: 'a', if_changed: 'src/**' }, 'wait'] },
        { trigger: 't', if_changed: 'no' },
        { block: 'b', if_changed: 'no' },
        'wait',
      ],
    } as unknown as PipelineDocument;
    expect(await applyIfChanged(pipeline, async () => changed, expect.fail)).toEqual({
      steps: [
        { group: 'g', skip, steps: [{ command: 'a' }, 'wait'] },
        { trigger: 't', skip },
        { block: 'b', if_changed: 'no' },
        'wait',
      ],
    });
  });

  test('nothing is skipped where what changed is unknown or a condition cannot be read', async () => {
    const warnings: string[] = [];
    const warn = (message: string): void => void warnings.push(message);
    const steps = [{ command: 'x', if_changed: 'no' }];
    expect(await applyIfChanged({ steps }, async () => undefined, warn)).toEqual({ steps: [{ command: 'x' }] });
    expect(warnings).toEqual([]);
    const odd = [{ command: 'x', if_changed: { exclude: 'y' } }];
    expect(await applyIfChanged({ steps: odd }, async () => [], warn)).toEqual({ steps: [{ command: 'x' }] });
    expect(warnings).toHaveLength(1);
  });

  describe('in a repository', () => {
    let repository: GitRepository;
    const text = 'steps:\n- {command: go, if_changed: "**.go"}\n- {command: docs, if_changed: "docs/ä b.md"}\n';
    const upload = async (args: string[] = [], env: Record<string, string> = {}) => {
      const line = ['pipeline', 'upload', '--dry-run', ...args];
      const { out, err } = await runCommandLine(line, env, { cwd: repository.path, stdin: text });
      const { steps } = JSON.parse(out) as { steps: { command: string; skip?: string; if_changed?: string }[] };
      expect(steps.some((step) => 'if_changed' in step)).toBe(false);
      return { skipped: steps.filter((step) => step.skip === skip).map(({ command }) => command), err };
    };

    beforeEach(() => {
      repository = new GitRepository();
      repository.commit({ 'a.go': '1' });
      repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
      repository.git('checkout', '-q', '-b', 'topic');
    });
    afterEach(() => repository.remove());

    test('the files of a branch are those since it left its base', async () => {
      repository.commit({ 'docs/ä b.md': '1' });
      expect((await upload()).skipped).toEqual(['go']);
      repository.commit({ 'inner/b.go': '1' });
      expect((await upload()).skipped).toEqual([]);
    });

    test('a build of the base itself looks at its last commit', async () => {
      const { skipped, err } = await upload();
      expect(skipped).toEqual(['docs']);
      expect(err).toContain('looks at the last commit alone');
    });

    test('another base, a list of files, and no decision at all can be asked for', async () => {
      repository.commit({ 'docs/ä b.md': '1' });
      repository.git('update-ref', 'refs/remotes/origin/release', 'HEAD');
      repository.commit({ other: '1' });
      expect((await upload([], { BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'release' })).skipped).toEqual(['go', 'docs']);
      writeFileSync(join(repository.path, 'changed.txt'), 'x.go\n\n');
      expect((await upload(['--changed-files-path', 'changed.txt'])).skipped).toEqual(['docs']);
      expect((await upload(['--apply-if-changed=false'])).skipped).toEqual([]);
    });

    test('an unknown base skips nothing and says why', async () => {
      const { skipped, err } = await upload(['--git-diff-base', 'origin/nope', '--fetch-diff-base']);
      expect(skipped).toEqual([]);
      expect(err).toContain('what changed since origin/nope is not known');
    });
  });
});
