/**
 * From what the files of a release were made, as an in-toto statement with SLSA's provenance predicate (slsa.dev/provenance/v1). It
 * is not signed: whoever publishes a release signs SHA256SUMS, which names it.
 * @param release `digests`: SHA-256 by file; `commit` and `repository` that was built; `lockDigest`: SHA-256 of package-lock.json;
 *   `tools`: versions by name; `times`: `startedOn`, `finishedOn` in ISO 8601
 */
export function describeProvenance({ digests, commit, repository, lockDigest, tools, times }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...digests].map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://docs.npmjs.com/cli/commands/npm-pack',
        externalParameters: { script: 'scripts/release.mjs' },
        internalParameters: { tools },
        resolvedDependencies: [
          { ...(repository && { uri: `git+${repository}` }), name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lockDigest } },
        ],
      },
      runDetails: { builder: { id: 'local' }, metadata: times },
    },
  };
}
