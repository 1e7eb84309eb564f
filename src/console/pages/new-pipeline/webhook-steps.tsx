import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { texts } from '../../texts/texts';
import { CopyLine } from '../../ui/copy-button';
import { Page } from '../../ui/page';
import { NewBuildDialog } from '../pipeline/new-build-dialog';
import './new-pipeline.css';

type Provider = keyof typeof texts.newPipeline.providers;
const providers = Object.keys(texts.newPipeline.providers) as Provider[];

interface Props {
  organization: string;
  crumbs: ReactNode;
  pipeline: {
    readonly id: string;
    readonly slug: string;
    readonly webhookURL?: string | null | undefined;
    readonly defaultBranch?: string | null | undefined;
  };
}

/** After the creation: where the provider sends its events, and the first build. */
export function WebhookSteps({ organization, crumbs, pipeline }: Props) {
  const [provider, setProvider] = useState<Provider>('GitHub');
  const [building, setBuilding] = useState(false);
  return (
    <Page title={texts.newPipeline.created} crumbs={crumbs}>
      <section className="card card-body stack">
        <h2>{texts.newPipeline.webhookTitle}</h2>
        <p>{texts.newPipeline.webhookText}</p>
        {pipeline.webhookURL && <CopyLine text={pipeline.webhookURL} />}
        <div>
          <span className="segmented">
            {providers.map((each) => (
              <button key={each} type="button" aria-pressed={each === provider} onClick={() => setProvider(each)}>
                {each}
              </button>
            ))}
          </span>
        </div>
        <ol className="steps-list">
          {texts.newPipeline.providers[provider].map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
      <div className="row">
        <button type="button" className="button button-primary" onClick={() => setBuilding(true)}>
          {texts.newPipeline.firstBuild}
        </button>
        <Link className="button" to="/$organization/$pipeline" params={{ organization, pipeline: pipeline.slug }}>
          {texts.newPipeline.later}
        </Link>
      </div>
      {building && (
        <NewBuildDialog
          pipelineId={pipeline.id}
          organization={organization}
          pipeline={pipeline.slug}
          defaultBranch={pipeline.defaultBranch ?? ''}
          onClose={() => setBuilding(false)}
        />
      )}
    </Page>
  );
}
