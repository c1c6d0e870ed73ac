import type { S3RoleConfig } from '#src/config/config.js';
import type { AwsCredentials, CredentialSource } from './aws-credentials.js';
import { ContainerSource } from './container-credentials.js';
import { InstanceMetadataSource } from './instance-metadata.js';
import { RoleCredentials } from './role-credentials.js';
import { WebIdentitySource } from './web-identity.js';

/** Of ECS; a container knows the path alone. */
const CONTAINER_HOST = 'http://169.254.170.2';

/** Where the credentials for a bucket come from. */
export interface Credentials {
  get(): Promise<AwsCredentials>;
  forget(): void;
}

/** Keys that the operator has set. */
export function staticCredentials(accessKeyId: string, secretAccessKey: string): Credentials {
  const keys: AwsCredentials = {
    accessKeyId,
    secretAccessKey,
    sessionToken: undefined,
    expiresAtMs: undefined,
  };
  return { get: () => Promise.resolve(keys), forget: () => undefined };
}

/** Those of the role that the surroundings of the process give, in the order of Amazon's libraries. */
export function roleCredentials(config: S3RoleConfig, region: string): Credentials {
  return new RoleCredentials(sourceOf(config, region));
}

function sourceOf(
  { webIdentity, container, metadataEndpoint }: S3RoleConfig,
  region: string,
): CredentialSource {
  if (webIdentity) {
    const endpoint = webIdentity.endpoint ?? `https://sts.${region}.amazonaws.com`;
    return new WebIdentitySource({ ...webIdentity, endpoint });
  }
  if (!container) return new InstanceMetadataSource(metadataEndpoint);
  const { relativeUri, fullUri = '', tokenFile } = container;
  return new ContainerSource({
    url: relativeUri === undefined ? fullUri : CONTAINER_HOST + relativeUri,
    tokenFile,
  });
}
