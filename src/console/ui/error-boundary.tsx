import { Component, type ReactNode } from 'react';
import { isMissingPart } from '../app/new-release';
import { GraphqlError } from '../relay/graphql-error';
import { texts } from '../texts/texts';
import { NotFound, Placeholder } from './placeholder';

interface Props {
  children: ReactNode;
  /** A change of this, such as the address, tries again. */
  resetKey?: string;
  /** For what a page can do without: nothing stands in its place. */
  quiet?: boolean;
}

interface State {
  error: Error | null;
  attempt: number;
}

/** Shows why a part of a page could not be shown, and tries again on request. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, attempt: 0 };

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  override componentDidUpdate(before: Props) {
    if (before.resetKey !== this.props.resetKey && this.state.error) this.retry();
  }

  retry = () => this.setState(({ attempt }) => ({ error: null, attempt: attempt + 1 }));

  override render() {
    const { error, attempt } = this.state;
    if (!error)
      return (
        <div key={attempt} className="boundary">
          {this.props.children}
        </div>
      );
    return this.props.quiet ? null : <Failure error={error} retry={this.retry} />;
  }
}

function Failure({ error, retry }: { error: Error; retry: () => void }) {
  const code = error instanceof GraphqlError ? error.code : 'INTERNAL';
  if (code === 'NOT_FOUND') return <NotFound />;
  if (code === 'FORBIDDEN') return <Placeholder title={texts.errors.deniedTitle} text={error.message} />;
  const offline = code === 'OFFLINE';
  return (
    <Placeholder
      title={offline ? texts.errors.offlineTitle : texts.errors.failedTitle}
      text={offline ? texts.errors.offline : error.message}
    >
      <button type="button" className="button" onClick={isMissingPart(error) ? () => window.location.reload() : retry}>
        {texts.common.retry}
      </button>
    </Placeholder>
  );
}
