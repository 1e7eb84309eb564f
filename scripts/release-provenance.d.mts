interface Release {
  digests: ReadonlyMap<string, string>;
  commit: string | null;
  repository: string | null;
  lockDigest: string;
  tools: Record<string, string>;
  times: { startedOn: string; finishedOn: string };
}

interface Statement {
  subject: { name: string; digest: { sha256: string } }[];
  predicate: { buildDefinition: { resolvedDependencies: object[] } };
}

export function describeProvenance(release: Release): Statement;
