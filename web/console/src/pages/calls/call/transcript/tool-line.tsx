import { BookOpen, Wrench } from 'lucide-react';
import type { CallFunctionCallResponse } from '#client/types.gen.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';
import classes from './transcript.module.css';

/** Its answer has the passages that were found. */
const KNOWLEDGE_TOOL = 'search_knowledge_base';

/** A tool that the assistant has used, with what it was asked and has answered. */
export function ToolLine({ tool }: { readonly tool: CallFunctionCallResponse }) {
  const t = useTexts('callPage').transcript;
  const time = useFormat().duration(Math.floor(tool.at_ms / 1_000));
  const isKnowledge = tool.name === KNOWLEDGE_TOOL;
  const Icon = isKnowledge ? BookOpen : Wrench;
  return (
    <li className={classes.tool} data-kind="tool">
      <span className={classes.time}>{time}</span>
      <details>
        <summary>
          <Icon size={14} aria-hidden="true" />
          {isKnowledge ? t.knowledge : t.tool(tool.name)}
        </summary>
        <dl>
          <dt>{t.asked}</dt>
          <dd>
            <pre tabIndex={0} aria-label={t.asked}>
              {textOf(tool.arguments)}
            </pre>
          </dd>
          <dt>{isKnowledge ? t.passages : t.answered}</dt>
          <dd>
            <pre tabIndex={0} aria-label={isKnowledge ? t.passages : t.answered}>
              {textOf(tool.result)}
            </pre>
          </dd>
        </dl>
      </details>
    </li>
  );
}

/** A single text is shown as it is. */
function textOf(value: Readonly<Record<string, unknown>>): string {
  const [only, ...others] = Object.values(value);
  return typeof only === 'string' && others.length === 0 ? only : JSON.stringify(value, null, 2);
}
