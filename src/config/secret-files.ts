import { readFileSync } from 'node:fs';
import { EnvironmentError } from './environment.js';

/** Variables whose value may be in a file, as Docker, Kubernetes and systemd hand secrets over. */
export const SECRETS = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'REDIS_URL',
  'ENCRYPTION_KEY',
  'BOOTSTRAP_PASSWORD',
  'BOOTSTRAP_API_KEY',
  'OPENAI_API_KEY',
  'SPEECH_API_KEY',
  'DEEPGRAM_API_KEY',
  'ELEVEN_API_KEY',
  'GOOGLE_API_KEY',
  'XAI_API_KEY',
  'AZURE_SPEECH_KEY',
  'CARTESIA_API_KEY',
  'EMBEDDINGS_API_KEY',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'TWILIO_AUTH_TOKEN',
  'LIVEKIT_API_KEY',
  'LIVEKIT_API_SECRET',
] as const;

const FILE = '_FILE';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads secrets from the files that `DATABASE_URL_FILE` and the like name.
 *
 * @throws EnvironmentError for a file that cannot be read, and where both variables are set
 */
export function withSecretFiles(source: Variables): Variables {
  const problems: string[] = [];
  const secrets: Record<string, string> = {};
  for (const name of SECRETS) {
    const path = source[name + FILE];
    if (!path) continue;
    if (source[name]) problems.push(`${name}: is set, and ${name}${FILE} too; remove one of them`);
    else {
      const value = contentOf(path);
      if (typeof value === 'string') secrets[name] = value;
      else problems.push(`${name}${FILE}: ${value.problem}`);
    }
  }
  if (problems.length > 0) throw EnvironmentError.of(...problems);
  return { ...source, ...secrets };
}

/** Variables that make a process take these values, whatever files the environment names. */
export function overFiles(values: Readonly<Record<string, string>>): Record<string, string> {
  const files = SECRETS.filter((name) => name in values).map((name) => [name + FILE, '']);
  return { ...Object.fromEntries(files), ...values };
}

/** Without the line break that editors leave at the end. */
function contentOf(path: string): string | { readonly problem: string } {
  try {
    const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    return value === '' ? { problem: `${path} is empty` } : value;
  } catch (error) {
    return { problem: `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})` };
  }
}
