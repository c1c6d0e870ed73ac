import { AZURE_REGION } from '../../../config/azure-region.js';

/** Where a Speech resource is reached: in its region, or at an address of its own. */
interface AzurePlace {
  readonly region: string | undefined;
  /** A custom domain or private endpoint, a gateway, or a container. */
  readonly baseUrl: string | undefined;
}

/** A Speech resource: where it is, and its key. */
export interface AzureResource extends AzurePlace {
  readonly apiKey: string;
}

/**
 * The paths differ: a regional host has one for each service, a domain of one's own has both services under prefixes.
 *
 * - https://learn.microsoft.com/azure/ai-services/speech-service/rest-text-to-speech
 * - https://learn.microsoft.com/azure/ai-services/speech-service/speech-services-private-link
 */
export function synthesisUrl(place: AzurePlace): string {
  return `${textToSpeech(place)}/cognitiveservices/v1`;
}

/** Lists voices, and so tells whether a key is accepted. */
export function voicesUrl(place: AzurePlace): string {
  return `${textToSpeech(place)}/cognitiveservices/voices/list`;
}

/** Recognition of one language: its tag is part of the query. */
export function recognitionUrl(place: AzurePlace): string {
  const { region, baseUrl } = place;
  const host = baseUrl === undefined ? `wss://${hostOf(region, 'stt')}` : `${toWebSocket(baseUrl)}/stt`;
  return `${host}/speech/recognition/conversation/cognitiveservices/v1`;
}

/** Recognition that finds out which of several languages is spoken. */
export function detectionUrl({ region, baseUrl }: AzurePlace): string {
  const host = baseUrl === undefined ? `wss://${hostOf(region, 'stt')}` : toWebSocket(baseUrl);
  return `${host}/stt/speech/universal/v2`;
}

function textToSpeech({ region, baseUrl }: AzurePlace): string {
  return baseUrl === undefined ? `https://${hostOf(region, 'tts')}` : `${baseUrl}/tts`;
}

/** Regions of the clouds for China and the government of the United States have domains of their own. */
function hostOf(region: string | undefined, service: 'tts' | 'stt'): string {
  if (region === undefined || !AZURE_REGION.test(region)) throw new RangeError('There is no such region');
  const domain = region.startsWith('china')
    ? 'azure.cn'
    : region.startsWith('usgov') || region.startsWith('usdod')
      ? 'azure.us'
      : 'microsoft.com';
  return `${region}.${service}.speech.${domain}`;
}

function toWebSocket(url: string): string {
  return url.replace(/^http/, 'ws');
}
