import type { JsonObject } from '../../pipelines/steps/step.js';
import { readAzureDevops } from './azure-devops.js';
import { readBitbucketServer } from './bitbucket-server.js';
import { readBitbucket } from './bitbucket.js';
import { readGitea, readGithub } from './github.js';
import { readGitlab } from './gitlab.js';
import type { DeliverySender, ProviderEvent } from './provider-event.js';

/**
 * Reads a delivery of any provider into events of one shape: one, or one for each branch and tag that a push moved. An
 * unknown event has the kind `other`; nothing is refused here.
 */
export function readDelivery(sender: DeliverySender, name: string, payload: JsonObject): ProviderEvent[] {
  switch (sender) {
    case 'github':
      return [readGithub(name, payload)];
    case 'gitlab':
      return [readGitlab(name, payload)];
    case 'bitbucket':
      return readBitbucket(name, payload);
    case 'bitbucket_server':
      return readBitbucketServer(name, payload);
    case 'azure_devops':
      return readAzureDevops(name, payload);
    default:
      return [readGitea(sender, name, payload)];
  }
}
