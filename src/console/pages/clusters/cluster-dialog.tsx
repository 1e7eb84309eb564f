import { graphql } from 'react-relay';
import type { clusterDialogCreateMutation } from '../../__generated__/clusterDialogCreateMutation.graphql';
import type { clusterDialogUpdateMutation } from '../../__generated__/clusterDialogUpdateMutation.graphql';
import { texts } from '../../texts/texts';
import { SelectField, TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';

const createDocument = graphql`
  mutation clusterDialogCreateMutation($input: ClusterCreateInput!) {
    clusterCreate(input: $input) {
      cluster {
        uuid
      }
    }
  }
`;

const updateDocument = graphql`
  mutation clusterDialogUpdateMutation($input: ClusterUpdateInput!) {
    clusterUpdate(input: $input) {
      cluster {
        id
        name
        description
        defaultQueue {
          id
        }
      }
    }
  }
`;

/** Creates a cluster and passes its UUID to `done`. */
export function NewClusterDialog(props: { organizationId: string; close: () => void; done: (uuid: string) => void }) {
  const form = useForm<{ name: string; description: string }, clusterDialogCreateMutation>(createDocument, {
    key: `cluster:${props.organizationId}`,
    initial: { name: '', description: '' },
    variables: ({ name, description }) => ({
      input: { organizationId: props.organizationId, name, description: description || null },
    }),
    done: (response) => props.done(response.clusterCreate?.cluster.uuid ?? ''),
  });
  return (
    <FormDialog title={texts.clusters.new} form={form} submit={texts.common.create} close={props.close}>
      <TextField label={texts.fields.name} required autoFocus {...form.text('name')} />
      <TextField label={texts.fields.description} {...form.text('description')} />
    </FormDialog>
  );
}

interface Values {
  name: string;
  description: string;
  defaultQueue: string;
}

/** Changes a cluster, and which of its queues jobs go to that name none. */
export function EditClusterDialog(props: {
  organizationId: string;
  id: string;
  values: Values;
  queues: readonly { id: string; key: string }[];
  close: () => void;
}) {
  const form = useForm<Values, clusterDialogUpdateMutation>(updateDocument, {
    key: `cluster:${props.id}`,
    initial: props.values,
    variables: ({ name, description, defaultQueue }) => ({
      input: {
        organizationId: props.organizationId,
        id: props.id,
        name,
        description,
        ...(defaultQueue ? { defaultQueueId: defaultQueue } : {}),
      },
    }),
    done: props.close,
  });
  return (
    <FormDialog title={texts.clusters.edit} form={form} submit={texts.common.save} close={props.close}>
      <TextField label={texts.fields.name} required autoFocus {...form.text('name')} />
      <TextField label={texts.fields.description} {...form.text('description')} />
      <SelectField
        label={texts.clusters.defaultQueue}
        {...form.text('defaultQueue', 'defaultQueueId')}
        choices={[
          ...(props.values.defaultQueue ? [] : [{ value: '', label: texts.common.none }]),
          ...props.queues.map(({ id, key }) => ({ value: id, label: key })),
        ]}
      />
    </FormDialog>
  );
}
