import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { texts } from '../../texts/texts';
import { SelectField } from '../../ui/field';
import { stateName } from '../../ui/state';

const route = getRouteApi('/$organization/$pipeline');
const states = ['RUNNING', 'SCHEDULED', 'BLOCKED', 'PASSED', 'FAILED', 'CANCELED', 'SKIPPED', 'NOT_RUN'];

/** Filters of a pipeline's builds; they live in the address. */
export function BuildFilters() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/$pipeline' });
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  return (
    <div className="filters" role="search">
      <input
        className="input filter-search"
        type="search"
        aria-label={texts.pipeline.branch}
        placeholder={texts.pipeline.branch}
        value={search.branch ?? ''}
        onChange={(event) => change({ branch: event.target.value || undefined })}
      />
      <SelectField
        label={texts.pipeline.state}
        hideLabel
        value={search.state ?? ''}
        onChange={(state) => change({ state: state || undefined })}
        choices={[
          { value: '', label: texts.pipeline.anyState },
          ...states.map((state) => ({ value: state, label: stateName(state) })),
        ]}
      />
      <input
        className="input filter-search"
        type="search"
        aria-label={`${texts.pipeline.creator}: ${texts.pipeline.creatorHint}`}
        placeholder={`${texts.pipeline.creator} (${texts.pipeline.creatorHint})`}
        value={search.creator ?? ''}
        onChange={(event) => change({ creator: event.target.value || undefined })}
      />
      {(search.branch || search.state || search.creator) && (
        <button
          type="button"
          className="button button-plain"
          onClick={() => change({ branch: undefined, state: undefined, creator: undefined })}
        >
          {texts.pipeline.clear}
        </button>
      )}
    </div>
  );
}
