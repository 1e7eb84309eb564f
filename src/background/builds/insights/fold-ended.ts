import { sql } from 'kysely';
import {
  addPackedFigures,
  type Figures,
  addFigures,
  figuresOf,
  packFigures,
  type PackedFigures,
  type RollupKind,
  rollupKinds,
  sizeOf,
  type RollupSpan,
} from '../../../domain/builds/insights/rollup.js';
import { spanBegin } from '../../../domain/builds/insights/rollup-spans.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Db } from '../../../entities/database.js';
import { figuresOfRows } from '../../../resources/builds/insights/figures-of-rows.js';
import { jobsOfFewBuilds } from '../../../resources/builds/insights/insight-rows.js';

/** Builds whose hours are computed before the progress is stored. */
const buildsAtOnce = 2_000;
/** Hours, days or months of pipelines that one statement reads. */
const piecesAtOnce = 100;

/** An hour, day or month of a pipeline. */
interface Piece {
  organizationId: string;
  pipelineId: string;
  beginsAt: Date;
}

/** Figures of a piece by kind and key. */
type PieceFigures = Map<RollupKind, Map<string, Figures>>;

/**
 * Computes the rollups of the hours, days and months with builds that ended in a time, or in the beginning of it if
 * these are many. Gives the time until which it has. It may be repeated: nothing is counted twice.
 */
export async function foldEnded(db: Db, from: Date, to: Date): Promise<Date> {
  const until = await endOfPart(db, from, to);
  const { rows: hours } = await sql<Piece>`
    select distinct b.organization_id, b.pipeline_id, date_bin('1 hour', b.created_at, timestamptz 'epoch') as begins_at
    from organizations o join builds b on b.organization_id = o.id
    where b.finished_at >= ${from} and b.finished_at < ${until}`.execute(db);
  await inParts(hours, (part) => foldHours(db, part));
  const days = piecesOf('day', hours);
  await inParts(days, (part) => foldShorter(db, { span: 'day', shorter: 'hour' }, part));
  await inParts(piecesOf('month', days), (part) => foldShorter(db, { span: 'month', shorter: 'day' }, part));
  return until;
}

/** The end of a time, or an earlier one if more builds than are folded at once ended in it. */
async function endOfPart(db: Db, from: Date, to: Date): Promise<Date> {
  const { rows } = await sql<{ endedAt: Date }>`
    select f.finished_at as ended_at from organizations o cross join lateral (
      select b.finished_at from builds b
      where b.organization_id = o.id and b.finished_at >= ${from} and b.finished_at < ${to}
      order by b.finished_at limit ${buildsAtOnce + 1}) as f
    order by f.finished_at offset ${buildsAtOnce} limit 1`.execute(db);
  const end = rows[0]?.endedAt ?? to;
  // All of one moment go together, however many they are.
  return end > from ? end : new Date(from.getTime() + 1);
}

async function inParts(pieces: readonly Piece[], work: (part: readonly Piece[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < pieces.length; at += piecesAtOnce) await work(pieces.slice(at, at + piecesAtOnce));
}

/** The longer pieces that shorter ones are parts of, each once. */
function piecesOf(span: RollupSpan, parts: readonly Piece[]): Piece[] {
  const pieces = new Map<string, Piece>();
  for (const part of parts) {
    const piece = { ...part, beginsAt: new Date(spanBegin(span, part.beginsAt.getTime())) };
    pieces.set(keyOf(piece), piece);
  }
  return [...pieces.values()];
}

const keyOf = ({ pipelineId, beginsAt }: Pick<Piece, 'pipelineId' | 'beginsAt'>): string =>
  `${pipelineId} ${beginsAt.getTime()}`;

const list = (pieces: readonly Piece[], values: Record<string, (piece: Piece) => Date>) =>
  sql`unnest(${sql.join([
    sql`${pieces.map(({ pipelineId }) => pipelineId)}::uuid[]`,
    ...Object.values(values).map((value) => sql`${pieces.map((piece) => value(piece).toISOString())}::timestamptz[]`),
  ])}) as t(pipeline_id, ${sql.join(Object.keys(values).map((name) => sql.ref(name)))})`;

async function foldHours(db: Db, hours: readonly Piece[]): Promise<void> {
  const pieces = list(hours, { beginsAt: ({ beginsAt }) => beginsAt });
  const builds = sql`
    select b.id, b.pipeline_id, b.branch, b.created_at, b.state = 'failed' as failed,
      extract(epoch from b.finished_at - b.started_at)::float8 as duration
    from ${pieces} cross join lateral (
      select id, pipeline_id, branch, created_at, state, started_at, finished_at from builds
      where pipeline_id = t.pipeline_id and finished_at is not null and culprit_search_id is null
        and created_at >= t.begins_at and created_at < t.begins_at + interval '1 hour' offset 0) as b`;
  const jobs = jobsOfFewBuilds();
  const kinds = rollupKinds.map((kind) => ({ kind, areOfJobs: kind === 'queue' || kind === 'step' }));
  const byPiece = new Map<string, PieceFigures>();
  for (const { kind, key, figures, ...piece } of await figuresOfRows(db, { builds, jobs, kinds, every: 'hour' }))
    addFigures(figuresOf(keysOf(byPiece, keyOf(piece), kind), key), figures);
  await store(db, 'hour', hours, byPiece);
}

/** Adds the figures of shorter rollups up. */
async function foldShorter(
  db: Db,
  { span, shorter }: { span: RollupSpan; shorter: RollupSpan },
  pieces: readonly Piece[],
): Promise<void> {
  const longer = list(pieces, {
    beginsAt: ({ beginsAt }) => beginsAt,
    endsAt: ({ beginsAt }) => new Date(spanBegin(span, beginsAt.getTime(), 1)),
  });
  const { rows } = await sql<Pick<Piece, 'pipelineId' | 'beginsAt'> & { kind: RollupKind; figures: PackedFigures[] }>`
    select t.pipeline_id, t.begins_at, r.kind, r.figures
    from ${longer} join insight_rollups r on r.pipeline_id = t.pipeline_id and r.span = ${shorter}
      and r.begins_at >= t.begins_at and r.begins_at < t.ends_at`.execute(db);
  const byPiece = new Map<string, PieceFigures>();
  for (const { kind, figures, ...piece } of rows) {
    const keys = keysOf(byPiece, keyOf(piece), kind);
    for (const packed of figures) addPackedFigures(figuresOf(keys, packed[0]), packed);
  }
  await store(db, span, pieces, byPiece);
}

function keysOf(byPiece: Map<string, PieceFigures>, piece: string, kind: RollupKind): Map<string, Figures> {
  let kinds = byPiece.get(piece);
  if (!kinds) byPiece.set(piece, (kinds = new Map()));
  let keys = kinds.get(kind);
  if (!keys) kinds.set(kind, (keys = new Map()));
  return keys;
}

async function store(
  db: Db,
  span: RollupSpan,
  pieces: readonly Piece[],
  byPiece: ReadonlyMap<string, PieceFigures>,
): Promise<void> {
  const rows = pieces.flatMap((piece) =>
    [...(byPiece.get(keyOf(piece)) ?? [])].map(([kind, byKey]) => {
      const figures = packFigures(byKey, limits.rollupKeys);
      return {
        organization_id: piece.organizationId,
        kind,
        begins_at: piece.beginsAt,
        pipeline_id: piece.pipelineId,
        builds: [...byKey.values()].reduce((sum, { builds }) => sum + builds, 0),
        keys: sizeOf(figures),
        figures,
      };
    }),
  );
  if (rows.length === 0) return;
  // Figures of fewer builds than before are those of rows of which retention has deleted some. A pipeline that was
  // deleted meanwhile gets none.
  await sql`
    insert into insight_rollups (organization_id, kind, span, begins_at, pipeline_id, builds, keys, figures)
    select r.organization_id, r.kind, ${span}, r.begins_at, r.pipeline_id, r.builds, r.keys, r.figures
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      organization_id uuid, kind text, begins_at timestamptz, pipeline_id uuid, builds int, keys int, figures jsonb)
    join pipelines p on p.id = r.pipeline_id
    on conflict (organization_id, kind, span, begins_at, pipeline_id) do update
      set builds = excluded.builds, keys = excluded.keys, figures = excluded.figures
      where excluded.builds >= insight_rollups.builds`.execute(db);
}
