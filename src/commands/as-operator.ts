import type { AnyOperation } from '../core/operation.js';

/**
 * Performs an operation on the configured database, for a command of the operator: access to the database is access to
 * everything, so the operator acts as the system. `cause` is the command line that events and audit rows name.
 */
export async function asOperator<O extends AnyOperation>(
  cause: string,
  operation: O,
  input: object,
): Promise<Awaited<ReturnType<O['run']>>> {
  const { perform } = await import('../core/operation.js');
  const { Context } = await import('../request/context.js');
  const { v7: newRequestId } = await import('uuid');
  const { withInstallation } = await import('./with-installation.js');
  const actor = { kind: 'system', cause } as const;
  const output: unknown = await withInstallation(({ services }) =>
    perform(operation, new Context(services, { actor, surface: 'system', requestId: newRequestId() }), input),
  );
  return output as Awaited<ReturnType<O['run']>>;
}
