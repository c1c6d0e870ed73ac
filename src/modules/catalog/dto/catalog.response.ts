import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  NullableEnum,
  NullableInteger,
  NullableText,
  NumberedResponse,
} from '../../../common/http/response-fields.js';
import { UNAVAILABLE_REASONS, type UnavailableReason } from '../../../providers/speech/speech-options.js';
import type { CatalogLanguage, CatalogModel, CatalogProvider } from '../catalog-schema.js';
import type { CatalogService } from '../catalog.service.js';
import type { VoiceOffer } from '../voice-offers.service.js';

export class LanguageResponse {
  @ApiProperty({ type: 'integer', description: 'The language_id of assistants' })
  declare id: number;

  @ApiProperty({ example: 'Portuguese', description: 'Name, for people' })
  declare name: string;

  @ApiProperty({ example: 'pt', description: 'ISO 639-1' })
  declare iso_2: string;
}

export class VoiceResponse extends NumberedResponse {
  @ApiProperty({ description: 'Name, for people', example: 'recepcao' })
  declare name: string;

  @NullableInteger({
    description:
      'The language asked for, or the only one of the voice; null for a voice of several languages',
  })
  declare language_id: number | null;

  @ApiProperty({ enum: ['female', 'male'], description: 'Gender of the voice' })
  declare gender: string;

  @NullableText({
    description: 'Address of a sample; null for none',
    example: 'https://example.com/voices/1.mp3',
  })
  declare preview_url: string | null;

  @NullableText({ description: 'Accent of the voice, in the words of its provider', example: 'Paulista' })
  declare accent: string | null;

  @NullableText({ description: 'Age of the voice, in the words of its provider', example: 'young' })
  declare age: string | null;

  @NullableInteger({ description: 'Null for a voice that only a multimodal model speaks with' })
  declare synthesizer_provider_id: number | null;

  @ApiProperty({
    description:
      'Whether calls of this account are spoken with it, by the keys of the account and of the installation',
  })
  declare available: boolean;

  @NullableEnum(UNAVAILABLE_REASONS, {
    description:
      'no_adapter: this version has none for the vendor; no_key: there is no key for the vendor. Until then another voice speaks in its place',
  })
  declare unavailable_reason: UnavailableReason | null;
}

export class ModelResponse extends NumberedResponse {
  @ApiProperty({ description: 'Name, for people', example: 'recepcao' })
  declare name: string;

  @ApiPropertyOptional({ description: 'Of multimodal and dualplex models', example: 'gpt-4o-mini' })
  declare code?: string;
}

export class ProviderResponse extends NumberedResponse {
  @ApiProperty({ description: 'Name, for people', example: 'recepcao' })
  declare name: string;

  @ApiProperty({ description: 'Short name of the provider', example: 'gpt-4o-mini' })
  declare code: string;
}

export function toLanguageResponse({ id, name, iso_2 }: CatalogLanguage): LanguageResponse {
  return { id, name, iso_2 };
}

/** @param languageId the language the voices were asked for */
export function toVoiceResponse(
  catalog: CatalogService,
  languageId?: number,
): (offer: VoiceOffer) => VoiceResponse {
  return ({ voice, unavailableReason }) => {
    const languages = catalog.languagesOf(voice);
    const onlyLanguage = languages?.length === 1 ? languages[0] : undefined;
    const isSynthesized = voice.modes.some((mode) => mode !== 'multimodal');
    return {
      id: voice.id,
      name: voice.name,
      language_id: languageId ?? onlyLanguage?.id ?? null,
      gender: voice.gender,
      preview_url: voice.preview_url,
      accent: voice.accent,
      age: voice.age,
      synthesizer_provider_id: isSynthesized ? (catalog.findSynthesizer(voice.provider)?.id ?? null) : null,
      available: unavailableReason === null,
      unavailable_reason: unavailableReason,
    };
  };
}

export function toModelResponse({ id, name, code, types }: CatalogModel): ModelResponse {
  return types.includes('llm') ? { id, name } : { id, name, code };
}

export function toProviderResponse({ id, name, code }: CatalogProvider): ProviderResponse {
  return { id, name, code };
}
