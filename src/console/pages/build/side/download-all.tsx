import { useState } from 'react';
import { fetchQuery, graphql } from 'react-relay';
import type { downloadAllQuery } from '../../../__generated__/downloadAllQuery.graphql';
import { environment } from '../../../relay/environment';
import { texts } from '../../../texts/texts';
import { Icon } from '../../../ui/icon';
import { showToast } from '../../../ui/toast';
import { sameOrigin } from './artifact-tree';

const document = graphql`
  query downloadAllQuery($build: ID, $job: ID) {
    artifactArchive(build: $build, job: $job) {
      url
    }
  }
`;

/** Downloads all artifacts of a build or a job as one archive; its address is asked for when it is wanted. */
export function DownloadAll({ buildId, jobId }: { buildId?: string | undefined; jobId?: string | undefined }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const variables = { build: buildId ?? null, job: jobId ?? null };
      const reply = await fetchQuery<downloadAllQuery>(environment, document, variables).toPromise();
      const url = reply?.artifactArchive?.url;
      if (url) window.location.assign(sameOrigin(url));
      else showToast({ text: texts.build.noArchive, tone: 'bad' });
    } catch (error) {
      showToast({ text: (error as Error).message, tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" className="button" disabled={busy} onClick={() => void download()}>
      <Icon name="download" />
      {texts.build.downloadAll}
    </button>
  );
}
