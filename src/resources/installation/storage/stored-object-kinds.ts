import { storedArtifacts } from './stored-artifacts.js';
import { storedLogs } from './stored-logs.js';

/** Everything that rows own in storage. */
export const storedObjectKinds = [storedLogs, storedArtifacts] as const;
