/**
 * Large columns that lists do not read, because no list shows them: loaders read those that a single field or a view
 * shows (`long-texts.ts`), after their bytes are known. `ShownRow` lacks them, so that a list that reads one does not
 * compile.
 */
export const unshownColumns = {
  builds: ['notify', 'stepNotify', 'pipelineEnv', 'conditions'],
  notifications: ['payload'],
  pipelines: ['configuration', 'visualSteps'],
  suite_executions: ['failureExpanded'],
} as const;

export type TableWithUnshown = keyof typeof unshownColumns;
