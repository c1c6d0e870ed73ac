import { KNOWLEDGE_TOOL_NAME } from '../../../runtime/tools/knowledge-tool.js';

const HARMLESS = new Set([KNOWLEDGE_TOOL_NAME, 'end_conversation']);

/**
 * Whether a tool touches nothing outside the platform, as two of the built-in ones.
 *
 * @param ownTools names of tools that the tenant has made: none of them counts as harmless, under any name
 */
export function isHarmless(name: string, ownTools: ReadonlySet<string>): boolean {
  return HARMLESS.has(name) && !ownTools.has(name);
}
