import { readFile } from 'node:fs/promises';
import { type AwsCredentials, credentialsIn, type CredentialSource } from './aws-credentials.js';
import { askForCredentials } from './credentials-client.js';

export interface ContainerOptions {
  readonly url: string;
  /** Sent with each request; read each time, because the cluster replaces it. Undefined: none. */
  readonly tokenFile: string | undefined;
}

/**
 * A role of the container: of a task of ECS, or of a pod of EKS (Pod Identity).
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 */
export class ContainerSource implements CredentialSource {
  readonly name = 'AWS_CONTAINER_CREDENTIALS_…_URI';

  constructor(private readonly options: ContainerOptions) {}

  async fetch(): Promise<AwsCredentials> {
    const { url, tokenFile } = this.options;
    const token = tokenFile === undefined ? undefined : (await readFile(tokenFile, 'utf8')).trim();
    return credentialsIn(
      await askForCredentials({
        method: 'GET',
        url,
        headers: token === undefined ? {} : { authorization: token },
      }),
    );
  }
}
