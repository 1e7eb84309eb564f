import { v7 } from 'uuid';
import { Context, type Services } from '../context.js';

/** The context of an operator at the machine: whoever reaches the database may do everything. */
export function systemContext(services: Services, cause: string): Context {
  return new Context(services, { actor: { kind: 'system', cause }, door: 'system', requestId: v7() });
}
