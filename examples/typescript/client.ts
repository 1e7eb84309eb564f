import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { type BuildSummaryFragment, BuildDocument, FollowBuildDocument, type FollowBuildSubscription, PipelinesDocument, StartBuildDocument } from '../generated/graphql.js';

/** All a client needs: the types of variables and answer come with the document. */
export async function ask<Data, Variables>(endpoint: string, token: string, document: TypedDocumentNode<Data, Variables>, variables: Variables): Promise<Data> {
  const reply = await fetch(endpoint, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await reply.json()) as { data?: Data; errors?: { message: string }[] };
  if (!data || errors?.length) throw new Error(errors?.map(({ message }) => message).join('; ') ?? `HTTP ${reply.status}`);
  return data;
}

/** Starts a build of the first pipeline of an organization and says where it is to be seen. */
export async function startFirst(endpoint: string, token: string, organization: string): Promise<string | null> {
  const found = await ask(endpoint, token, PipelinesDocument, { organization, first: 1 });
  const pipeline = found.organization?.pipelines?.edges?.[0]?.node;
  if (!pipeline) return null;
  const made = await ask(endpoint, token, StartBuildDocument, { input: { pipelineID: pipeline.id, commit: 'HEAD', branch: 'main' } });
  return made.buildCreate?.build?.url ?? null;
}

/** States of the command jobs of a build. */
export async function jobStates(endpoint: string, token: string, slug: string): Promise<string[]> {
  const { build } = await ask(endpoint, token, BuildDocument, { slug });
  return (build?.jobs?.edges ?? []).flatMap((edge) => (edge?.node?.__typename === 'JobTypeCommand' ? [edge.node.state] : []));
}

/** What a line about a message of a followed build could say; `cursor` is what the next subscription starts after. */
export function tell({ build }: FollowBuildSubscription): string {
  const summary = build.build as unknown as BuildSummaryFragment | null;
  return `${build.cursor} ${build.event?.type ?? 'begun'} ${summary?.number ?? '?'}`;
}

export const followed = print(FollowBuildDocument);
