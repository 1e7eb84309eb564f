import { graphql, useFragment } from 'react-relay';
import type { buildBars_pipeline$key } from '../../__generated__/buildBars_pipeline.graphql';
import { texts } from '../../texts/texts';
import { stateName } from '../../ui/state';
import { lookOf } from '../../ui/state-tone';
import './pipelines.css';

const shown = 30;
const height = 30;
const pitch = 7;

const fragment = graphql`
  fragment buildBars_pipeline on Pipeline {
    builds(first: 30) {
      nodes {
        id
        number
        state
        startedAt
        finishedAt
      }
    }
  }
`;

/** The last thirty builds, oldest left; taller ones took longer. */
export function BuildBars({ pipeline }: { pipeline: buildBars_pipeline$key }) {
  const builds = [...(useFragment(fragment, pipeline).builds?.nodes ?? [])].reverse();
  if (builds.length === 0) return <span className="muted">{texts.pipelines.neverBuilt}</span>;
  const lengths = builds.map(({ startedAt, finishedAt }) =>
    startedAt ? Math.max(0, (finishedAt ? Date.parse(finishedAt) : Date.now()) - Date.parse(startedAt)) : 0,
  );
  const longest = Math.max(...lengths, 1);
  const first = shown - builds.length;
  return (
    <svg
      className="bars"
      role="img"
      aria-label={texts.pipelines.bars(builds.length, summary(builds))}
      viewBox={`0 0 ${shown * pitch} ${height}`}
      width={shown * pitch}
      height={height}
    >
      {builds.map((build, index) => {
        const tall = 6 + Math.sqrt((lengths[index] ?? 0) / longest) * (height - 6);
        return (
          <rect
            key={build.id}
            className={`tone-${lookOf(build.state).tone}`}
            x={(first + index) * pitch}
            y={height - tall}
            width={pitch - 2}
            height={tall}
            rx="1.500"
          >
            <title>{`#${build.number} ${stateName(build.state)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function summary(builds: readonly { state: string }[]): string {
  const counts = new Map<string, number>();
  for (const { state } of builds) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${stateName(state).toLowerCase()}`).join(', ');
}
