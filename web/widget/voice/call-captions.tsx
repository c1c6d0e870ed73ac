import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Texts } from '../panel/texts/texts';
import type { Caption } from './call-session';
import type { VoiceTextKey } from './texts/en';

interface Props {
  readonly captions: readonly Caption[];
  readonly words: Texts & Record<VoiceTextKey, string>;
}

/** Live captions of both sides. Hidden from screen readers, which would talk into the call. */
export function CallCaptions({ captions, words }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.scrollTo({ top: box.current.scrollHeight }), [captions]);
  return (
    <div ref={box} class="captions" role="log" aria-label={words.callCaptions} aria-live="off" tabIndex={0}>
      <ol>
        {captions.map(({ role, text }, at) => (
          <li key={at} class={`message last ${role === 'customer' ? 'customer' : 'ai'}`}>
            <p class="author hidden">{role === 'customer' ? words.you : words.ai}</p>
            <div class="bubble">
              <p class="plain">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}
