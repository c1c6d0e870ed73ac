import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config/config.js';
import { localFilesIn } from '../providers/storage/storage.module.js';
import type { FileStorage } from '../providers/storage/file-storage.js';
import { withDatabase } from '../database/open-database.js';
import type { Check } from './check.js';
import { ClockCheck } from './database/clock.check.js';
import { DatabaseReleaseCheck } from './database/database-release.check.js';
import { DatabaseRightsCheck } from './database/database-rights.check.js';
import { DatabaseServerCheck } from './database/database-server.check.js';
import { EncryptionKeyCheck } from './database/encryption-key.check.js';
import type { OnDatabase } from './database/on-database.js';
import { DiskCheck } from './machine/disk.check.js';
import { PortsCheck } from './machine/ports.check.js';
import { ProxyCheck } from './machine/proxy.check.js';
import { ChatModelCheck } from './services/chat-model.check.js';
import { QueueCheck } from './services/queue.check.js';
import { SpeechCheck } from './services/speech.check.js';
import { StorageCheck } from './services/storage.check.js';

/** Of a database that accepts connections. */
export function databaseChecks({ database, security, storage }: Config, databaseUrl: string): Check[] {
  const onDatabase: OnDatabase = (work) => withDatabase(databaseUrl, work);
  return [
    new DatabaseServerCheck(databaseUrl),
    new DatabaseRightsCheck(onDatabase),
    new DatabaseReleaseCheck(databaseUrl),
    new EncryptionKeyCheck(databaseUrl, security.encryptionKeys, database.dataDir),
    new ClockCheck(onDatabase, storage.s3?.endpoint),
  ];
}

/** Of the machine and of the services that the roles of the process use. */
export function surroundingChecks(config: Config, files: FileStorage): Check[] {
  const { server, telephony } = config;
  const sip = server.roles.has('voice') || config.voice.forks > 0 ? telephony.sip : undefined;
  return [new PortsCheck(server, sip), ...serviceChecks(config, files)];
}

/**
 * What a start asks when it is over. It has compared the database and the key before, and holds the ports itself. What it
 * runs without, as the sandbox, the log names elsewhere.
 */
export function startChecks(config: Config, onDatabase: OnDatabase, files: FileStorage): Check[] {
  const { model, speech } = config;
  const hasModel = Boolean(model.baseUrl || model.apiKey);
  const hasSpeech = Object.values(speech).some((one) => typeof one === 'object' && Boolean(one.apiKey));
  const isLeftOut = (check: Check) =>
    (check instanceof ChatModelCheck && !hasModel) || (check instanceof SpeechCheck && !hasSpeech);
  return [
    new DatabaseRightsCheck(onDatabase),
    new ClockCheck(onDatabase, config.storage.s3?.endpoint),
    ...serviceChecks(config, files).filter((check) => !isLeftOut(check)),
  ];
}

function serviceChecks(config: Config, files: FileStorage): Check[] {
  const { server, database, storage, model, speech, voice } = config;
  const place = storage.s3
    ? `the bucket ${storage.s3.bucket} at ${new URL(storage.s3.endpoint).host}`
    : resolve(localFilesIn(database.dataDir));
  // Otherwise the first start makes the folder, with the rights of its own user.
  const isStorageThere = storage.s3 !== undefined || existsSync(localFilesIn(database.dataDir));
  const hasVoice = server.roles.has('voice') || voice.forks > 0;
  return [
    new DiskCheck(database.dataDir),
    ...(isStorageThere ? [new StorageCheck(files, place)] : []),
    new QueueCheck(database.redisUrl),
    ...(server.roles.has('api') ? [new ProxyCheck(server)] : []),
    new ChatModelCheck(model),
    ...(hasVoice ? [new SpeechCheck(speech, model)] : []),
  ];
}
