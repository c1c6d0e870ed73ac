import { tokenize, tts } from '@livekit/agents';
import { SentencePieces } from '../../common/spoken-text/sentences/sentence-pieces.js';

/**
 * A voice that takes words as they come, sentence by sentence where it cannot do so itself. Made once for a call: the engine
 * would make one for each stretch of speech, which never releases the voice, and throws its errors where no caller catches them.
 *
 * @param language of what is said, as a tag such as `pt-BR`
 */
export function streamingVoice(voice: tts.TTS, language: string): tts.TTS {
  return voice.capabilities.streaming ? voice : new tts.StreamAdapter(voice, new PieceTokenizer(language));
}

class PieceTokenizer extends tokenize.SentenceTokenizer {
  constructor(private readonly language: string) {
    super();
  }

  tokenize(text: string): string[] {
    const pieces = new SentencePieces(this.language);
    return [...pieces.push(text), ...pieces.end()];
  }

  stream(): tokenize.SentenceStream {
    return new PieceStream(this.language);
  }
}

class PieceStream extends tokenize.SentenceStream {
  private readonly pieces: SentencePieces;

  constructor(language: string) {
    super();
    this.pieces = new SentencePieces(language);
  }

  override pushText(text: string): void {
    this.put(this.pieces.push(text));
  }

  override flush(): void {
    this.put(this.pieces.end());
  }

  override endInput(): void {
    this.flush();
    super.endInput();
  }

  private put(pieces: readonly string[]): void {
    if (this.closed) return;
    for (const token of pieces) this.queue.put({ token, segmentId: '' });
  }
}
