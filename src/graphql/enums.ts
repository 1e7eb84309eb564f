/** Every enum of the schema: upper case on the wire, the product's own words inside. */
export * from './enums/agents.js';
export * from './enums/builds.js';
export * from './enums/culprits.js';
export * from './enums/hosted-agents.js';
export * from './enums/jobs.js';
export * from './enums/organizations.js';
export * from './enums/pipelines.js';
export * from './enums/suites.js';
export * from './enums/test-workflows.js';
