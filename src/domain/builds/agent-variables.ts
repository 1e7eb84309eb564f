/** Variables that the agent itself sets, and patterns for families of them. */
const names = new Set([
  'AGENT_ENDPOINT',
  'AGENT_ACCESS_TOKEN',
  'AGENT_TOKEN',
  'AGENT_DEBUG',
  'AGENT_DEBUG_HTTP',
  'AGENT_PID',
  'AGENT_EXPERIMENT',
  'AGENT_JOB_TIMEOUT_FILE',
  'AGENT_JOB_API_SOCKET',
  'AGENT_JOB_API_TOKEN',
  'BIN_PATH',
  'BUILD_PATH',
  'BUILD_CHECKOUT_PATH',
  'CONFIG_PATH',
  'HOOKS_PATH',
  'PLUGINS_PATH',
  'SOCKETS_PATH',
  'COMMAND_EVAL',
  'PLUGINS_ENABLED',
  'LOCAL_HOOKS_ENABLED',
  'SHELL',
  'HOOKS_SHELL',
  'REDACTED_VARS',
  'SSH_KEYSCAN',
  'STRICT_SINGLE_HOOKS',
  'NO_HTTP2',
  'ENV_FILE',
  'ENV_JSON_FILE',
  'SECRETS_CONFIG',
  'SIGNAL_GRACE_PERIOD_SECONDS',
  'CHECKOUT_ATTEMPTS',
  'CHECKOUT_OVERRIDE_MODE',
  'COMMAND_EXIT_STATUS',
  'JOB_CANCELLED',
  'JOB_TIMED_OUT',
]);
const families = [/^GIT_\w+_FLAGS$/, /^GIT_MIRRORS_/, /^CANCEL_/, /^TRACING_/];

/**
 * Whether a variable belongs to the agent, in any case, since some systems know no case: no build, pipeline, step,
 * schedule or trigger gives it a value, or a job could take another's access token or turn the agent's guards off.
 */
export function isAgentOwned(variable: string): boolean {
  const [, name] = /^BUILDKITE_(\w+)$/.exec(variable.toUpperCase()) ?? [];
  return name !== undefined && (names.has(name) || families.some((family) => family.test(name)));
}
