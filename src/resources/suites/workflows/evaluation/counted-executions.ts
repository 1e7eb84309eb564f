import { isMatch, readMatch, readTagFilter, resultTag } from '../../../../domain/suites/test-filters.js';
import type { SuiteRunRow, TestWorkflowRow } from '../../../../entities/database.js';
import type { StoredExecution } from '../../uploads/store-executions.js';
import type { ExecutionsByTest } from './verdict.js';

/** The tag of an execution; of some that the run or the execution says itself (`measured-tests/conditions.ts`). */
function tagOf(run: SuiteRunRow, { source }: StoredExecution, key: string): string | null {
  if (key === resultTag) return source.result;
  if (key === 'build.id') return run.buildId;
  const tag = Object.hasOwn(source.tags, key) ? source.tags[key] : undefined;
  if (tag !== undefined) return tag;
  if (key === 'scm.branch') return run.branch;
  if (key === 'scm.commit_sha') return run.commitSha;
  return key === 'code.file.path' ? source.fileName : null;
}

/** The executions of an upload that count for a workflow, by the branch of their run and by their tags. */
export function countedExecutions(
  { monitor, tagFilters }: TestWorkflowRow,
  run: SuiteRunRow,
  executions: readonly StoredExecution[],
): ExecutionsByTest {
  if (monitor.branch !== null && !isMatch(run.branch, readMatch(monitor.branch))) return new Map();
  const filters = tagFilters.flatMap((filter) => {
    const read = readTagFilter(filter);
    return 'problem' in read ? [] : [read];
  });
  const counted = executions.filter((execution) =>
    filters.every(({ key, match }) => isMatch(tagOf(run, execution, key), match)),
  );
  const byTest = new Map<string, StoredExecution[]>();
  for (const execution of counted) {
    const known = byTest.get(execution.testId);
    if (known) known.push(execution);
    else byTest.set(execution.testId, [execution]);
  }
  // In one order everywhere, so that uploads at the same time do not wait for each other in a circle.
  return new Map([...byTest].sort(([one], [other]) => (one < other ? -1 : 1)));
}
