import { useLayoutEffect, useRef } from 'preact/hooks';
import { MarkdownWriter } from '../../../shared/markdown';

interface Props {
  readonly text: string;
  /** Whether more of it is to come. */
  readonly isGrowing?: boolean;
  readonly imageText: string;
}

/** A text with Markdown. While it grows, only what is new is added. */
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
