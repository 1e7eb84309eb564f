import { jobStateColumns, lastStamp, notBefore } from '../../../src/domain/builds/job-columns.js';
import { isTerminal, jobStates } from '../../../src/domain/builds/job-state.js';

const at = (seconds: number) => new Date(seconds * 1000);
const job = { type: 'command' as const, createdAt: at(10), timeoutInMinutes: null, expiryInMinutes: 60 };

test('no time of a job is before one that it has, though the clock went back', () => {
  const accepted = { ...job, runnableAt: at(20), assignedAt: at(30), acceptedAt: at(40), startedAt: null };
  expect(lastStamp(accepted)).toEqual(at(40));
  expect(notBefore(at(35), at(40), null)).toEqual(at(40));
  expect(jobStateColumns(accepted, 'running', at(35)).startedAt).toEqual(at(40));
  expect(jobStateColumns(accepted, 'running', at(45)).startedAt).toEqual(at(45));
});

test('a job that returns to its queue forgets its agent and the times of the offer', () => {
  const columns = jobStateColumns({ ...job, assignedAt: at(30), acceptedAt: at(40) }, 'scheduled', at(35));
  expect(columns).toEqual({
    state: 'scheduled',
    runnableAt: at(35),
    deadlineAt: at(10 + 3600),
    agentId: null,
    stackId: null,
    assignedAt: null,
    acceptedAt: null,
    uploadCount: null,
  });
});

test('every terminal state but those of released blocks that failed has the time of the end and no deadline', () => {
  for (const state of jobStates) {
    const { finishedAt, deadlineAt } = jobStateColumns(job, state, at(50));
    if (isTerminal(state)) expect(deadlineAt).toBeNull();
    expect(finishedAt !== undefined).toBe(isTerminal(state) && state !== 'unblocked_failed');
  }
});
