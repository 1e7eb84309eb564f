import type { Context } from '../../context.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { AgentRow } from '../../entities/database.js';

/** Writes the event of a change of an agent: `agent.<event>`; `from` is the connection state it had before. */
export function recordAgentChange(
  context: Context,
  agent: AgentRow,
  event: string,
  from: string | null,
  reason: string | null,
  data: JsonObject | null = null,
): void {
  context.record({
    organizationId: agent.organizationId,
    subject: 'agent',
    subjectId: agent.id,
    agentId: agent.id,
    type: `agent.${event}`,
    from,
    to: agent.connectionState,
    reason,
    data,
  });
}
