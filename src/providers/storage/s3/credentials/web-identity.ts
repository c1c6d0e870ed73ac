import { readFile } from 'node:fs/promises';
import { type AwsCredentials, credentialsOf, type CredentialSource } from './aws-credentials.js';
import { askForCredentials } from './credentials-client.js';

export interface WebIdentityOptions {
  readonly roleArn: string;
  /** Of the token, which the cluster replaces from time to time. */
  readonly tokenFile: string;
  readonly sessionName: string;
  /** Of the Security Token Service. */
  readonly endpoint: string;
}

/**
 * The role of a token of the cluster, as service accounts of EKS have it (IRSA).
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 */
export class WebIdentitySource implements CredentialSource {
  readonly name = 'AWS_WEB_IDENTITY_TOKEN_FILE';

  constructor(private readonly options: WebIdentityOptions) {}

  async fetch(): Promise<AwsCredentials> {
    const { roleArn, tokenFile, sessionName, endpoint } = this.options;
    const token = (await readFile(tokenFile, 'utf8')).trim();
    const form = new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: roleArn,
      RoleSessionName: sessionName,
      WebIdentityToken: token,
    });
    const xml = await askForCredentials({
      method: 'POST',
      url: endpoint,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    return credentialsOf({
      AccessKeyId: textIn(xml, 'AccessKeyId'),
      SecretAccessKey: textIn(xml, 'SecretAccessKey'),
      Token: textIn(xml, 'SessionToken'),
      Expiration: textIn(xml, 'Expiration'),
    });
  }
}

/** The text of an element that has no other one in it; undefined without the element. */
function textIn(xml: string, element: string): string | undefined {
  return xml.split(`<${element}>`, 2)[1]?.split('<', 1)[0];
}
