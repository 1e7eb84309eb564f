import { connectAgent } from './agents/connect.js';
import { disconnectAgent } from './agents/disconnect.js';
import { heartbeatAgent } from './agents/heartbeat.js';
import { readAgentMetrics } from './agents/metrics.js';
import { pingAgent } from './agents/ping.js';
import { registerAgent } from './agents/register.js';
import { registerArtifacts } from './artifacts/register.js';
import { searchArtifacts } from './artifacts/search.js';
import { updateArtifactStates } from './artifacts/update-states.js';
import { acceptJob } from './jobs/accept.js';
import { acquireJob } from './jobs/acquire.js';
import { appendLog } from './jobs/append-log.js';
import { finishJob } from './jobs/finish.js';
import { recordHeaderTimes } from './jobs/header-times.js';
import { readJobState } from './jobs/read-state.js';
import { startJob } from './jobs/start.js';
import { metaDataExists } from './meta-data/exists.js';
import { getMetaData } from './meta-data/get.js';
import { listMetaDataKeys } from './meta-data/keys.js';
import { setMetaDataBatch } from './meta-data/set-batch.js';
import { setMetaDataValue } from './meta-data/set.js';
import { readSecret } from './secrets/read.js';
import type { AnyOperation } from './operation.js';

/** What agents and their jobs ask for, on /v3 (agent-protocol.md). */
export const agentProtocol: readonly AnyOperation[] = [
  connectAgent,
  disconnectAgent,
  heartbeatAgent,
  readAgentMetrics,
  pingAgent,
  registerAgent,
  registerArtifacts,
  searchArtifacts,
  updateArtifactStates,
  acceptJob,
  acquireJob,
  appendLog,
  finishJob,
  recordHeaderTimes,
  readJobState,
  startJob,
  metaDataExists,
  getMetaData,
  listMetaDataKeys,
  setMetaDataBatch,
  setMetaDataValue,
  readSecret,
];
