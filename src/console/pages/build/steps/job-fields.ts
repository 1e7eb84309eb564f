import { graphql } from 'react-relay';

/** What every view of the steps shows of a job; the live connection brings the same. */
export const jobFieldsFragment = graphql`
  fragment jobFields_job on Job @inline {
    __typename
    ... on JobTypeCommand {
      id
      uuid
      label
      command
      state
      passed
      softFailed
      retried
      exitStatus
      matrix
      parallelGroupIndex
      parallelGroupTotal
      createdAt
      runnableAt
      scheduledAt
      startedAt
      finishedAt
      retriedInJob {
        uuid
      }
      commandStep: step {
        uuid
        key
        groupKey
        groupUuid
        groupLabel
        dependsOn
      }
    }
    ... on JobTypeBlock {
      id
      uuid
      label
      state
      isUnblockable
      unblockedAt
      blockStep: step {
        uuid
        key
        groupKey
        groupUuid
        groupLabel
        dependsOn
      }
    }
    ... on JobTypeTrigger {
      id
      uuid
      label
      state
      passed
      createdAt
      startedAt
      finishedAt
      triggered {
        number
        url
        state
        pipeline {
          name
        }
      }
      triggerStep: step {
        uuid
        key
        groupKey
        groupUuid
        groupLabel
        dependsOn
      }
    }
    ... on JobTypeWait {
      id
      uuid
      label
      state
      waitStep: step {
        uuid
        key
        groupKey
        groupUuid
        groupLabel
        dependsOn
      }
    }
  }
`;
