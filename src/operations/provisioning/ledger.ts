import type { FieldProblem } from '../../domain/problem.js';

export type ProvisionedKind =
  | 'user' | 'organization' | 'member' | 'cluster' | 'queue' | 'agent token' | 'team' | 'team member' | 'team pipeline' | 'suite' | 'API token';

export interface ProvisioningChange {
  action: 'created' | 'updated';
  kind: ProvisionedKind;
  /** Where it is, such as `acme/Default/macos`; never a secret. */
  name: string;
  /** What was updated. */
  fields?: string[];
}

/** Something that was revoked or deleted on purpose and is not brought back (rulings 13). */
export interface ProvisioningKept {
  kind: ProvisionedKind;
  name: string;
  reason: 'revoked' | 'deleted';
}

export interface ProvisioningOutcome {
  changes: ProvisioningChange[];
  kept: ProvisioningKept[];
}

/** A change with what its audit row needs. */
export interface LedgerEntry extends ProvisioningChange {
  id: string;
  organizationId: string | null;
}

/** What one application of a plan does, leaves and refuses. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  readonly kept: ProvisioningKept[] = [];
  readonly problems: FieldProblem[] = [];

  /** A thing counts once: what is set right after its creation is part of it. */
  note(entry: LedgerEntry): void {
    const former = this.entries.find(({ kind, id }) => kind === entry.kind && id === entry.id);
    if (!former) this.entries.push(entry);
    else if (former.action === 'updated') former.fields = [...new Set([...(former.fields ?? []), ...(entry.fields ?? [])])];
  }

  keep(kind: ProvisionedKind, name: string, reason: ProvisioningKept['reason']): void {
    this.kept.push({ kind, name, reason });
  }

  /** `path` as in the plan, dots between: `organizations.0.defaultCluster`. */
  refuse(path: string, message: string): void {
    this.problems.push({ field: path, code: message });
  }

  outcome(): ProvisioningOutcome {
    const changes = this.entries.map(({ action, kind, name, fields }) => ({ action, kind, name, ...(fields ? { fields } : {}) }));
    return { changes, kept: this.kept };
  }
}
