import { isAgentOwned } from '../../../src/domain/builds/agent-variables.js';
import { gitNameProblem } from '../../../src/domain/builds/git-name.js';

test.each([
  'BUILDKITE_AGENT_ACCESS_TOKEN',
  'buildkite_agent_access_token',
  'BUILDKITE_AGENT_ENDPOINT',
  'BUILDKITE_GIT_CLONE_FLAGS',
  'BUILDKITE_GIT_MIRRORS_PATH',
  'BUILDKITE_CANCEL_GRACE_PERIOD',
  'BUILDKITE_TRACING_BACKEND',
  'BUILDKITE_SHELL',
  'BUILDKITE_HOOKS_PATH',
  'BUILDKITE_AGENT_JOB_API_TOKEN',
])('a build cannot set %s, which belongs to the agent', (name) => expect(isAgentOwned(name)).toBe(true));

test.each([
  'BUILDKITE_CLEAN_CHECKOUT',
  'BUILDKITE_REFSPEC',
  'BUILDKITE_GIT_REMOTE_MIRROR_URL',
  'BUILDKITE_AGENT_META_DATA_QUEUE',
  'BUILDKITE_AGENT_NAME',
  'AGENT_TOKEN',
  'MY_BUILDKITE_SHELL',
  'BUILDKITE_SHELL_X',
])('a build may set %s', (name) => expect(isAgentOwned(name)).toBe(false));

test.each([
  ['', "can't be blank"],
  [' ', "can't be blank"],
  ['\t', "can't be blank"],
  ['a\nb', 'contains control characters or line breaks'],
  ['a\u0000', 'contains control characters or line breaks'],
  ['a\u2028b', 'contains control characters or line breaks'],
  ['main', null],
  ['feature/ä b', null],
  ['HEAD', null],
])('%j is checked as a branch or commit, with the problem %s', (name, problem) =>
  expect(gitNameProblem(name)).toBe(problem),
);
