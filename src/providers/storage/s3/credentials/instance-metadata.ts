import { type AwsCredentials, credentialsIn, type CredentialSource } from './aws-credentials.js';
import { askForCredentials } from './credentials-client.js';

const ROLES_PATH = '/latest/meta-data/iam/security-credentials/';
/** Each fetch asks for a token of its own. */
const TOKEN_SECONDS = '60';

/**
 * The role of the machine, by version 2 of its metadata service. Version 1 is not asked, because a mere GET reaches it.
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html
 */
export class InstanceMetadataSource implements CredentialSource {
  readonly name = 'the metadata service of the machine';

  /** @param endpoint of the service */
  constructor(private readonly endpoint: string) {}

  async fetch(): Promise<AwsCredentials> {
    const token = await askForCredentials({
      method: 'PUT',
      url: this.urlOf('/latest/api/token'),
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': TOKEN_SECONDS },
    });
    const headers = { 'x-aws-ec2-metadata-token': token };
    const ask = (path: string) => askForCredentials({ method: 'GET', url: this.urlOf(path), headers });
    const [role = ''] = (await ask(ROLES_PATH)).split('\n');
    return credentialsIn(await ask(`${ROLES_PATH}${encodeURIComponent(role.trim())}`));
  }

  private urlOf(path: string): string {
    return new URL(path, this.endpoint).href;
  }
}
