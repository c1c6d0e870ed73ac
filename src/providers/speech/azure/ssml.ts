/** Not part of an XML 1.0 document, escaped or not, and nothing that is spoken: https://www.w3.org/TR/xml/#charsets */
const NOT_XML = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

export interface SsmlLine {
  readonly text: string;
  /** Such as `pt-BR-FranciscaNeural`. */
  readonly voice: string;
  /** Tag such as `pt-BR`. */
  readonly language: string;
  /** 1 is the voice's own pace; left out: not set. */
  readonly speed?: number | undefined;
}

/** These voices speak the language that the document names; all others have one of their own. */
const SEVERAL_LANGUAGES = /Multilingual/i;

/**
 * One line as SSML. Text and attributes are escaped: a customer's or a model's words must not become elements.
 *
 * @see https://learn.microsoft.com/azure/ai-services/speech-service/speech-synthesis-markup-structure
 */
export function ssmlOf({ text, voice, language, speed }: SsmlLine): string {
  const tag = escaped(language);
  const words = SEVERAL_LANGUAGES.test(voice)
    ? `<lang xml:lang="${tag}">${escaped(text)}</lang>`
    : escaped(text);
  const spoken = speed === undefined || speed === 1 ? words : `<prosody rate="${speed}">${words}</prosody>`;
  return (
    `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${tag}">` +
    `<voice name="${escaped(voice)}">${spoken}</voice></speak>`
  );
}

function escaped(text: string): string {
  return text.replace(NOT_XML, ' ').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
