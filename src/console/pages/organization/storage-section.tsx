import { Link } from '@tanstack/react-router';
import { graphql, useFragment } from 'react-relay';
import type { storageSection_organization$key } from '../../__generated__/storageSection_organization.graphql';
import { texts } from '../../texts/texts';
import { Figures } from '../../ui/figures';
import { Table } from '../../ui/page';
import { Section } from '../../ui/section';
import { sizeText } from '../../ui/size-text';
import { RelativeTime } from '../../ui/time';

const fragment = graphql`
  fragment storageSection_organization on Organization {
    slug
    storage {
      countedAt
      totals {
        kind
        bytes
      }
      pipelines {
        pipeline {
          id
          name
          slug
        }
        sizes {
          kind
          rows
          bytes
        }
      }
      disk {
        freeBytes
        reserveBytes
      }
    }
  }
`;

/** Pipelines that are named: whoever looks for room begins with the largest. */
const mostPipelines = 20;
const columns = ['LOGS', 'ARTIFACTS', 'BUILDS'] as const;

/** How much of the storage the organization has, by kind and pipeline. */
export function StorageSection({ organization }: { organization: storageSection_organization$key }) {
  const { slug, storage } = useFragment(fragment, organization);
  const { storage: words } = texts.organization;
  if (!storage) return null;
  const named = storage.pipelines
    .flatMap(({ pipeline, sizes }) => (pipeline ? [{ pipeline, sizes }] : []))
    .slice(0, mostPipelines);
  const ofKind = (sizes: (typeof named)[number]['sizes'], kind: string) => sizes.find((size) => size.kind === kind);
  return (
    <Section title={words.title}>
      {storage.countedAt == null ? (
        <p className="muted">{words.notCounted}</p>
      ) : (
        <p className="muted">
          {words.counted} <RelativeTime at={storage.countedAt} />
        </p>
      )}
      <Figures
        label={words.title}
        figures={[
          ...storage.totals.map(({ kind, bytes }): [string, string] => [
            (words.kinds as Record<string, string>)[kind] ?? kind,
            sizeText(bytes),
          ]),
          ...(storage.disk ? [[words.free, sizeText(storage.disk.freeBytes)] as [string, string]] : []),
        ]}
      />
      <Table
        label={words.byPipeline}
        items={named}
        keyOf={({ pipeline }) => pipeline.id}
        empty={words.none}
        columns={[
          {
            title: words.pipeline,
            cell: ({ pipeline }) => (
              <Link to="/$organization/$pipeline" params={{ organization: slug, pipeline: pipeline.slug }}>
                {pipeline.name}
              </Link>
            ),
          },
          ...columns.map((kind) => ({
            title: words.kinds[kind],
            cell: ({ sizes }: (typeof named)[number]) => (
              <span className="tabular">{sizeText(ofKind(sizes, kind)?.bytes ?? 0)}</span>
            ),
          })),
        ]}
      />
    </Section>
  );
}
