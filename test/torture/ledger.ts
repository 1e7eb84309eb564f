import type { Answer, HttpCaller } from '../replicas/http-caller.js';

/** What a caller was answered with success, to be found again after every kill. */
export interface AcknowledgedBuild {
  id: string;
  number: number;
  message: string;
}

/** Counts what was acknowledged, and remembers what can be looked up. */
export class TortureLedger {
  /** Writes answered with 2xx. */
  acknowledged = 0;
  readonly builds: AcknowledgedBuild[] = [];
  /** Messages of builds whose creation was answered 4xx. */
  readonly refused: string[] = [];
  /** Names of teams whose creation and deletion were acknowledged. */
  readonly teams: string[] = [];
  /** Text added to annotations, by build. */
  readonly notes: { build: string; text: string }[] = [];

  /** The answer, counted where it acknowledges a write. */
  note(answer: Answer): Answer {
    if (answer.status >= 200 && answer.status < 300) this.acknowledged += 1;
    return answer;
  }
}

/** A caller whose writes are counted: everything but GET, and pings. */
export function counted(caller: HttpCaller, ledger: TortureLedger): HttpCaller {
  const call = caller.call.bind(caller);
  caller.call = async (method, path, headers, body) => {
    const answer = await call(method, path, headers, body);
    return method === 'GET' ? answer : ledger.note(answer);
  };
  return caller;
}
