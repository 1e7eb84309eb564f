import type { FieldProblem } from '../../../domain/problem.js';

export type ProvisionedKind =
  | 'user'
  | 'organization'
  | 'member'
  | 'cluster'
  | 'queue'
  | 'agent token'
  | 'team'
  | 'team member'
  | 'team pipeline'
  | 'suite'
  | 'pipeline'
  | 'schedule'
  | 'template'
  | 'rule'
  | 'secret'
  | 'notification service'
  | 'provider connection'
  | 'API token';

export interface ProvisioningChange {
  action: 'created' | 'updated' | 'deleted';
  kind: ProvisionedKind;
  /** Full name, such as `acme/Default/macos`; never a secret. */
  name: string;
  /** Names of the updated fields. */
  fields?: string[];
}

/** Something that was revoked or deleted on purpose and is not brought back. */
export interface ProvisioningKept {
  kind: ProvisionedKind;
  name: string;
  reason: 'revoked' | 'deleted';
}

export interface ProvisioningOutcome {
  changes: ProvisioningChange[];
  kept: ProvisioningKept[];
}

/** A change with the fields of its audit row. */
export interface LedgerEntry extends ProvisioningChange {
  id: string;
  organizationId: string | null;
}

/** Changes, skipped entries and problems of one application of a plan. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  readonly kept: ProvisioningKept[] = [];
  readonly problems: FieldProblem[] = [];

  /** Counts an entry once: columns set right after its creation are part of the creation. */
  note(entry: LedgerEntry): void {
    const former = this.entries.find(({ kind, id }) => kind === entry.kind && id === entry.id);
    if (!former) this.entries.push(entry);
    else if (former.action === 'updated')
      former.fields = [...new Set([...(former.fields ?? []), ...(entry.fields ?? [])])];
  }

  keep(kind: ProvisionedKind, name: string, reason: ProvisioningKept['reason']): void {
    this.kept.push({ kind, name, reason });
  }

  /** `path` as in the plan, dots between: `organizations.0.defaultCluster`. */
  refuse(path: string, message: string): void {
    this.problems.push({ field: path, code: message });
  }

  outcome(): ProvisioningOutcome {
    const changes = this.entries.map(({ action, kind, name, fields }) => ({
      action,
      kind,
      name,
      ...(fields ? { fields } : {}),
    }));
    return { changes, kept: this.kept };
  }
}
