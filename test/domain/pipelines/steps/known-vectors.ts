/** Definitions that this service refuses although the agent's parser, which checks less, reads them. */
const noSteps = 'steps: The definition has no "steps".';
const noType =
  'steps[0]: The step has no type: it needs one of command, commands, plugins, wait, waiter, block, input, manual, trigger, group.';
const usedKey = 'The key "setup" has already been used by another step in this build';
const badKey = 'may only contain letters, digits, and the characters _ - : . ,';
export const refused: Record<string, string> = {
  // Fragments of the top of a document, shown without the required `steps`.
  ...Object.fromEntries(
    [
      '211',
      '268',
      '271',
      '272',
      '285',
      '298',
      '300',
      '301',
      '302',
      '303',
      '306',
      '310',
      '314',
      '320',
      '321',
      '322',
      '438',
      '449',
      '546',
    ].map((number) => [`docs-${number}`, noSteps]),
  ),
  // Fragments one below the other: read as one document, it has a key twice.
  'docs-183': ': The definition is not valid YAML: the key "command" is repeated at line 5, column 1.',
  // Steps of a label and `if_changed` only: the agent keeps them as unknown, the server refuses unknown kinds.
  ...Object.fromEntries(['241', '245', '246', '247'].map((number) => [`docs-${number}`, noType])),
  // Keys must be unique in the build, and have no spaces.
  'mig-049': `steps[1].steps[0].key: ${usedKey}`,
  'mig-058': `steps[0].key: The key "build-{{ matrix.version }}" ${badKey}`,
  'mig-105': `steps[1].key: The key "Stage Library" ${badKey}`,
  'mig-106': `steps[1].key: The key "Stage Library" ${badKey}`,
};

/**
 * Jobs where an adjustment names some dimensions only: here it adjusts every combination it matches, as its authors
 * mean it (`with: {pkg_arch: SKIP_FAKE_ARCH}, skip: true`); the count of the vectors lets such an adjustment match
 * nothing.
 */
export const otherJobCounts: Record<string, number> = {
  '066-buildkite-agent-pipeline-release-experimental-yml': 20,
  'mig-093': 17,
};
