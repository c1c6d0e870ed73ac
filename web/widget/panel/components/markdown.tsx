import { useLayoutEffect, useRef } from 'preact/hooks';
import { MarkdownWriter } from '../../../shared/markdown';

interface Props {
  readonly text: string;
  /** Whether the text is still growing. */
  readonly isGrowing?: boolean;
  readonly imageText: string;
}

/** Markdown. A growing text renders only its new part. */
export function Markdown({ text, isGrowing = false, imageText }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const writer = useRef<MarkdownWriter | null>(null);
  useLayoutEffect(() => {
    const into = element.current;
    if (!into || writer.current?.write(text)) return;
    into.replaceChildren();
    writer.current = new MarkdownWriter(into, imageText);
    writer.current.write(text);
    if (!isGrowing) writer.current.finish();
  }, [text, isGrowing, imageText]);
  return <div class="text" ref={element} />;
}
