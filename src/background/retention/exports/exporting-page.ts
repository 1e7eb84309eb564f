import type { BuildKind } from '../../../domain/retention/policy.js';
import type { DueBuild } from '../pass/due-builds.js';
import type { AgingPipeline } from '../pass/policies.js';
import type { Pass } from '../pass/pass-state.js';
import { exportDue } from './export-due.js';
import { knownExports } from './export-rows.js';

/** What may go of some builds; `exported` is null where nothing is exported first. */
interface MayGo {
  ids: readonly string[];
  exported: ReadonlyMap<string, number> | null;
}

/** The due builds of a page in a pass: exported before they go, or held, where their organization asks for it. */
export class ExportingPage {
  private constructor(
    private readonly pass: Pass,
    private readonly pipeline: AgingPipeline,
    private readonly holding: Set<string>,
    /** Whether nothing can be exported at present. */
    public isOut: boolean,
  ) {}

  static async of(pass: Pass, pipeline: AgingPipeline, due: readonly DueBuild[]): Promise<ExportingPage> {
    const isOut = pass.progress.exportsAreOut ?? false;
    const ids = pipeline.buildExport ? due.filter(goesWhole).map(({ id }) => id) : [];
    const waiting = isOut ? ids : (await knownExports(pass.services, ids)).waiting;
    return new ExportingPage(pass, pipeline, new Set(waiting), isOut);
  }

  /** Whether a build stays, although it is due, because it is not exported. */
  isHeld(id: string): boolean {
    return this.holding.has(id);
  }

  get holds(): number {
    return this.holding.size;
  }

  /** Does what is to be done before something of builds goes; returns which of them may. */
  async before(kind: BuildKind, ids: readonly string[]): Promise<MayGo> {
    if (kind !== 'builds' || !this.pipeline.buildExport) return { ids, exported: null };
    const turn = this.isOut ? none : await exportDue(this.pass.services, this.pipeline, ids, this.pass);
    this.isOut ||= turn.isOut;
    const { exported } = turn;
    for (const id of this.isOut ? ids.filter((each) => !exported.has(each)) : turn.failed) this.holding.add(id);
    return { ids: [...exported.keys()], exported };
  }
}

const goesWhole = ({ kinds }: DueBuild) => kinds.includes('builds');
const none = { exported: new Map<string, number>(), failed: [], isOut: true };
